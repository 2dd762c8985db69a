/** A fact as its file has it: a little YAML, then what is to be remembered. Pure. */
import { isObj, type Obj } from '@coffer/kernel';
import { parseDocument, stringify } from 'yaml';

export interface FactFile {
  name: string;
  description: string | undefined;
  /** Who wrote it last: `agent`, `ui`, `cli` …; the agent's name if it was one. */
  actor: string | undefined;
  agent: string | undefined;
  /** ISO 8601; undefined where a person's file says nothing. */
  createdAt: string | undefined;
  updatedAt: string | undefined;
  text: string;
  /** The line the text starts at, from 1. */
  line: number;
}

const HEAD = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/;

/** Takes any text: a file without a head, or with one that is no YAML, is a fact all the same. */
export function parseFact(file: string, fallbackName: string): FactFile {
  const source = file.startsWith('\ufeff') ? file.slice(1) : file;
  const head = HEAD.exec(source);
  const data = head === null ? undefined : yamlOf(head[1] ?? '');
  const rest = head === null || data === undefined ? source : source.slice(head[0].length);
  const skipped = source.length - rest.length;
  const leading = /^\n*/.exec(rest)?.[0].length ?? 0;
  const meta: Obj = isObj(data?.metadata) ? data.metadata : {};
  return {
    name: text(data?.name) ?? fallbackName,
    description: text(data?.description),
    actor: text(meta.actor),
    agent: text(meta.agent),
    createdAt: text(data?.created_at),
    updatedAt: text(data?.updated_at),
    text: rest.slice(leading).trimEnd(),
    line: source.slice(0, skipped + leading).split('\n').length,
  };
}

export function formatFact({
  name,
  description,
  actor,
  agent,
  createdAt,
  updatedAt,
  text: body,
}: Omit<FactFile, 'line'>): string {
  const head = stringify(
    {
      name,
      ...(description !== undefined && { description }),
      metadata: { ...(actor !== undefined && { actor }), ...(agent !== undefined && { agent }) },
      ...(createdAt !== undefined && { created_at: createdAt }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    },
    { lineWidth: 0 },
  );
  return `---\n${head}---\n\n${body.trim()}\n`;
}

/** The file with another text; what a person wrote above it, comments included, stays. */
export function withText(
  file: string,
  body: string,
  change: { updatedAt: string; actor: string; agent: string | undefined },
): string {
  const head = HEAD.exec(file);
  if (head === null || yamlOf(head[1] ?? '') === undefined) return `${body.trim()}\n`;
  const doc = parseDocument(head[1] ?? '');
  doc.set('updated_at', change.updatedAt);
  doc.setIn(['metadata', 'actor'], change.actor);
  if (change.agent === undefined) doc.deleteIn(['metadata', 'agent']);
  else doc.setIn(['metadata', 'agent'], change.agent);
  return `---\n${doc.toString({ lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

/** A name for a file: letters and digits of any script, short, with nothing in it that a path or a shell would mind. */
export function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const slug = [...words.join('-')].slice(0, 60).join('').replace(/-+$/, '');
  return slug === '' ? 'fact' : slug;
}

/** What a fact without a name is called by: how it begins. */
export function nameFrom(body: string): string {
  const line = body.trim().split('\n', 1)[0] ?? '';
  return (
    line
      .replace(/^#+\s*/, '')
      .split(/\s+/)
      .slice(0, 8)
      .join(' ')
      .slice(0, 80) || 'fact'
  );
}

function yamlOf(source: string): Obj | undefined {
  const doc = parseDocument(source);
  if (doc.errors.length > 0) return undefined;
  const value: unknown = doc.toJS({ maxAliasCount: 20 });
  return isObj(value) ? value : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  return value instanceof Date ? value.toISOString() : typeof value === 'number' ? String(value) : undefined;
}
