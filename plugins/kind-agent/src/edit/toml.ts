/** TOML, changed in place: remarks, order and blank lines stay as their owner wrote them. */
import { parse } from 'smol-toml';
import { CofferError, isObj, type Obj } from '@coffer/kernel';
import type { Splice } from './splice.js';
import { scanInline, scanToml, type Pair, type Table } from './toml-scan.js';

/** Throws AGENT_FILE_INVALID with line and column, and no word of the text. */
export function parseToml(text: string): Obj {
  try {
    return parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (e) {
    const { line, column } = e as { line?: number; column?: number }; // smol-toml's error has them
    throw new CofferError(
      'AGENT_FILE_INVALID',
      `This is no TOML${line === undefined ? '' : `: it is broken in line ${line}, column ${column}`}.`,
      line === undefined ? {} : { line },
    );
  }
}

/** Splices that give `path` a value; undefined when the text has a form that this cannot change. The text must parse. */
export function setToml(text: string, path: readonly string[], value: unknown): Splice[] | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const tables = scanToml(text);
  const here = find(text, tables, path);
  if (here.length === 1 && here[0]?.pair !== undefined && !isObj(value)) {
    const { valueStart, valueEnd } = here[0].pair;
    return [{ start: valueStart, end: valueEnd, text: print(value) }];
  }
  if (here.length > 0) {
    const without = removeToml(text, path);
    if (without === undefined) return undefined;
    // What was there goes, and the new one is written where a new one would be.
    const rest = cutOut(text, without);
    const added = setToml(rest, path, value);
    return added && [{ start: 0, end: text.length, text: cutOut(rest, added) }];
  }
  if (isObj(value) && path.length > 0) {
    const parent = holder(text, tables, path.slice(0, -1));
    if (parent?.pair !== undefined) return intoInline(text, parent.pair, path.slice(parent.depth), value);
    return append(text, eol, path, value);
  }
  const parent = holder(text, tables, path.slice(0, -1));
  if (parent?.pair !== undefined) return intoInline(text, parent.pair, path.slice(parent.depth), value);
  if (parent?.table !== undefined) return intoTable(text, eol, parent.table, path.slice(parent.depth), value);
  if (parent?.beside !== undefined) {
    const { pair, table } = parent.beside;
    const line = `${dotted(path.slice(table.path.length))} = ${print(value)}`;
    return [{ start: pair.end, end: pair.end, text: `${endLine(text, pair.end, eol)}${line}${eol}` }];
  }
  return append(text, eol, path.slice(0, -1), { [path.at(-1) as string]: value });
}

/** Splices that take `path` out, with all that is below it; none when it is not there; undefined when that cannot be done here. */
export function removeToml(text: string, path: readonly string[]): Splice[] | undefined {
  const found = find(text, scanToml(text), path);
  if (found.some((f) => f.opaque)) return undefined;
  const pieces = found.map(({ table, pair, inline }) => {
    if (pair === undefined) return wholeTable(text, table);
    return inline === undefined ? { start: pair.start, end: pair.end, text: '' } : cutMember(inline, pair);
  });
  // Tables that follow each other go as one.
  return pieces
    .reduce<Splice[]>((joined, piece) => {
      const last = joined.at(-1);
      return last?.end === piece.start ? [...joined.slice(0, -1), { ...last, end: piece.end }] : [...joined, piece];
    }, [])
    .map((piece) => withGap(text, piece));
}

/** With the blank lines behind it. */
function wholeTable(text: string, table: Table): Splice {
  const end = table.pairs.at(-1)?.end ?? table.bodyStart;
  const gap = /^(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  return { start: table.start, end: end + gap, text: '' };
}

/** At the end of the file the blank lines that set it off go with it. */
function withGap(text: string, { start, end }: Splice): Splice {
  if (end < text.length || text[start] !== '[') return { start, end, text: '' };
  const lead = /(?:\r?\n[ \t]*)*$/.exec(text.slice(0, start).replace(/\r?\n$/, ''))?.[0].length ?? 0;
  return { start: start - lead, end, text: '' };
}

interface Found {
  table: Table;
  /** Absent: the whole table. */
  pair?: Pair;
  /** The members of the inline table that it is one of. */
  inline?: readonly Pair[];
  /** Inside of something that is not looked into. */
  opaque?: boolean;
}

const startsWith = (whole: readonly string[], head: readonly string[]): boolean => head.every((k, i) => whole[i] === k);

/** Everything that says something of `path` or of what is below it. */
function find(text: string, tables: readonly Table[], path: readonly string[]): Found[] {
  return tables.flatMap((table): Found[] => {
    if (table.path.length >= path.length && startsWith(table.path, path) && table.path.length > 0)
      return [{ table, opaque: table.many }];
    if (!startsWith(path, table.path)) return [];
    return table.pairs.flatMap((pair) => within(text, table, pair, [...table.path, ...pair.keys], path));
  });
}

function within(text: string, table: Table, pair: Pair, at: readonly string[], path: readonly string[]): Found[] {
  if (at.length >= path.length) return startsWith(at, path) ? [{ table, pair }] : [];
  if (!startsWith(path, at) || text[pair.valueStart] !== '{') return [];
  const members = scanInline(text, pair.valueStart);
  return members.flatMap((m): Found[] => {
    const full = [...at, ...m.keys];
    if (full.length >= path.length) return startsWith(full, path) ? [{ table, pair: m, inline: members }] : [];
    return within(text, table, m, full, path);
  });
}

/** Where something new below `path` belongs: under its header, in its inline table, or beside the dotted keys that make it up. */
function holder(
  text: string,
  tables: readonly Table[],
  path: readonly string[],
): { depth: number; table?: Table; pair?: Pair; beside?: { pair: Pair; table: Table } } | undefined {
  const table = tables.find((t) => !t.many && t.path.length === path.length && startsWith(t.path, path));
  if (table !== undefined) return { depth: path.length, table };
  const found = find(text, tables, path);
  const exact = found.find((f) => f.pair !== undefined && text[f.pair.valueStart] === '{');
  if (exact?.pair !== undefined) return { depth: path.length, pair: exact.pair };
  const beside = found.filter((f) => f.pair !== undefined && f.inline === undefined).at(-1);
  return beside?.pair === undefined
    ? undefined
    : { depth: path.length, beside: { pair: beside.pair, table: beside.table } };
}

function intoTable(text: string, eol: string, table: Table, rest: readonly string[], value: unknown): Splice[] {
  const line = `${dotted(rest)} = ${print(value)}`;
  const at = table.pairs.at(-1)?.end ?? table.bodyStart;
  // Under no header and before everything: set off from what follows.
  const first = table.path.length === 0 && table.pairs.length === 0 && text.slice(at).trim() !== '';
  return [{ start: at, end: at, text: `${endLine(text, at, eol)}${line}${eol}${first ? eol : ''}` }];
}

function intoInline(text: string, pair: Pair, rest: readonly string[], value: unknown): Splice[] {
  const members = scanInline(text, pair.valueStart);
  const member = `${dotted(rest)} = ${print(value)}`;
  const last = members.at(-1);
  if (last === undefined) return [{ start: pair.valueStart, end: pair.valueEnd, text: `{ ${member} }` }];
  return [{ start: last.valueEnd, end: last.valueEnd, text: `, ${member}` }];
}

function append(text: string, eol: string, path: readonly string[], value: Obj): Splice[] {
  const flat = Object.entries(value).filter(([, v]) => !isObj(v));
  const deep = Object.entries(value).filter(([, v]) => isObj(v));
  const lines = [`[${dotted(path)}]`, ...flat.map(([k, v]) => `${dotted([k])} = ${print(v)}`)];
  for (const [k, v] of deep)
    lines.push(
      '',
      `[${dotted([...path, k])}]`,
      ...Object.entries(v as Obj).map(([n, x]) => `${dotted([n])} = ${print(x)}`),
    );
  const end = text.length;
  const gap = text.trim() === '' || /\n[ \t]*\r?\n$/.test(text) ? '' : eol;
  return [{ start: end, end, text: `${endLine(text, end, eol)}${gap}${lines.join(eol)}${eol}` }];
}

function cutMember(members: readonly Pair[], pair: Pair): Splice {
  const i = members.indexOf(pair);
  const next = members[i + 1];
  const before = members[i - 1];
  if (next !== undefined) return { start: pair.start, end: next.start, text: '' };
  return { start: before?.valueEnd ?? pair.start, end: pair.valueEnd, text: '' };
}

const cutOut = (text: string, splices: readonly Splice[]): string =>
  [...splices].sort((a, b) => b.start - a.start).reduce((t, s) => t.slice(0, s.start) + s.text + t.slice(s.end), text);

/** The end that a line still needs before another can follow. */
const endLine = (text: string, at: number, eol: string): string =>
  at === 0 || /[\n\uFEFF]/.test(text[at - 1] ?? '') ? '' : eol;

const dotted = (keys: readonly string[]): string =>
  keys.map((k) => (/^[A-Za-z0-9_-]+$/.test(k) ? k : JSON.stringify(k))).join('.');

function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (isObj(value)) {
    const members = Object.entries(value).map(([k, v]) => `${dotted([k])} = ${print(v)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  // JSON's strings are TOML's, but for one character that JSON leaves as it is.
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
