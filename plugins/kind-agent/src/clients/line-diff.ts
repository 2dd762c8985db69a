import { markOf } from '../edit/splice.js';

/** A longer line holds more than the change, and perhaps a secret. */
const MOST = 200;

/** The lines in which two texts differ, as `- old` and `+ new`: one run of them, since changes here are in one place. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const { removed, inserted } = markOf(before, after);
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  const long = [...gone, ...come].some((l) => l.length > MOST);
  const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'));
  const [minus, plus] = long ? [lines(removed), lines(inserted)] : [gone, come];
  return [...minus.map((l) => `- ${l}`), ...plus.map((l) => `+ ${l}`)].join('\n');
}
