/** The part of a table that has no picture: which rows are shown, in which order, and which of them are drawn. */
export interface Column<R> {
  key: string;
  label: string;
  /** 1 always, 2 from 760 px, 3 from 1100 px. */
  priority?: 1 | 2 | 3;
  numeric?: boolean;
  /** Width class: `t` fits a switch or a button, `s` a word, `m` a sentence; absent: what is left. */
  width?: 't' | 's' | 'm';
  /** Enables sorting by it. */
  sort?: (row: R) => string | number;
  /** What the cell shows; text unless it is a template. */
  cell: (row: R) => unknown;
}
export interface Filter<R> {
  id: string;
  label: string;
  fits: (row: R) => boolean;
}
export interface Order {
  key: string;
  down: boolean;
}

/** Fewer rows than this are all drawn, so that the browser's own find works. */
export const VIRTUAL_FROM = 200;
/** Rows drawn beyond the visible ones, on each side. */
const OVERSCAN = 8;

/** Folds case and full-width forms; what people type finds what is written. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function arrange<R>(
  rows: readonly R[],
  find: string,
  text: (row: R) => string,
  filter: Filter<R> | undefined,
  sort: ((row: R) => string | number) | undefined,
  down: boolean,
): readonly R[] {
  const words = fold(find).split(/\s+/).filter(Boolean);
  let out = rows;
  if (filter !== undefined) out = out.filter((row) => filter.fits(row));
  if (words.length > 0) {
    out = out.filter((row) => {
      const folded = fold(text(row));
      return words.every((w) => folded.includes(w));
    });
  }
  if (sort === undefined) return out;
  const compare = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare;
  const keyed = out.map((row) => ({ row, key: sort(row) }));
  keyed.sort((a, b) => {
    const order =
      typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : compare(String(a.key), String(b.key));
    return down ? -order : order;
  });
  return keyed.map((k) => k.row);
}

/** First and one past the last row to draw. */
export function windowOf(total: number, scrollTop: number, height: number, rowHeight: number): [number, number] {
  if (total < VIRTUAL_FROM) return [0, total];
  const from = Math.max(0, Math.floor(scrollTop / rowHeight) - OVERSCAN);
  return [from, Math.min(total, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN)];
}

/**
 * How many rows can be drawn at most. Row `i` is drawn in place `i % ringOf(…)`: what leaves on one side is what comes in on the other,
 * so scrolling changes rows and builds none.
 */
export function ringOf(height: number, rowHeight: number): number {
  return Math.ceil(height / rowHeight) + 1 + 2 * OVERSCAN;
}
