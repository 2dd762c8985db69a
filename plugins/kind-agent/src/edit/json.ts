/** JSON, with comments and commas at the end of lists as editors take them: changed in place, so that everything else stays as its owner wrote it. */
import { parse, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { CofferError, isObj, type Obj } from '@coffer/kernel';
import type { Splice } from './splice.js';

const OPTIONS = { allowTrailingComma: true, disallowComments: false };
const BOM = '\uFEFF';

/** The parsed text; a blank one is an empty object. Throws AGENT_FILE_INVALID with line and column, and no word of the text. */
export function parseJson(text: string): Obj {
  const bare = text.startsWith(BOM) ? text.slice(1) : text;
  if (bare.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(bare, errors, OPTIONS);
  const first = errors[0];
  if (first !== undefined) {
    const lines = bare.slice(0, first.offset).split('\n');
    throw new CofferError(
      'AGENT_FILE_INVALID',
      `This is no JSON: ${printParseErrorCode(first.error)} in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}.`,
      { line: lines.length },
    );
  }
  if (!isObj(value)) throw new CofferError('AGENT_FILE_INVALID', 'This JSON is no object.');
  return value;
}

/** A step into a JSON value: the name of a member, or the place in a list. */
export type Step = string | number;

/** Splices that give `path` a value; a place at the end of a list makes the list longer. What stands in the way and is no object is replaced by one. The text must parse. */
export function setJson(text: string, path: readonly Step[], value: unknown): Splice[] {
  const root = treeOf(text);
  if (root === undefined) {
    const at = text.startsWith(BOM) ? 1 : 0;
    return [{ start: at, end: text.length, text: `${JSON.stringify(nested(path, value), null, 2)}\n` }];
  }
  let node = root;
  for (const [i, step] of path.entries()) {
    const child = childOf(node, step);
    const rest = nested(path.slice(i + 1), value);
    if (child === undefined) return insert(text, root, node, step, rest);
    const held = valueOf(child);
    const fits = held.type === (typeof path[i + 1] === 'number' ? 'array' : 'object');
    if (i === path.length - 1 || !fits)
      return [{ start: held.offset, end: held.offset + held.length, text: print(rest, layout(text, root, node)) }];
    node = held;
  }
  return [];
}

/** Splices that take `path` out; none when it is not there. The text must parse. */
export function removeJson(text: string, path: readonly Step[]): Splice[] {
  let node = treeOf(text);
  for (const step of path.slice(0, -1)) {
    const child = node && childOf(node, step);
    node = child && valueOf(child);
  }
  const child = node && childOf(node, path.at(-1) ?? '');
  return node === undefined || child === undefined ? [] : cut(text, node, child);
}

function treeOf(text: string): Node | undefined {
  // The mark at the beginning counts as one blank, so that offsets are those of the text.
  return parseTree(text.startsWith(BOM) ? ` ${text.slice(1)}` : text, [], OPTIONS);
}

/** A member or an element. Of members with one name the last counts, as in every reader of JSON. */
function childOf(node: Node, step: Step): Node | undefined {
  if (typeof step === 'number') return node.type === 'array' ? node.children?.[step] : undefined;
  return node.type === 'object' ? node.children?.findLast((p) => p.children?.[0]?.value === step) : undefined;
}
const valueOf = (child: Node): Node => (child.type === 'property' ? (child.children?.[1] ?? child) : child);

function nested(path: readonly Step[], value: unknown): unknown {
  return [...path]
    .reverse()
    .reduce<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

/** How the members of an object are laid out. */
interface Layout {
  /** Everything of it on one line. */
  flat: boolean;
  eol: string;
  unit: string;
  /** Before each member. */
  indent: string;
}

function layout(text: string, root: Node, node: Node): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const first = root.children?.[0];
  const unit = (first && lineIndent(text, first.offset)) || '  ';
  const member = node.children?.[0];
  const own = member && lineIndent(text, member.offset);
  const whole = text.slice(root.offset, root.offset + root.length);
  const flat =
    own === undefined &&
    (member !== undefined || (!whole.includes('\n') && !/^(\{\}|\[\])$/.test(whole.replace(/\s/g, ''))));
  return { flat, eol, unit, indent: own ?? lineStartIndent(text, node.offset) + unit };
}

/** The blanks before an offset when it is the first on its line. */
function lineIndent(text: string, offset: number): string | undefined {
  return /(?:^|\n)([ \t]*)$/.exec(text.slice(0, offset))?.[1];
}
/** The blanks that the line of an offset begins with. */
function lineStartIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

function print(value: unknown, { flat, eol, unit, indent }: Layout): string {
  if (flat) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replace(/\n/g, eol + indent);
}

function insert(text: string, root: Node, node: Node, step: Step, value: unknown): Splice[] {
  const l = layout(text, root, node);
  const name = typeof step === 'number' ? '' : `${JSON.stringify(step)}:${l.flat ? '' : ' '}`;
  const member = name + print(value, l);
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const inner = text.slice(node.offset + 1, close);
  if (last === undefined && inner.trim() === '') {
    const around = l.flat ? ['', ''] : [l.eol + l.indent, l.eol + lineStartIndent(text, node.offset)];
    return [{ start: node.offset + 1, end: close, text: around[0] + member + around[1] }];
  }
  // Behind everything that is there, so that a remark stays with the member that it is about.
  const end = node.offset + 1 + inner.trimEnd().length;
  const lastEnd = last === undefined ? node.offset + 1 : last.offset + last.length;
  // On one line, unless a remark ends it.
  const lead = l.flat ? (lastEnd === end ? '' : l.eol) : l.eol + l.indent;
  // A remark to the end of the line would swallow what follows on it.
  const after = inner.slice(inner.trimEnd().length).includes('\n') || l.flat ? '' : l.eol;
  if (last === undefined) return [{ start: end, end, text: lead + member + after }];
  const comma = commaAfter(text, lastEnd, close) === undefined;
  if (comma && lastEnd === end) return [{ start: end, end, text: `,${lead}${member}${after}` }];
  return [
    ...(comma ? [{ start: lastEnd, end: lastEnd, text: ',' }] : []),
    { start: end, end, text: lead + member + after },
  ];
}

function cut(text: string, node: Node, property: Node): Splice[] {
  const members = node.children ?? [];
  const close = node.offset + node.length - 1;
  const end = property.offset + property.length;
  const before = members[members.indexOf(property) - 1];
  if (members.length === 1) {
    const inner = text.slice(node.offset + 1, property.offset) + text.slice(end, close);
    if (inner.replace(',', '').trim() === '') return [{ start: node.offset + 1, end: close, text: '' }];
  }
  const start = leading(text, property.offset);
  const own = commaAfter(text, end, close);
  if (own !== undefined) return [{ start, end: own + 1, text: '' }];
  const comma = before === undefined ? undefined : commaAfter(text, before.offset + before.length, property.offset);
  if (comma === undefined) return [{ start, end, text: '' }];
  return comma + 1 === start
    ? [{ start: comma, end, text: '' }]
    : [
        { start: comma, end: comma + 1, text: '' },
        { start, end, text: '' },
      ];
}

/** Where the blanks before an offset begin, its line break among them. */
function leading(text: string, offset: number): number {
  const blank = /\r?\n?[ \t]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  return offset - blank.length;
}

/** The comma between two offsets, remarks passed over. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  for (let i = from; i < to; i++) {
    if (text[i] === ',') return i;
    if (text.startsWith('//', i)) {
      const eol = text.indexOf('\n', i);
      i = eol < 0 ? to : eol;
    } else if (text.startsWith('/*', i)) i = text.indexOf('*/', i) + 1;
  }
  return undefined;
}
