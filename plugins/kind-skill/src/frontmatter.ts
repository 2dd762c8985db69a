/** The head of a SKILL.md, after the AgentSkills standard (agentskills.io). Pure: text in, facts or the first fault out. */
import { LineCounter, parseDocument } from 'yaml';

/** An underscore is a tolerated extension of the standard. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const DESCRIPTION_CHARS = 1024;

/** What is wrong, and where: people must be able to go there. */
export interface Problem {
  /** Relative to the skill's folder, with `/`. */
  file: string;
  /** From 1; null when the fault is the file itself. */
  line: number | null;
  reason: string;
}

export interface Frontmatter {
  name: string;
  description: string;
  license: string | null;
  allowed_tools: string[];
}

type Fault = { line: number | null; reason: string };

/** Any field besides these is tolerated and not looked at. */
export function parseFrontmatter(text: string): Frontmatter | Fault {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---')
    return { line: 1, reason: 'does not begin with ---, the line above its name and description' };
  const end = lines.findIndex((l, i) => i > 0 && l.trimEnd() === '---');
  if (end < 0) return { line: 1, reason: 'has no second --- line: the head is never closed' };
  const counter = new LineCounter();
  const head = lines.slice(1, end).join('\n');
  const document = parseDocument(head, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  const lineAt = (offset: number): number => counter.linePos(offset).line + 1;
  const error = document.errors[0];
  if (error !== undefined)
    return { line: lineAt(error.pos[0]), reason: `is not valid YAML: ${error.message.split('\n')[0] ?? ''}` };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 });
  } catch {
    return { line: 2, reason: 'uses more YAML aliases than a head needs' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line: 2, reason: 'has a head that is no list of fields (name: …, description: …)' };
  const fields = value as Record<string, unknown>;
  const lineOf = (key: string): number => {
    const at = head.split('\n').findIndex((l) => l.startsWith(`${key}:`) || l.startsWith(`"${key}":`));
    return at < 0 ? 1 : at + 2;
  };
  const { name, description } = fields;
  if (name === undefined || name === null) return { line: lineOf('name'), reason: 'has no name' };
  if (typeof name !== 'string') return { line: lineOf('name'), reason: 'has a name that is no text: put it in quotes' };
  if (!NAME.test(name))
    return {
      line: lineOf('name'),
      reason:
        'has a name that does not fit: 1 to 64 lower case letters, digits, dashes or underscores, a letter or digit first',
    };
  if (description === undefined || description === null)
    return { line: lineOf('description'), reason: 'has no description' };
  if (typeof description !== 'string')
    return { line: lineOf('description'), reason: 'has a description that is no text: put it in quotes' };
  const said = description.trim();
  if (said === '') return { line: lineOf('description'), reason: 'has an empty description' };
  const length = [...said].length;
  if (length > DESCRIPTION_CHARS)
    return {
      line: lineOf('description'),
      reason: `has a description of ${length} characters; ${DESCRIPTION_CHARS} are allowed`,
    };
  return { name, description: said, license: scalar(fields['license']), allowed_tools: tools(fields['allowed-tools']) };
}

export function isFault(x: Frontmatter | Fault): x is Fault {
  return 'reason' in x;
}

function scalar(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A list, or words between commas and blanks; anything else counts as absent. */
function tools(value: unknown): string[] {
  const words = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/) : [];
  return words.every((w) => typeof w === 'string') ? words.map((w) => w.trim()).filter((w) => w !== '') : [];
}
