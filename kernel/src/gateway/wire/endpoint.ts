/** `/mcp`: reads a message, sees which era it is of, and hands it to that era's edge. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CofferError, isCofferError } from '../../errors.js';
import { refuse } from '../../http/server.js';
import { readBody } from '../../http/body.js';
import { isObj, type Obj } from '../../json.js';
import type { Clock, Logger } from '../../plugin/contract.js';
import type { Core } from '../seam.js';
import type { LegacySession } from './legacy.js';
import { createLegacyEdge, readMessage } from './legacy-edge.js';
import { createLeashes } from './leash.js';
import { createModernEdge } from './modern/edge.js';
import { claimsModern } from './modern/envelope.js';
import { INVALID_REQUEST, PARSE_ERROR, SESSION_NOT_FOUND } from './numbers.js';
import { PartReply, Reply } from './reply.js';
import { BATCH_VERSION } from './versions.js';
import { clientOf, clientOfKey, keyOfClient } from './who.js';

/** Bytes of one message from a client. */
export const MESSAGE_LIMIT = 64 * 1_048_576;
/** How often long silent waits are looked for, in milliseconds. */
const TICK_MS = 2500;

export interface Endpoint {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Sessions of the older era. */
  readonly sessions: ReadonlyMap<string, LegacySession>;
  close(): Promise<void>;
}

interface Options {
  core: Core;
  clock: Clock;
  log: Logger;
  /** Name and version of the product, as results of the newer era bear it. */
  serverInfo: Obj;
  idleMs: number;
  reaperMs: number;
}

export function createEndpoint({ core, clock, log, serverInfo, idleMs, reaperMs }: Options): Endpoint {
  const legacy = createLegacyEdge(core, clock, log);
  const modern = createModernEdge({ core, clock, log, serverInfo });
  const leashes = createLeashes(clock, (client) => {
    legacy.gone(client);
    void modern.gone(keyOfClient(client));
  });
  const reaper = clock.setInterval(() => {
    legacy.reap(idleMs, (client) => leashes.held(client));
    modern.reap(idleMs, (key) => leashes.held(clientOfKey(key) ?? ''));
  }, reaperMs);
  const ticker = clock.setInterval(() => {
    legacy.tick();
    modern.tick();
  }, TICK_MS);

  const message = async (body: unknown, req: IncomingMessage, reply: Reply, res: ServerResponse): Promise<void> => {
    const m = readMessage(body, reply);
    if (m === undefined) return;
    if (m.method !== undefined && claimsModern(m.method, m.params, req.headers)) {
      return modern.handle(m.method, m, req, res);
    }
    return legacy.handle(m, req, reply, res);
  };

  const post = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const streams = (req.headers.accept ?? '').includes('text/event-stream');
    const answer = (code: number, text: string): void =>
      new Reply(res, streams).error(null, { code, message: text }, 400);
    const bytes = await readBody(req, MESSAGE_LIMIT);
    let body: unknown;
    try {
      body = JSON.parse(bytes.toString('utf8'));
    } catch {
      return answer(PARSE_ERROR, 'Parse error: the body is not JSON');
    }
    if (!Array.isArray(body)) return message(body, req, new Reply(res, streams), res);
    if (legacy.sessionOf(req)?.version !== BATCH_VERSION || body.length === 0) {
      return answer(INVALID_REQUEST, `One message at a time: only protocol ${BATCH_VERSION} has batches`);
    }
    const part = async (m: unknown): Promise<void> => {
      const reply = new PartReply(res);
      // The handshake opens a session of its own and says so in a header, which a batch has no room for (2025-03-26).
      if (isObj(m) && m['method'] === 'initialize') {
        return reply.error(null, { code: INVALID_REQUEST, message: 'initialize must not be part of a batch' });
      }
      const read = readMessage(m, reply);
      if (read !== undefined) await legacy.handle(read, req, reply, res);
    };
    // Each answer is an event of one stream, which ends with the last.
    await Promise.all(body.map(part));
    if (res.headersSent) res.end();
    else res.writeHead(202).end();
  };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '').split('?', 1)[0];
    const answer = (code: number, text: string, status: number): void =>
      new Reply(res, false).error(null, { code, message: text }, status);
    if (path === '/mcp/leash' && req.method === 'GET') {
      const client = clientOf(req);
      return client === undefined
        ? answer(INVALID_REQUEST, 'X-Coffer-Client is missing', 400)
        : leashes.hold(client, res);
    }
    if (path !== '/mcp') return void res.writeHead(404).end();
    if (req.method === 'POST') return post(req, res);
    if (req.method !== 'GET' && req.method !== 'DELETE')
      return void res.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    if (req.headers['mcp-session-id'] === undefined) return answer(INVALID_REQUEST, 'Mcp-Session-Id is missing', 400);
    const session = legacy.sessionOf(req);
    if (session === undefined) return answer(SESSION_NOT_FOUND, 'Session not found', 404);
    if (req.method === 'GET') return session.stream(res);
    await legacy.end(session, 'The client ended the session');
    res.writeHead(200).end();
  };

  return {
    sessions: legacy.sessions,
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
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}
