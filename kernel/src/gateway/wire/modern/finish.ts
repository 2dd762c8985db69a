/** What a result, an `input` outcome or an error looks like to a client of the newer era. */
import { isObj, type Obj } from '../../../json.js';
import { Payload } from '../../payload.js';
import type { Fault, FaultName, Hints, Outcome, RpcError } from '../../seam.js';
import { HEADER_MISMATCH, KEY, MISSING_CAPABILITY, UNSUPPORTED_VERSION } from './envelope.js';

/** Our own numbers lie outside what the specification reserves (-32000 to -32099). */
const NUMBERS: Readonly<Record<FaultName, number>> = {
  DISABLED: -33000,
  UNKNOWN_TOOL: -32602,
  UNKNOWN_PROMPT: -32602,
  UNKNOWN_RESOURCE: -32602,
  INVALID_PARAMS: -32602,
  METHOD_NOT_FOUND: -32601,
  TIMEOUT: -33001,
  UNAVAILABLE: -33010,
  CANCELLED: -32800,
  INTERNAL: -32603,
};

export interface Finisher {
  /** Adds what every complete result has; a result that needs nothing else taken out or changed stays bytes. */
  complete(payload: Payload, method: string, hints: Hints | undefined): Payload;
  input(outcome: Extract<Outcome, { kind: 'input' }>): Payload;
  task(outcome: Extract<Outcome, { kind: 'task' }>): Payload;
}

export function createFinisher(serverInfo: Obj): Finisher {
  const meta = { [`${KEY}serverInfo`]: serverInfo };
  const added = (hints: Hints | undefined): Obj => ({ resultType: 'complete', ...(hints ?? {}) });
  const plain = Buffer.from(JSON.stringify({ ...added(undefined), _meta: meta }).slice(1));
  const tails = new Map<string, Buffer>();
  const tail = (hints: Hints | undefined): Buffer => {
    if (hints === undefined) return plain;
    const text = JSON.stringify({ ...added(hints), _meta: meta }).slice(1);
    let known = tails.get(text);
    if (known === undefined) tails.set(text, (known = Buffer.from(text)));
    return known;
  };
  return {
    complete(payload, method, hints) {
      const bare = method === 'tools/call' && !has(payload, 'content');
      if (bare || OURS.some((key) => has(payload, key))) {
        const { value } = payload;
        const own = isObj(value['_meta']) ? value['_meta'] : {};
        return Payload.of({ ...(bare ? { content: [] } : {}), ...value, ...added(hints), _meta: { ...own, ...meta } });
      }
      const spliced = splice(payload, tail(hints));
      return spliced ?? Payload.of({ ...payload.value, ...added(hints), _meta: meta });
    },
    task({ task, more }) {
      const own: unknown = more?.['_meta'];
      return Payload.of({ ...more, ...task, resultType: 'task', _meta: { ...(isObj(own) ? own : {}), ...meta } });
    },
    input({ requests, state, more }) {
      // Questions by URL had an id in the older era; this one dropped it.
      const inputRequests = Object.fromEntries(
        Object.entries(requests ?? {}).map(([key, ask]) => {
          const { elicitationId: _dropped, ...params } = ask.params ?? {};
          return [key, { ...ask, ...(ask.params === undefined ? {} : { params }) }];
        }),
      );
      return Payload.of({
        ...more,
        resultType: 'input_required',
        ...(requests === undefined ? {} : { inputRequests }),
        ...(state === undefined ? {} : { requestState: state }),
        _meta: meta,
      });
    },
  };
}

/** Fields that are set here, and must not be there twice. */
const OURS = ['_meta', 'resultType', 'ttlMs'];

/** Has the object this field? Where only its bytes are known it may say yes too often. */
function has(payload: Payload, key: string): boolean {
  const { known } = payload;
  return known === undefined ? payload.mayHold(`"${key}"`) : key in known;
}

/** The object with more fields at its end, without a look inside; undefined where its end is not where it should be. */
function splice(payload: Payload, fields: Buffer): Payload | undefined {
  const chunks = payload.chunks;
  const last = chunks.at(-1);
  if (last === undefined || last.length === 0 || last[last.length - 1] !== 0x7d) return undefined;
  const empty = payload.size === 2;
  return Payload.raw([...chunks.slice(0, -1), last.subarray(0, -1), ...(empty ? [] : [COMMA]), fields]);
}
const COMMA = Buffer.from(',');

export function modernFault(f: Fault): RpcError {
  return { code: NUMBERS[f.name], message: f.message, ...(f.data === undefined ? {} : { data: f.data }) };
}

/**
 * An upstream's error: verbatim, but for numbers that mean something else here. Two old ones are forbidden in this era, and a
 * reserved one from an old server would tell the client that its connection is of the wrong era.
 */
export function modernError(e: RpcError): RpcError {
  if (e.code === -32002) return { ...e, code: -32602 };
  const ours = e.code === HEADER_MISMATCH || e.code === UNSUPPORTED_VERSION;
  const reserved = e.code <= -32020 && e.code >= -32099 && e.code !== MISSING_CAPABILITY;
  return ours || reserved ? { code: -32603, message: e.message, data: { code: e.code, data: e.data } } : e;
}
