export interface DiffLine {
  sign: ' ' | '+' | '-';
  text: string;
  /** Numbers of the line in the old and the new text, from 1. */
  left?: number;
  right?: number;
}

/** More lines than this on both sides are compared as blocks: the table of the comparison would not fit. */
const LIMIT = 2000;

/** The shortest way from one text to the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const out: DiffLine[] = a.slice(0, start).map((text, i) => ({ sign: ' ', text, left: i + 1, right: i + 1 }));
  const x = a.slice(start, a.length - end);
  const y = b.slice(start, b.length - end);
  out.push(...middle(x, y, start));
  for (let i = end; i > 0; i--)
    out.push({ sign: ' ', text: a[a.length - i] ?? '', left: a.length - i + 1, right: b.length - i + 1 });
  return out;
}

function middle(x: readonly string[], y: readonly string[], offset: number): DiffLine[] {
  const minus = (i: number): DiffLine => ({ sign: '-', text: x[i] ?? '', left: offset + i + 1 });
  const plus = (j: number): DiffLine => ({ sign: '+', text: y[j] ?? '', right: offset + j + 1 });
  if (x.length * y.length > LIMIT * LIMIT) return [...x.map((_, i) => minus(i)), ...y.map((_, j) => plus(j))];
  const w = y.length + 1;
  const table = new Uint32Array((x.length + 1) * w);
  const at = (i: number, j: number): number => table[i * w + j] ?? 0;
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      table[i * w + j] = x[i] === y[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      out.push({ sign: ' ', text: x[i] ?? '', left: offset + ++i, right: offset + ++j });
    } else if (i < x.length && (j >= y.length || at(i + 1, j) >= at(i, j + 1))) out.push(minus(i++));
    else out.push(plus(j++));
  }
  return out;
}
