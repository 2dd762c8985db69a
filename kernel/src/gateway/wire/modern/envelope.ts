/**
 * What a request of the newer era (2026-07-28) says of itself: the envelope in `_meta`, and over HTTP the headers that must agree
 * with it. Pure checks, made before anything else happens.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isObj, type Obj } from '../../../json.js';
import { LOG_LEVELS, type LogLevel, type RpcError } from '../../seam.js';
import { VERSIONS } from '../versions.js';
import { decodeHeader, type ParamHeader } from './headers.js';

export const KEY = 'io.modelcontextprotocol/';
export const MODERN = '2026-07-28';

/** Numbers that the newer era gave these faults. */
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

export interface Envelope {
  readonly capabilities: Obj;
  readonly info: Obj | undefined;
  readonly log: LogLevel | undefined;
  readonly progressToken: string | number | undefined;
  /** It knows the extension for tasks. */
  readonly tasks: 'offered' | undefined;
}

export type Checked = { envelope: Envelope } | { error: RpcError; status: number };

/** Answered only to a client that can: the capabilities of a result, and what a listener may ask for. */
export const CACHED = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
/** Requests about a task, which only a client may make that declares the extension. */
const ABOUT_TASKS = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);
export const METHODS = new Set([
  ...CACHED,
  ...ABOUT_TASKS,
  'tools/call',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
]);
const TASKS = `${KEY}tasks`;

/** Does this message belong to the newer era? The envelope decides; without one a header or a method may still claim it. */
export function claimsModern(method: string, params: Obj, headers: IncomingHttpHeaders): boolean {
  if (isObj(params['_meta']) && params['_meta'][`${KEY}protocolVersion`] !== undefined) return true;
  if (method === 'initialize') return false;
  if (method === 'server/discover' || method === 'subscriptions/listen' || headers['mcp-method'] !== undefined)
    return true;
  const version = headers['mcp-protocol-version'];
  return typeof version === 'string' && version >= MODERN;
}

/** What the name header must repeat, for the methods that have one. */
export function nameOf(method: string, params: Obj): unknown {
  if (method === 'tools/call' || method === 'prompts/get') return params['name'];
  if (ABOUT_TASKS.has(method)) return params['taskId'];
  return method === 'resources/read' ? params['uri'] : undefined;
}

export function checkEnvelope(method: string, params: Obj, headers: IncomingHttpHeaders): Checked {
  const bad = (code: number, message: string, data?: Obj, status = 400): Checked => ({
    error: { code, message, ...(data === undefined ? {} : { data }) },
    status,
  });
  const meta = isObj(params['_meta']) ? params['_meta'] : {};
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const version: unknown = meta[`${KEY}protocolVersion`];
  const told = header('mcp-protocol-version');
  if (told === undefined || (version !== undefined && told !== version)) {
    return bad(HEADER_MISMATCH, 'Header mismatch: MCP-Protocol-Version must repeat the version of the envelope');
  }
  if (header('mcp-method') !== method) {
    return bad(HEADER_MISMATCH, 'Header mismatch: Mcp-Method must repeat the method');
  }
  const name = nameOf(method, params);
  const namedAs = header('mcp-name');
  if (name !== undefined && (namedAs === undefined || decodeHeader(namedAs) !== name)) {
    return bad(HEADER_MISMATCH, 'Header mismatch: Mcp-Name must repeat the name or uri');
  }
  const capabilities: unknown = meta[`${KEY}clientCapabilities`];
  if (typeof version !== 'string' || !isObj(capabilities)) {
    return bad(-32602, `Invalid params: _meta needs ${KEY}protocolVersion and ${KEY}clientCapabilities`);
  }
  if (version !== MODERN) {
    const data = { supported: [MODERN, ...VERSIONS], requested: version };
    return bad(UNSUPPORTED_VERSION, 'Unsupported protocol version', data);
  }
  if (!METHODS.has(method)) return bad(-32601, `Method not found: ${method}`, undefined, 404);
  const tasks = isObj(capabilities['extensions']) && TASKS in capabilities['extensions'];
  if (!tasks && (ABOUT_TASKS.has(method) || asksForTasks(method, params)))
    return bad(MISSING_CAPABILITY, `Missing required client capability: the extension ${TASKS}`, {
      requiredCapabilities: { extensions: { [TASKS]: {} } },
    });
  const level: unknown = meta[`${KEY}logLevel`];
  const log = LOG_LEVELS.find((l) => l === level);
  if (level !== undefined && log === undefined) return bad(-32602, 'Invalid params: logLevel is no log level');
  const info: unknown = meta[`${KEY}clientInfo`];
  const token: unknown = meta['progressToken'];
  // A client cannot tell of changed roots in this era, so nobody upstream may count on it.
  const roots = capabilities['roots'] === undefined ? {} : { roots: {} };
  return {
    envelope: {
      capabilities: { ...capabilities, ...roots },
      info: isObj(info) ? info : undefined,
      log,
      progressToken: typeof token === 'string' || typeof token === 'number' ? token : undefined,
      tasks: tasks ? 'offered' : undefined,
    },
  };
}

/** Does it want to be told of tasks? */
function asksForTasks(method: string, params: Obj): boolean {
  const asked: unknown = params['notifications'];
  return method === 'subscriptions/listen' && isObj(asked) && asked['taskIds'] !== undefined;
}

/** The headers that a tool's schema asks for must repeat the arguments they stand for. */
export function checkParamHeaders(
  args: unknown,
  wanted: readonly ParamHeader[],
  headers: IncomingHttpHeaders,
): RpcError | undefined {
  for (const { path, header } of wanted) {
    const value = path.reduce<unknown>((o, k) => (isObj(o) ? o[k] : undefined), args);
    const given = headers[`mcp-param-${header.toLowerCase()}`];
    const decoded = typeof given === 'string' ? decodeHeader(given) : undefined;
    const same =
      value === undefined || value === null
        ? given === undefined
        : decoded !== undefined && (typeof value === 'number' ? Number(decoded) === value : decoded === String(value));
    if (!same) return { code: HEADER_MISMATCH, message: `Header mismatch: Mcp-Param-${header}` };
  }
  return undefined;
}
