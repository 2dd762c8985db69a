import { markOf } from '../edit/splice.js';

/** What may stand beside a change on its line and be shown with it. Anything else is somebody's own, and perhaps a secret. */
const PLAIN = /^[\s{}[\],]*$/;

/** What changed from one text to the other, as lines `- old` and `+ new`: one run of them, since changes here are in one place. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const { removed, inserted } = markOf(before, after);
  let head = 0;
  while (before[head] === after[head] && head < before.length - removed.length) head++;
  const start = before.lastIndexOf('\n', head - 1) + 1;
  const rest = before.slice(head + removed.length);
  const end = rest.indexOf('\n');
  const left = before.slice(start, head);
  const right = end < 0 ? rest : rest.slice(0, end);
  const whole = PLAIN.test(left) && PLAIN.test(right);
  const shown = (piece: string): string => (whole ? left + piece + right : piece);
  const lines = (sign: string, text: string): string[] =>
    text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [`${sign} ${line}`]));
  return [...lines('-', shown(removed)), ...lines('+', shown(inserted))].join('\n');
}
