/** The downstream edge of the older era (2024-11-05 to 2025-11-25): its sessions, and what a message means to them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObj, type Obj } from '../../json.js';
import type { Clock, Logger } from '../../plugin/contract.js';
import { Payload } from '../payload.js';
import type { Core } from '../seam.js';
import { LegacySession, type Id } from './legacy.js';
import { INVALID_REQUEST, SESSION_NOT_FOUND } from './numbers.js';
import type { Reply } from './reply.js';
import { VERSIONS } from './versions.js';
import { clientOf, optionsOf } from './who.js';

/** A JSON-RPC message whose outer form was checked. */
export interface Message {
  /** Undefined: an answer to a question. */
  readonly method: string | undefined;
  /** Undefined: a notification. */
  readonly id: Id | undefined;
  readonly params: Obj;
  readonly whole: Obj;
}

export interface LegacyEdge {
  readonly sessions: ReadonlyMap<string, LegacySession>;
  /** The session a request names in its header. */
  sessionOf(req: IncomingMessage): LegacySession | undefined;
  /** A message that belongs to a session, or opens one. */
  handle(m: Message, req: IncomingMessage, reply: Reply, res: ServerResponse): Promise<void>;
  end(s: LegacySession, why: string): Promise<void>;
  /** The client is known to be gone. */
  gone(client: string): void;
  /** Ends sessions that have been idle; `held`: a shim holds its leash. */
  reap(idleMs: number, held: (client: string) => boolean): void;
  tick(): void;
  close(): Promise<void>;
}

export function createLegacyEdge(core: Core, clock: Clock, log: Logger): LegacyEdge {
  const sessions = new Map<string, LegacySession>();
  const failed = (e: unknown): void =>
    log.error('a call failed inside', { stack: e instanceof Error ? e.stack : String(e) });

  const initialize = async (
    m: Message,
    id: Id,
    req: IncomingMessage,
    reply: Reply,
    res: ServerResponse,
  ): Promise<void> => {
    const options = optionsOf(m.params, req);
    const session = new LegacySession(core, options, m.params, clientOf(req), failed, () => clock.now());
    sessions.set(session.id, session);
    res.setHeader('Mcp-Session-Id', session.id);
    await session.open(id, reply);
  };

  const edge: LegacyEdge = {
    sessions,
    sessionOf(req) {
      const header = req.headers['mcp-session-id'];
      return typeof header === 'string' ? sessions.get(header) : undefined;
    },
    async handle(m, req, reply, res) {
      const { method, id, params } = m;
      const refuse = (code: number, message: string, status = 400): void =>
        reply.error(id ?? null, { code, message }, status);
      if (method === 'initialize' && id !== undefined) return initialize(m, id, req, reply, res);
      const session = edge.sessionOf(req);
      if (session === undefined) {
        if (req.headers['mcp-session-id'] !== undefined)
          return refuse(SESSION_NOT_FOUND, 'Session not found: it ended or never was. Initialize again.', 404);
        // A ping asks whether anybody is there at all; a shim's client may send one before initialize is answered.
        if (method === 'ping' && id !== undefined) return reply.result(id, Payload.of({}));
        return refuse(
          INVALID_REQUEST,
          'Not initialized: send initialize first, then its Mcp-Session-Id with every request',
        );
      }
      const version = req.headers['mcp-protocol-version'];
      if (typeof version === 'string' && !VERSIONS.some((v) => v === version))
        return refuse(INVALID_REQUEST, `MCP-Protocol-Version must be one of ${VERSIONS.join(', ')}`);
      if (method === undefined) {
        if (m.whole['id'] !== undefined) session.answer(m.whole['id'], m.whole);
        return reply.nothing();
      }
      if (id === undefined) {
        session.notification(method, params);
        return reply.nothing();
      }
      await session.request(id, method, params, reply);
    },
    end(s, why) {
      sessions.delete(s.id);
      return s
        .end(why)
        .catch((e: unknown) => log.error('a session did not end cleanly', { session: s.id, error: String(e) }));
    },
    gone(client) {
      for (const s of [...sessions.values()]) if (s.owner === client) void edge.end(s, 'The client has gone');
    },
    reap(idleMs, held) {
      for (const s of [...sessions.values()]) {
        const used = s.busy || (s.owner !== undefined && held(s.owner));
        if (!used && clock.now() - s.lastUsed > idleMs) void edge.end(s, 'The session was idle');
      }
    },
    tick() {
      for (const s of sessions.values()) s.tick();
    },
    async close() {
      await Promise.all([...sessions.values()].map((s) => edge.end(s, 'Coffer is stopping')));
    },
  };
  return edge;
}

/** Checks the outer form of a message; what is none is answered here. */
export function readMessage(m: unknown, reply: Reply): Message | undefined {
  const bad = (id: Id | null, message: string): undefined =>
    void reply.error(id, { code: INVALID_REQUEST, message }, 400);
  if (!isObj(m) || m['jsonrpc'] !== '2.0') return bad(null, 'Not a JSON-RPC 2.0 message');
  const method: unknown = m['method'];
  const given: unknown = m['id'];
  // A number that cannot be said back as it came (1e999, 12345678901234567890) would be another request's id.
  const exact = typeof given === 'number' && Number.isFinite(given) && Math.abs(given) <= Number.MAX_SAFE_INTEGER;
  const id = typeof given === 'string' || exact ? given : undefined;
  if (method !== undefined && typeof method !== 'string') return bad(id ?? null, 'method must be text');
  if (given !== undefined && id === undefined && method !== undefined)
    return bad(null, 'id must be text, or a number that JSON carries exactly');
  return { method, id, params: isObj(m['params']) ? m['params'] : {}, whole: m };
}
