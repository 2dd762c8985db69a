/**
 * What a result of the newer era says of itself is between its server and Coffer: its type, how long it keeps, who made it. It
 * is taken off here, from the bytes where they have one of the shapes that servers write, so that a big result is not parsed.
 */
import { isObj, Payload, type Hints, type Obj, type Outcome } from '@coffer/kernel';
import { cut, edge } from './bytes.js';
import { META } from './envelope.js';
import { LOOK_BELOW } from './message.js';
import { isTask } from './open-tasks.js';

const HEAD = Buffer.from('{"resultType":"complete",');
const TAIL = Buffer.from(',"resultType":');
const TAIL_ROOM = 4096;
const OURS = new Set(['resultType', 'ttlMs', 'cacheScope', '_meta']);
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);
const SERVER_INFO = `${META}serverInfo`;

/** A result that came as bytes, as the gateway has it. */
export function ofBytes(server: string, method: string, payload: Payload): Outcome {
  const keeps = method === 'resources/read';
  const peeled = peel(payload.chunks as readonly Buffer[], keeps); // readMessage makes payloads of buffers
  if (peeled !== undefined && !saysMore(peeled, keeps)) {
    const { chunks, hints } = peeled;
    const result =
      payload.size < LOOK_BELOW ? Payload.both(without(payload.value, keeps), chunks) : Payload.raw(chunks);
    return { kind: 'result', result, ...(hints && { hints }) };
  }
  return ofValue(server, method, payload);
}

/** A result whose value is known, or has to be. */
export function ofValue(server: string, method: string, payload: Payload): Outcome {
  const keeps = method === 'resources/read';
  const value = payload.value;
  const type: unknown = value.resultType ?? 'complete';
  const wrong = (message: string): Outcome => ({
    kind: 'error',
    error: { code: -32603, message: `${server} ${message}` },
  });
  if (type === 'complete') {
    const rest = without(value, keeps);
    const hints = keeps ? hintsOf(value) : undefined;
    const result = sameKeys(rest, value) ? payload : Payload.of(rest);
    return { kind: 'result', result, ...(hints && { hints }) };
  }
  if (type === 'task') {
    const { _meta, ...task } = without(value, false);
    if (!isTask(task)) return wrong('began a task and did not name it');
    return { kind: 'task', task, ...(_meta !== undefined && { more: { _meta } }) };
  }
  if (type !== 'input_required') return wrong('answered with a result of a type that Coffer does not know');
  if (!MAY_ASK.has(method)) return wrong(`asked for input in answer to ${method}, where it may not`);
  const { inputRequests, requestState, ...more } = without(value, true);
  const requests: unknown = inputRequests;
  const state: unknown = requestState;
  if (requests !== undefined && !(isObj(requests) && Object.values(requests).every(isAsk)))
    return wrong('asked for input in a form that is not MCP');
  if (state !== undefined && typeof state !== 'string') return wrong('gave a requestState that is no text');
  if (requests === undefined && state === undefined)
    return wrong('asked for input without a question and without a state');
  return {
    kind: 'input',
    ...(requests !== undefined && { requests: requests }), // looked at above
    ...(state !== undefined && { state }),
    more,
  };
}

function isAsk(v: unknown): boolean {
  return isObj(v) && typeof v.method === 'string' && (v.params === undefined || isObj(v.params));
}

interface Peeled {
  chunks: Buffer[];
  hints: Hints | undefined;
  /** What was taken off. */
  said: Obj;
}

/** May there be more to take off elsewhere in the text? */
function saysMore({ chunks, said }: Peeled, keeps: boolean): boolean {
  const rest = Payload.raw(chunks);
  if (rest.mayHold('"resultType"') || (!('_meta' in said) && rest.mayHold(SERVER_INFO))) return true;
  return keeps && ['ttlMs', 'cacheScope'].some((key) => !(key in said) && rest.mayHold(`"${key}"`));
}

/**
 * The text without what stands at its start or end. At the end: when `{` and the text from a comma on make an object, then the
 * comma is one of the outermost object, since the braces after it balance.
 */
function peel(chunks: readonly Buffer[], keeps: boolean): Peeled | undefined {
  const head = edge(chunks, HEAD.length, false);
  if (head !== undefined && head.length >= HEAD.length && head.compare(HEAD, 0, HEAD.length, 0, HEAD.length) === 0)
    return { chunks: [Buffer.from('{'), ...cut(chunks, HEAD.length, 0)], hints: undefined, said: {} };
  const tail = edge(chunks, TAIL_ROOM, true);
  const at = tail?.lastIndexOf(TAIL) ?? -1;
  if (tail === undefined || at < 0) return undefined;
  let said: Obj;
  try {
    said = JSON.parse(`{${tail.toString('utf8', at + 1)}`) as Obj; // it ends with a brace or does not parse
  } catch {
    return undefined;
  }
  if (said.resultType !== 'complete' || !Object.keys(said).every((key) => OURS.has(key))) return undefined;
  const left = JSON.stringify(without(said, keeps));
  const rest = Buffer.from(left === '{}' ? '}' : `,${left.slice(1)}`);
  return {
    chunks: [...cut(chunks, 0, tail.length - at), rest],
    hints: keeps ? hintsOf(said) : undefined,
    said,
  };
}

function without(value: Obj, keeps: boolean): Obj {
  const { resultType: _, ...rest } = value;
  if (keeps) {
    delete rest.ttlMs;
    delete rest.cacheScope;
  }
  if (isObj(rest._meta) && SERVER_INFO in rest._meta) {
    const { [SERVER_INFO]: __, ...meta } = rest._meta;
    if (Object.keys(meta).length > 0) rest._meta = meta;
    else delete rest._meta;
  }
  return rest;
}

function sameKeys(rest: Obj, value: Obj): boolean {
  return Object.keys(rest).length === Object.keys(value).length && rest._meta === value._meta;
}

function hintsOf(value: Obj): Hints | undefined {
  const { ttlMs, cacheScope } = value as { ttlMs: unknown; cacheScope: unknown };
  const hints: Hints = {
    ...(typeof ttlMs === 'number' && ttlMs >= 0 && { ttlMs }),
    ...((cacheScope === 'public' || cacheScope === 'private') && { cacheScope }),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}
