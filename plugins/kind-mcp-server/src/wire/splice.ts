/**
 * Recognises a plain response by its head and tail, so that a result passes on as the bytes it came in. Both orders of keys
 * that servers write are known; everything else is left to JSON.parse.
 */
import { cut, edge } from './bytes.js';

const ID_FIRST = Buffer.from('{"jsonrpc":"2.0","id":');
const RESULT_NEXT = Buffer.from(',"result":{');
const RESULT_FIRST = Buffer.from('{"result":{');
const TAIL = Buffer.from('},"jsonrpc":"2.0","id":');
/** Longest id written by us, with the brace that follows it. */
const ID_ROOM = 18;
const BRACE = 0x7d;

export interface Spliced {
  id: number;
  /** The text of the result object. */
  chunks: Buffer[];
}

/** The pieces of a response line, or undefined when it has another shape. Copies nothing but short heads and tails. */
export function splice(chunks: readonly Buffer[]): Spliced | undefined {
  const head = edge(chunks, ID_FIRST.length + ID_ROOM + RESULT_NEXT.length, false);
  if (head === undefined) return undefined;
  if (starts(head, ID_FIRST)) return idFirst(chunks, head);
  if (starts(head, RESULT_FIRST)) return resultFirst(chunks);
  return undefined;
}

function idFirst(chunks: readonly Buffer[], head: Buffer): Spliced | undefined {
  const at = ID_FIRST.length;
  const end = digits(head, at);
  if (end === at || head.length < end + RESULT_NEXT.length) return undefined;
  if (head.compare(RESULT_NEXT, 0, RESULT_NEXT.length, end, end + RESULT_NEXT.length) !== 0) return undefined;
  const tail = edge(chunks, 2, true);
  // `{}}`: the result's own brace and the message's.
  if (tail === undefined || tail.length < 2 || tail[tail.length - 1] !== BRACE || tail[tail.length - 2] !== BRACE)
    return undefined;
  const id = number(head, at, end);
  return id === undefined ? undefined : { id, chunks: cut(chunks, end + RESULT_NEXT.length - 1, 1) };
}

function resultFirst(chunks: readonly Buffer[]): Spliced | undefined {
  const tail = edge(chunks, TAIL.length + ID_ROOM, true);
  if (tail === undefined || tail[tail.length - 1] !== BRACE) return undefined;
  const at = tail.lastIndexOf(TAIL);
  if (at < 0) return undefined;
  const from = at + TAIL.length;
  const end = digits(tail, from);
  if (end === from || end !== tail.length - 1) return undefined;
  const id = number(tail, from, end);
  return id === undefined ? undefined : { id, chunks: cut(chunks, RESULT_FIRST.length - 1, tail.length - at - 1) };
}

function starts(text: Buffer, with_: Buffer): boolean {
  return text.length >= with_.length && text.compare(with_, 0, with_.length, 0, with_.length) === 0;
}

function digits(text: Buffer, from: number): number {
  let i = from;
  for (let d = text[i]; d !== undefined && d >= 48 && d <= 57; d = text[i]) i++;
  return i;
}

/** Undefined for a spelling of a number that is not ours (`01`, or beyond what we count to). */
function number(text: Buffer, from: number, to: number): number | undefined {
  if (to - from > 15 || (to - from > 1 && text[from] === 48)) return undefined;
  let n = 0;
  for (let i = from; i < to; i++) n = n * 10 + ((text[i] as number) - 48); // within bounds by the caller
  return n;
}
