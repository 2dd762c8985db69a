/** Error numbers of the older era (2024-11-05 to 2025-11-25). Inside, faults have names; the edge gives the number. */
import type { Fault, FaultName, Outcome, RpcError } from '../seam.js';

const NUMBERS: Readonly<Record<FaultName, number>> = {
  DISABLED: -32000,
  UNKNOWN_TOOL: -32602,
  UNKNOWN_PROMPT: -32602,
  UNKNOWN_RESOURCE: -32002,
  INVALID_PARAMS: -32602,
  METHOD_NOT_FOUND: -32601,
  TIMEOUT: -32001,
  UNAVAILABLE: -32010,
  CANCELLED: -32800,
  INTERNAL: -32603,
};

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** What the SDK answers for a session that is gone, with HTTP 404. */
export const SESSION_NOT_FOUND = -32001;

export function numbered(f: Fault): RpcError {
  return { code: NUMBERS[f.name], message: f.message, ...(f.data === undefined ? {} : { data: f.data }) };
}

export function errorOf(o: Exclude<Outcome, { kind: 'result' | 'task' }>): RpcError {
  if (o.kind === 'error') return o.error;
  if (o.kind === 'fault') return numbered(o.fault);
  return { code: INTERNAL_ERROR, message: 'The server asked for input in a way this client does not know' };
}
