import type { Obj } from '../../json.js';

export type RpcId = string | number;

/** An error answer of JSON-RPC: thrown by a fixture's handler to send one, and by the raw client when it receives one. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RpcFailure';
  }
}

/** The `error` member for whatever a handler threw. */
export function errorMember(e: unknown): Obj {
  if (e instanceof RpcFailure) {
    return { code: e.code, message: e.message, ...(e.data === undefined ? {} : { data: e.data }) };
  }
  return { code: -32603, message: e instanceof Error ? e.message : String(e) };
}

/** Splits a byte stream into lines without caring where chunks end. The last line without an end is kept back. */
export function lineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let i = chunk.indexOf(10); i >= 0; i = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, i));
      const line = Buffer.concat(parts).toString('utf8').trim();
      parts = [];
      from = i + 1;
      if (line) onLine(line);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  };
}
