import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Options } from './args.js';
import { cwd } from './headers.js';
import { idKey, isObj, type Line, type Obj } from './message.js';

/**
 * The session of the client with the daemon (era of `initialize`), and all that is needed to open it again behind the
 * client's back: the opening, what was set in it, and which questions of the daemon are still open.
 */
export interface Session {
  /** The client's `initialize`, kept once it succeeded. */
  opening: Line | undefined;
  initialized: Line | undefined;
  level: Line | undefined;
  readonly subscriptions: Map<string, Line>;
  /** The `list_changed` notifications that the client was promised. */
  promised: string[];
  /** Keys and ids of the daemon's questions that the client has not answered. */
  readonly questions: Map<string, unknown>;
  /** Keys of questions whose session ended first: their answers have no receiver. */
  readonly orphans: Set<string>;
  id: string | undefined;
  version: string | undefined;
  /** The daemon does not know this session any more; the next line opens it again. */
  gone: boolean;
}

export const newSession = (): Session => ({
  opening: undefined,
  initialized: undefined,
  level: undefined,
  subscriptions: new Map(),
  promised: [],
  questions: new Map(),
  orphans: new Set(),
  id: undefined,
  version: undefined,
  gone: false,
});

/** The headers that bind a request to the session. */
export function sessionHeaders(session: Session): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  if (session.id !== undefined) headers['Mcp-Session-Id'] = session.id;
  if (session.version !== undefined) headers['MCP-Protocol-Version'] = session.version;
  return headers;
}

/** Writes what the daemon should know of this client into the `_meta` of an `initialize`. */
export function signOpening(line: Line, options: Options): Line {
  if (!line.params) return line;
  const meta: Obj = { ...(isObj(line.params._meta) ? line.params._meta : {}), 'coffer/cwd': cwd() };
  if (options.agent) meta['coffer/agent'] = options.agent;
  if (options.lean) meta['coffer/lean'] = true;
  const params = { ...line.params, _meta: meta };
  return {
    ...line,
    params,
    bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: line.id, method: line.method, params })),
  };
}

/** Takes over what an answer to `initialize` says. Returns whether a session stands. */
export function openSession(session: Session, answer: Obj | undefined, headers: IncomingHttpHeaders): boolean {
  const result = answer?.result;
  if (!isObj(result)) return false;
  const id = headers['mcp-session-id'];
  session.id = typeof id === 'string' ? id : undefined;
  session.version = typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined;
  session.gone = false;
  return true;
}

/** Remembers a successful opening by the client itself: a fresh session, in which nothing is set yet. */
export function rememberOpening(session: Session, line: Line, result: Obj): void {
  session.opening = line;
  session.initialized = undefined;
  session.level = undefined;
  session.subscriptions.clear();
  const capabilities = isObj(result.capabilities) ? result.capabilities : {};
  session.promised = ['tools', 'prompts', 'resources'].filter((kind) => {
    const capability = capabilities[kind];
    return isObj(capability) && capability.listChanged === true;
  });
}

/** Keeps what a successful request has set, to set it again in the next session. */
export function rememberSetting(session: Session, line: Line): void {
  const uri = typeof line.params?.uri === 'string' ? line.params.uri : undefined;
  if (line.method === 'logging/setLevel') session.level = line;
  else if (line.method === 'resources/subscribe' && uri !== undefined) session.subscriptions.set(uri, line);
  else if (line.method === 'resources/unsubscribe' && uri !== undefined) session.subscriptions.delete(uri);
}

/** The daemon has forgotten the session. Returns the ids of its open questions: nobody waits for their answers now. */
export function loseSession(session: Session): unknown[] {
  const open = [...session.questions.values()];
  for (const key of session.questions.keys()) session.orphans.add(key);
  session.questions.clear();
  session.id = undefined;
  session.version = undefined;
  session.gone = session.opening !== undefined;
  return open;
}

/** A question of the daemon passes down; its id may be one that an earlier session used. */
export function noteQuestion(session: Session, id: unknown): void {
  session.orphans.delete(idKey(id));
  session.questions.set(idKey(id), id);
}

/** An answer of the client passes up. Returns false when its question died with its session. */
export function noteAnswer(session: Session, id: unknown): boolean {
  session.questions.delete(idKey(id));
  return !session.orphans.delete(idKey(id));
}
