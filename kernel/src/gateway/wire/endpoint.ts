/** `/mcp`: reads a message, says which era it is of, and hands it to that era's edge. Today one era is spoken: the older one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CofferError, isCofferError } from '../../errors.js';
import { refuse } from '../../http/server.js';
import { readBody } from '../../http/body.js';
import { isObj, type Obj } from '../../json.js';
import type { Clock, Logger } from '../../plugin/contract.js';
import { Payload } from '../payload.js';
import type { Core, Peer } from '../seam.js';
import { LegacySession, type Id } from './legacy.js';
import { BATCH_VERSION, VERSIONS } from './versions.js';
import { createLeashes } from './leash.js';
import { INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, SESSION_NOT_FOUND } from './numbers.js';
import { PartReply, Reply } from './reply.js';

/** Bytes of one message from a client. */
export const MESSAGE_LIMIT = 64 * 1_048_576;
const MODERN_KEY = 'io.modelcontextprotocol/protocolVersion';
const MODERN_FROM = '2026';

export interface Endpoint {
  handle(req: IncomingMessage, res: ServerResponse): void;
  readonly sessions: ReadonlyMap<string, LegacySession>;
  close(): Promise<void>;
}

interface Options {
  core: Core;
  clock: Clock;
  log: Logger;
  idleMs: number;
  reaperMs: number;
}

export function createEndpoint({ core, clock, log, idleMs, reaperMs }: Options): Endpoint {
  const sessions = new Map<string, LegacySession>();
  const end = (s: LegacySession, why: string): Promise<void> => {
    sessions.delete(s.id);
    return s
      .end(why)
      .catch((e: unknown) => log.error('a session did not end cleanly', { session: s.id, error: String(e) }));
  };
  const leashes = createLeashes(clock, (client) => {
    for (const s of [...sessions.values()]) if (s.owner === client) void end(s, 'The client has gone');
  });
  const reaper = clock.setInterval(() => {
    for (const s of [...sessions.values()]) {
      const held = s.owner !== undefined && leashes.held(s.owner);
      if (!s.busy && !held && clock.now() - s.lastUsed > idleMs) void end(s, 'The session was idle');
    }
  }, reaperMs);
  const ticker = clock.setInterval(() => {
    for (const s of sessions.values()) s.tick();
  }, 2500);

  /** One message that belongs to a session, or opens one. */
  const message = async (m: unknown, req: IncomingMessage, reply: Reply, res: ServerResponse): Promise<void> => {
    if (!isObj(m) || m['jsonrpc'] !== '2.0')
      return reply.error(null, { code: INVALID_REQUEST, message: 'Not a JSON-RPC 2.0 message' }, 400);
    const method: unknown = m['method'];
    const id: unknown = m['id'];
    const params = isObj(m['params']) ? m['params'] : {};
    // 1e999 is a number in JSON and cannot be said back.
    const known = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
    if (method !== undefined && typeof method !== 'string')
      return reply.error(known ? id : null, { code: INVALID_REQUEST, message: 'method must be text' }, 400);
    if (id !== undefined && !known && method !== undefined)
      return reply.error(null, { code: INVALID_REQUEST, message: 'id must be text or a number' }, 400);

    if (method !== undefined && modern(method, params, req)) {
      // The newer era is not spoken here: its clients fall back to initialize on this answer.
      if (known) return reply.error(id, { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` });
      return reply.nothing();
    }
    if (method === 'initialize' && known) return initialize(id, params, req, reply, res);

    const header = req.headers['mcp-session-id'];
    const session = typeof header === 'string' ? sessions.get(header) : undefined;
    if (session === undefined) {
      if (header !== undefined)
        return reply.error(
          known ? id : null,
          { code: SESSION_NOT_FOUND, message: 'Session not found: it ended or never was. Initialize again.' },
          404,
        );
      // A ping asks whether anybody is there at all; a shim's client may send one before initialize is answered.
      if (method === 'ping' && known) return reply.result(id, Payload.of({}));
      return reply.error(
        known ? id : null,
        {
          code: INVALID_REQUEST,
          message: 'Not initialized: send initialize first, then its Mcp-Session-Id with every request',
        },
        400,
      );
    }
    const version = req.headers['mcp-protocol-version'];
    if (typeof version === 'string' && !VERSIONS.some((v) => v === version)) {
      return reply.error(
        known ? id : null,
        { code: INVALID_REQUEST, message: `MCP-Protocol-Version must be one of ${VERSIONS.join(', ')}` },
        400,
      );
    }
    if (method === undefined) {
      if (id !== undefined) session.answer(id, m);
      return reply.nothing();
    }
    if (!known) {
      session.notification(method, params);
      return reply.nothing();
    }
    await session.request(id, method, params, reply);
  };

  const initialize = async (
    id: Id,
    params: Obj,
    req: IncomingMessage,
    reply: Reply,
    res: ServerResponse,
  ): Promise<void> => {
    const client = text(req.headers['x-coffer-client'], 128);
    const session = new LegacySession(
      core,
      optionsOf(params, req),
      params,
      client,
      (e) => log.error('a call failed inside', { stack: e instanceof Error ? e.stack : String(e) }),
      () => clock.now(),
    );
    sessions.set(session.id, session);
    res.setHeader('Mcp-Session-Id', session.id);
    await session.open(id, reply);
  };

  const post = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const streams = (req.headers.accept ?? '').includes('text/event-stream');
    let body: unknown;
    const bytes = await readBody(req, MESSAGE_LIMIT);
    try {
      body = JSON.parse(bytes.toString('utf8'));
    } catch {
      return new Reply(res, streams).error(
        null,
        { code: PARSE_ERROR, message: 'Parse error: the body is not JSON' },
        400,
      );
    }
    if (!Array.isArray(body)) return message(body, req, new Reply(res, streams), res);
    const header = req.headers['mcp-session-id'];
    const session = typeof header === 'string' ? sessions.get(header) : undefined;
    if (session?.version !== BATCH_VERSION || body.length === 0) {
      return new Reply(res, streams).error(
        null,
        { code: INVALID_REQUEST, message: `One message at a time: only protocol ${BATCH_VERSION} has batches` },
        400,
      );
    }
    const part = (m: unknown, reply: Reply): Promise<void> => {
      // The handshake opens a session of its own and says so in a header, which a batch has no room for (2025-03-26).
      if (isObj(m) && m['method'] === 'initialize') {
        reply.error(null, { code: INVALID_REQUEST, message: 'initialize must not be part of a batch' });
        return Promise.resolve();
      }
      return message(m, req, reply, res);
    };
    await batch(body, part, res);
  };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '').split('?', 1)[0];
    if (path === '/mcp/leash' && req.method === 'GET') {
      const client = text(req.headers['x-coffer-client'], 128);
      if (client === undefined)
        return new Reply(res, false).error(null, { code: INVALID_REQUEST, message: 'X-Coffer-Client is missing' }, 400);
      return leashes.hold(client, res);
    }
    if (path !== '/mcp') return void res.writeHead(404).end();
    if (req.method === 'POST') return post(req, res);
    if (req.method !== 'GET' && req.method !== 'DELETE')
      return void res.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    const header = req.headers['mcp-session-id'];
    if (typeof header !== 'string')
      return new Reply(res, false).error(null, { code: INVALID_REQUEST, message: 'Mcp-Session-Id is missing' }, 400);
    const session = sessions.get(header);
    if (session === undefined)
      return new Reply(res, false).error(null, { code: SESSION_NOT_FOUND, message: 'Session not found' }, 404);
    if (req.method === 'GET') return session.stream(res);
    await end(session, 'The client ended the session');
    res.writeHead(200).end();
  };

  return {
    sessions,
    handle(req, res) {
      handle(req, res).catch((e: unknown) => {
        if (isCofferError(e)) return refuse(req, res, e);
        log.error('an MCP request failed', {
          trace: String(res.getHeader('X-Coffer-Trace')),
          stack: e instanceof Error ? e.stack : String(e),
        });
        if (res.headersSent) return void res.destroy();
        refuse(
          req,
          res,
          new CofferError('INTERNAL_ERROR', 'Something failed inside Coffer. The daemon log has the trace.'),
        );
      });
    },
    async close() {
      reaper.clear();
      ticker.clear();
      leashes.close();
      await Promise.all([...sessions.values()].map((s) => end(s, 'Coffer is stopping')));
    },
  };
}

/** The envelope decides, also for initialize; without one, a header or the method may claim the newer era. */
function modern(method: string, params: Obj, req: IncomingMessage): boolean {
  if (isObj(params['_meta']) && params['_meta'][MODERN_KEY] !== undefined) return true;
  if (method === 'server/discover' || method === 'subscriptions/listen') return true;
  const version = req.headers['mcp-protocol-version'];
  return (
    method !== 'initialize' &&
    typeof version === 'string' &&
    version >= MODERN_FROM &&
    req.headers['mcp-method'] !== undefined
  );
}

/** Who speaks: from the headers of a shim or a configured client, or from the handshake (decision 31), which wins. */
function optionsOf(params: Obj, req: IncomingMessage): Omit<Peer, 'key' | 'info' | 'protocolVersion'> {
  const meta = isObj(params['_meta']) ? params['_meta'] : {};
  const agent = text(meta['coffer/agent'], 128) ?? decoded(req.headers['x-coffer-agent']);
  const cwd = text(meta['coffer/cwd'], 4096) ?? decoded(req.headers['x-coffer-cwd']);
  const profile = text(meta['coffer/profile'], 128);
  const lean = meta['coffer/lean'] === true || req.headers['x-coffer-lean'] === '1';
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(profile === undefined ? {} : { profile }),
    ...(lean ? { lean } : {}),
  };
}

function text(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
}

function decoded(header: string | string[] | undefined): string | undefined {
  try {
    return text(typeof header === 'string' ? decodeURIComponent(header) : undefined, 4096);
  } catch {
    return undefined;
  }
}

/** Each answer of a batch is an event of one stream, which ends with the last. */
async function batch(
  messages: readonly unknown[],
  one: (m: unknown, reply: Reply) => Promise<void>,
  res: ServerResponse,
): Promise<void> {
  await Promise.all(messages.map((m) => one(m, new PartReply(res))));
  if (res.headersSent) res.end();
  else res.writeHead(202).end();
}
