/** A JSON object. */
export type Obj = Record<string, unknown>;
export const isObj = (value: unknown): value is Obj =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ENVELOPE_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** What a line of the client is. `other` is JSON that is no JSON-RPC message; the daemon says what is wrong with it. */
export type Kind = 'request' | 'notification' | 'answer' | 'batch' | 'other';

/** One line of the client, parsed once to learn what the road needs; `bytes` go to the daemon as they came. */
export interface Line {
  bytes: Buffer;
  kind: Kind;
  method?: string;
  id?: unknown;
  params?: Obj;
  /** The protocol version of the message's own envelope: set only in the sessionless era (2026-07-28 on). */
  envelope?: string;
  /** Members of a batch. */
  members?: Line[];
}

/** Reads a line. Throws SyntaxError when it is no JSON. */
export function readLine(bytes: Buffer): Line {
  return classify(JSON.parse(bytes.toString('utf8')), bytes);
}

function classify(value: unknown, bytes: Buffer): Line {
  if (Array.isArray(value)) return { bytes, kind: 'batch', members: value.map((member) => classify(member, bytes)) };
  if (!isObj(value)) return { bytes, kind: 'other' };
  const line: Line = { bytes, kind: 'other' };
  if ('id' in value) line.id = value.id;
  if (isObj(value.params)) line.params = value.params;
  if (typeof value.method === 'string') {
    line.method = value.method;
    line.kind = 'id' in value ? 'request' : 'notification';
    const meta = line.params?._meta;
    if (isObj(meta) && meta[ENVELOPE_VERSION] !== undefined) line.envelope = String(meta[ENVELOPE_VERSION]);
  } else if ('id' in value && ('result' in value || 'error' in value)) line.kind = 'answer';
  return line;
}

/** The key of a JSON-RPC id: 1 and "1" are two. */
export const idKey = (id: unknown): string => JSON.stringify(id) ?? 'none';

/** A message of the daemon; nothing when it is no JSON object. */
export function parseMessage(data: Buffer): Obj | undefined {
  try {
    const value: unknown = JSON.parse(data.toString('utf8'));
    return isObj(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const REPEATABLE = new Set([
  'initialize',
  'ping',
  'server/discover',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** Whether doing it twice does no harm, so that it may be sent again even if the first sending may have been carried out. */
export function isRepeatable(line: Line): boolean {
  if (line.kind === 'batch')
    return (line.members ?? []).every((member) => member.kind === 'notification' || isRepeatable(member));
  return (
    line.kind === 'request' &&
    line.method !== undefined &&
    (REPEATABLE.has(line.method) || line.method.endsWith('/list'))
  );
}

/** Whether a line needs the session, and so must wait until it stands. */
export const isBound = (line: Line): boolean =>
  line.envelope === undefined && line.method !== 'ping' && line.method !== 'server/discover';

/** Whether a line opens a session. */
export const isOpening = (line: Line): boolean =>
  line.kind === 'request' && line.method === 'initialize' && line.envelope === undefined;

const errorOf = (id: unknown, code: number, message: string): Obj => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message },
});

/** A JSON-RPC error line. */
export const errorLine = (id: unknown, code: number, message: string): Buffer =>
  Buffer.from(JSON.stringify(errorOf(id, code, message)));

/** The error that answers a line, or nothing when the line awaits no answer. */
export function failure(line: Line, code: number, message: string): Buffer | undefined {
  if (line.kind === 'request') return errorLine(line.id, code, message);
  if (line.kind === 'other') return errorLine(null, code, message);
  const asked = (line.members ?? []).filter((member) => member.kind === 'request');
  return asked.length > 0
    ? Buffer.from(JSON.stringify(asked.map((member) => errorOf(member.id, code, message))))
    : undefined;
}

/** Whether the line awaits an answer on stdout. */
export const awaitsAnswer = (line: Line): boolean => failure(line, 0, '') !== undefined;
