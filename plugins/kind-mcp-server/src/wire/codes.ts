/** Error codes of 2026-07-28 that say something about this hop or about the era itself. */
import { isObj, type Outcome, type RpcError } from '@coffer/kernel';
import { MODERN } from './envelope.js';

export const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;
/** The client sent nothing that could cause these. */
const OUR_HOP = new Set([HEADER_MISMATCH, UNSUPPORTED_VERSION]);

/** An outcome as it may go on to the client. */
export function crossing(server: string, o: Outcome): Outcome {
  if (o.kind !== 'error' || !OUR_HOP.has(o.error.code)) return o;
  const { code, message } = o.error;
  return {
    kind: 'error',
    error: { code: -32603, message: `${server} did not accept how Coffer put the request`, data: { code, message } },
  };
}

/** Errors that a server of this era gives to what is well-formed are its own to explain; these may mean that it is none. */
export function isStrange(code: number): boolean {
  return code === -32601 || code === -32600 || code === UNSUPPORTED_VERSION || (code <= -32000 && code > -32020);
}

/** Unsupported version, says the error, and names this one as supported. */
export function offersOurs({ code, data }: RpcError): boolean {
  const supported: unknown = isObj(data) ? data.supported : undefined;
  return code === UNSUPPORTED_VERSION && Array.isArray(supported) && supported.includes(MODERN);
}
