import { isUtf8 } from 'node:buffer';
import { isObj, Payload, type Obj } from '@coffer/kernel';
import { splice } from './splice.js';

/** Below this a result is parsed once, so that broken JSON is found here and not by the client. */
export const LOOK_BELOW = 64 * 1024;

/** What one text from a server turned out to be. */
export type Incoming =
  | { kind: 'result'; id: number; result: Payload }
  | { kind: 'message'; message: Obj }
  | { kind: 'batch'; messages: readonly unknown[] }
  | { kind: 'noise' };

/** Reads one JSON text. A plain response stays bytes; anything else is parsed once. */
export function readMessage(chunks: readonly Buffer[]): Incoming {
  const found = splice(chunks);
  if (found !== undefined) {
    const result = asPayload(found.chunks);
    if (result !== undefined) return { kind: 'result', id: found.id, result };
  }
  let value: unknown;
  try {
    value = JSON.parse(text(chunks));
  } catch {
    return { kind: 'noise' };
  }
  if (Array.isArray(value)) return value.some(isRpc) ? { kind: 'batch', messages: value } : { kind: 'noise' };
  return isRpc(value) ? { kind: 'message', message: value } : { kind: 'noise' };
}

/** Undefined: the pieces were not one object after all, the whole message has to be parsed. */
function asPayload(chunks: Buffer[]): Payload | undefined {
  let size = 0;
  for (const c of chunks) size += c.length;
  if (size >= LOOK_BELOW) return Payload.raw(chunks);
  const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks); // one chunk by the test before
  try {
    const value = JSON.parse(whole.toString('utf8')) as Obj; // splice saw its braces
    return isUtf8(whole) ? Payload.both(value, [whole]) : Payload.of(value);
  } catch {
    return undefined;
  }
}

export function text(chunks: readonly Buffer[]): string {
  return (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8'); // one chunk by the test before
}

function isRpc(v: unknown): v is Obj {
  return isObj(v) && v.jsonrpc === '2.0' && (typeof v.method === 'string' || 'id' in v);
}
