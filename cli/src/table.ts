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
  const fitted = width === undefined ? rows : rows.map((r) => fit(r, rows, head, width));
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

function fit(
  row: readonly string[],
  rows: readonly (readonly string[])[],
  head: readonly string[],
  width: number,
): string[] {
  const before = head
    .slice(0, -1)
    .reduce((sum, h, i) => sum + 2 + Math.max(h.length, ...rows.map((r) => plainLength(r[i] ?? ''))), 0);
  const left = Math.max(12, width - before - 1);
  const last = row.at(-1) ?? '';
  return [...row.slice(0, -1), plainLength(last) > left ? `${last.slice(0, left - 1)}…` : last];
}

const plainLength = (text: string): number => text.replace(/\u001b\[\d+m/g, '').length;
