import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Options } from './args.js';
import type { Line } from './message.js';

/** Who this process is, on every request. The id is this process's own, so that one shim is one client. */
export function identity(options: Options): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'X-Coffer-Client': randomUUID(), 'X-Coffer-Cwd': encodeURIComponent(cwd()) };
  if (options.agent) headers['X-Coffer-Agent'] = encodeURIComponent(options.agent);
  if (options.lean) headers['X-Coffer-Lean'] = '1';
  return headers;
}

/** The launch folder; empty when it has been deleted under the process. */
export function cwd(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

/** The headers of the sessionless era, copied from the message itself. */
export function envelopeHeaders(line: Line): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'Mcp-Protocol-Version': encode(line.envelope ?? '') };
  if (line.method !== undefined) headers['Mcp-Method'] = encode(line.method);
  const name = line.params?.name ?? (line.method === 'resources/read' ? line.params?.uri : undefined);
  if (typeof name === 'string' && line.method !== 'completion/complete') headers['Mcp-Name'] = encode(name);
  return headers;
}

/** A value that a header cannot carry as it is goes as `=?base64?…?=` (SEP-2243). */
function encode(value: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
