import { isCofferError } from '@coffer/kernel';

/** What an address answers to a POST in a way of MCP that it does not know. */
export const ELSEWHERE = new Set([400, 404, 405]);

/** A failed handshake of the older era: the server answered, but not as one of that era. */
export function isRefusal(e: unknown): boolean {
  if (!isCofferError(e)) return false;
  const { rpc_code, unsupported_version, status } = e.details;
  return rpc_code !== undefined || unsupported_version !== undefined || ELSEWHERE.has(status as number); // any other type is in no set
}
