/** Where the statements of a TOML text stand. It must be valid already: this looks for places, it judges nothing. */

/** `key = value`, with its dotted key. */
export interface Pair {
  keys: string[];
  start: number;
  valueStart: number;
  valueEnd: number;
  /** Behind the remark and the end of its line; of a member of an inline table, behind its value. */
  end: number;
}
/** A header with what stands under it; the first one has no header and no path. */
export interface Table {
  path: string[];
  /** `[[…]]`. */
  many: boolean;
  start: number;
  /** Behind the line of its header. */
  bodyStart: number;
  pairs: Pair[];
}

export function scanToml(text: string): Table[] {
  let i = text.startsWith('\uFEFF') ? 1 : 0;
  let table: Table = { path: [], many: false, start: i, bodyStart: i, pairs: [] };
  const tables = [table];
  while (i < text.length) {
    i = blank(text, i);
    if (i >= text.length) break;
    const start = i;
    if (text[i] === '[') {
      const many = text[i + 1] === '[';
      const [path, after] = key(text, i + (many ? 2 : 1));
      i = lineEnd(text, after + (many ? 2 : 1));
      table = { path, many, start: lineStart(text, start), bodyStart: i, pairs: [] };
      tables.push(table);
      continue;
    }
    const [keys, equals] = key(text, i);
    const valueStart = spaces(text, equals + 1);
    const valueEnd = value(text, valueStart);
    i = lineEnd(text, valueEnd);
    table.pairs.push({ keys, start: lineStart(text, start), valueStart, valueEnd, end: i });
  }
  return tables;
}

/** The members of an inline table whose brace is at `start`. */
export function scanInline(text: string, start: number): Pair[] {
  const pairs: Pair[] = [];
  let i = blank(text, start + 1);
  while (text[i] !== '}' && i < text.length) {
    const from = i;
    const [keys, equals] = key(text, i);
    const valueStart = blank(text, equals + 1);
    const valueEnd = value(text, valueStart);
    pairs.push({ keys, start: from, valueStart, valueEnd, end: valueEnd });
    i = blank(text, valueEnd);
    if (text[i] === ',') i = blank(text, i + 1);
  }
  return pairs;
}

/** A dotted key, and the offset of what follows it. */
function key(text: string, from: number): [string[], number] {
  const keys: string[] = [];
  let i = spaces(text, from);
  for (;;) {
    const quote = text[i];
    const end = quote === '"' || quote === "'" ? string(text, i) : run(text, i, /[A-Za-z0-9_-]/);
    const word = text.slice(i, end);
    keys.push(quote === '"' ? unquote(word) : quote === "'" ? word.slice(1, -1) : word);
    i = spaces(text, end);
    if (text[i] !== '.') return [keys, i];
    i = spaces(text, i + 1);
  }
}

/** The offset behind the value that begins here. */
function value(text: string, from: number): number {
  const c = text[from];
  if (c === '"' || c === "'") return string(text, from);
  if (c === '[' || c === '{') {
    const close = c === '[' ? ']' : '}';
    let i = blank(text, from + 1);
    while (i < text.length && text[i] !== close) {
      const at = text[i];
      i = at === ',' || at === '=' || at === '.' ? i + 1 : value(text, i);
      i = blank(text, i);
    }
    return i + 1;
  }
  let i = from;
  while (i < text.length && !/[,\]}#\r\n=]/.test(text[i] as string)) i++;
  while (i > from && /[ \t]/.test(text[i - 1] as string)) i--;
  // Something is always taken, so that no text can hold us.
  return Math.max(i, from + 1);
}

function string(text: string, from: number): number {
  const quote = text[from] as string;
  const three = quote.repeat(3);
  if (text.startsWith(three, from)) {
    let i = from + 3;
    while (i < text.length && !text.startsWith(three, i)) i += quote === '"' && text[i] === '\\' ? 2 : 1;
    i += 3;
    // Up to two quotes may stand directly before the closing ones.
    while (text[i] === quote) i++;
    return i;
  }
  let i = from + 1;
  while (i < text.length && text[i] !== quote && text[i] !== '\n') i += quote === '"' && text[i] === '\\' ? 2 : 1;
  return i + 1;
}

/** A basic string's escapes are those of JSON, and a few more that no key has in practice. */
function unquote(word: string): string {
  try {
    return JSON.parse(word) as string;
  } catch {
    return word.slice(1, -1);
  }
}

function run(text: string, from: number, of: RegExp): number {
  let i = from;
  while (i < text.length && of.test(text[i] as string)) i++;
  return i;
}
const spaces = (text: string, from: number): number => run(text, from, /[ \t]/);

/** Past blanks, ends of lines and remarks. */
function blank(text: string, from: number): number {
  let i = from;
  for (;;) {
    i = run(text, i, /\s/);
    if (text[i] !== '#') return i;
    const eol = text.indexOf('\n', i);
    if (eol < 0) return text.length;
    i = eol;
  }
}
function lineEnd(text: string, from: number): number {
  const eol = text.indexOf('\n', from);
  return eol < 0 ? text.length : eol + 1;
}
const lineStart = (text: string, at: number): number =>
  Math.max(text.lastIndexOf('\n', at - 1) + 1, text.startsWith('\uFEFF') ? 1 : 0);
