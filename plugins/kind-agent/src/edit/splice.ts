/** Changes of a text as splices, and how to take one back exactly although the text went on changing around it. */

export interface Splice {
  /** Offsets in UTF-16 units of the text before any splice. */
  start: number;
  end: number;
  text: string;
}

export function applySplices(text: string, splices: readonly Splice[]): string {
  let out = text;
  for (const s of [...splices].sort((a, b) => b.start - a.start))
    out = out.slice(0, s.start) + s.text + out.slice(s.end);
  return out;
}

/** What one change put in and took out, as one piece. */
export interface Mark {
  inserted: string;
  removed: string;
}

/** The smallest piece in which two texts differ. */
export function markOf(before: string, after: string): Mark {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { inserted: after.slice(head, after.length - tail), removed: before.slice(head, before.length - tail) };
}

/** The text as if the change had not been made; undefined when what was put in is not there any more as it was, or is there twice. */
export function revert(text: string, { inserted, removed }: Mark): string | undefined {
  if (inserted === '') return undefined;
  const at = text.indexOf(inserted);
  if (at < 0 || text.indexOf(inserted, at + 1) >= 0) return undefined;
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}
