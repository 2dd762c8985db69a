import { isObj, type Obj } from './message.js';

/** Above this a message of the daemon is judged by its first bytes only: parsing megabytes would delay every other call. */
const PARSE_LIMIT = 64 * 1024;
const HEAD = 256;

/** What the shim must know of a message that comes from the daemon. */
export interface Incoming {
  kind: 'request' | 'notification' | 'answer' | 'noise';
  id?: unknown;
  /** The message itself, when it was small enough to be parsed. */
  message?: Obj;
}

/** Tells an answer from a question and a notification. `noise` is no JSON-RPC and must not reach stdout. */
export function describe(data: Buffer): Incoming {
  if (data.length > PARSE_LIMIT) return describeHead(data.toString('utf8', 0, HEAD));
  let message: unknown;
  try {
    message = JSON.parse(data.toString('utf8'));
  } catch {
    return { kind: 'noise' };
  }
  if (Array.isArray(message)) return { kind: message.length > 0 && message.every(isObj) ? 'answer' : 'noise' };
  if (!isObj(message)) return { kind: 'noise' };
  if (typeof message.method === 'string') {
    return 'id' in message ? { kind: 'request', id: message.id, message } : { kind: 'notification', message };
  }
  return 'result' in message || 'error' in message ? { kind: 'answer', id: message.id, message } : { kind: 'noise' };
}

function describeHead(head: string): Incoming {
  if (!/^\s*[{[]/.test(head)) return { kind: 'noise' };
  const method = head.search(/"method"\s*:/);
  const outcome = head.search(/"(?:result|error)"\s*:/);
  if (method < 0 || (outcome >= 0 && outcome < method)) return { kind: 'answer' };
  const id = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(head)?.[1];
  return id === undefined ? { kind: 'notification' } : { kind: 'request', id: JSON.parse(id) as unknown };
}
