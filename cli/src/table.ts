import Table from 'cli-table3';
import { bold } from './text.js';

const NO_LINES = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((k) => [k, '']),
);

/** Columns under a header line, without rules: easy to read and to cut. On a terminal the last column ends at its edge. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = process.stdout.isTTY ? process.stdout.columns : undefined,
): string {
  const whole = rows.map((r) => r.map((c, i) => (i < r.length - 1 ? middleOut(c, CELL_WIDTH) : c)));
  const fitted = width === undefined ? whole : fit(whole, head, width);
  const t = new Table({
    head: head.map((h) => bold(h)),
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  t.push(...fitted.map((r) => r.map((c) => (c === '' ? '-' : c))));
  return t
    .toString()
    .split('\n')
    .map((l) => l.trimEnd())
    .join('\n');
}

/** What one cell may take: a single long name must not pad every row. */
const CELL_WIDTH = 64;
const LEAST = 12;

/** Narrows the last column first, which is prose; then the widest of the others, from the middle. */
function fit(rows: readonly (readonly string[])[], head: readonly string[], width: number): string[][] {
  const widths = head.map((h, i) => Math.max(h.length, ...rows.map((r) => plainLength(r[i] ?? ''))));
  const last = widths.length - 1;
  const excess = (): number => widths.reduce((sum, w) => sum + w + 2, -2) - (width - 1);
  const narrow = (i: number, least: number): void => {
    const w = widths[i] ?? 0;
    widths[i] = Math.min(w, Math.max(least, w - Math.max(0, excess())));
  };
  narrow(last, LEAST);
  const byWidth = [...head.keys()].slice(0, -1).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
  for (const i of byWidth) narrow(i, Math.max(LEAST, head[i]?.length ?? 0));
  return rows.map((r) =>
    r.map((c, i) => {
      const most = widths[i] ?? 0;
      if (plainLength(c) <= most) return c;
      return i === last ? `${c.slice(0, most - 1)}…` : middleOut(c, most);
    }),
  );
}

/** Takes the middle out of a text that is too long; a coloured one is a short word and stays. */
function middleOut(text: string, most: number): string {
  if (text.length <= most || text.includes('\u001b')) return text;
  const front = Math.ceil((most - 1) / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (most - 1 - front))}`;
}

const plainLength = (text: string): number => text.replace(/\u001b\[\d+m/g, '').length;
