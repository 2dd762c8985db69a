/** The downstream edge of the newer era (2026-07-28): each request stands alone, questions are answered by calling again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObj, type Obj } from '../../../json.js';
import type { Clock, Logger } from '../../../plugin/contract.js';
import { quiet } from '../../exchange.js';
import { Payload } from '../../payload.js';
import type { Core, Hints, Outcome, Peer } from '../../seam.js';
import { SILENT_MS } from '../legacy.js';
import type { Message } from '../legacy-edge.js';
import { HangUp } from '../hang-up.js';
import { Reply } from '../reply.js';
import { VERSIONS } from '../versions.js';
import { clientOf, keyOf, optionsOf } from '../who.js';
import { CACHED, checkEnvelope, checkParamHeaders, MISSING_CAPABILITY, MODERN, type Envelope } from './envelope.js';
import { createFinisher, modernError, modernFault } from './finish.js';
import { paramHeaders, type ParamHeader } from './headers.js';
import { listen, type Listening } from './listen.js';
import { createParkingLot } from './lot.js';

/** Methods during which a server may ask the client something. */
const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** A list that a listener is told about may be kept this long, in milliseconds. */
const GUARDED_MS = 60_000;
const KIND_OF: ReadonlyMap<string, 'tools' | 'prompts' | 'resources'> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
]);

export interface ModernEdge {
  handle(method: string, m: Message, req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** The client is known to be gone. */
  gone(key: string): Promise<void>;
  /** Ends clients that have been idle; `held`: a shim holds its leash. */
  reap(idleMs: number, held: (key: string) => boolean): void;
  /** Long silent waits become streams. */
  tick(): void;
  close(): Promise<void>;
}

/** A client as this edge remembers it: nothing but what is open, and since when nothing was. */
interface Client {
  peer: Peer;
  open: number;
  lastUsed: number;
  listening: Set<Listening>;
  /** Headers that tools ask for, by the name the client knows them under. */
  headers: Map<string, readonly ParamHeader[]>;
}

interface Options {
  core: Core;
  clock: Clock;
  log: Logger;
  serverInfo: Obj;
}

export function createModernEdge({ core, clock, log, serverInfo }: Options): ModernEdge {
  const lot = createParkingLot(clock, log);
  const finish = createFinisher(serverInfo);
  const clients = new Map<string, Client>();
  /** Requests that run, and since when. */
  const waiting = new Map<Reply, number>();

  const remembered = (params: Obj, req: IncomingMessage, envelope: Envelope): Client => {
    const key = keyOf(params, req);
    let c = clients.get(key);
    if (c === undefined) {
      const peer: Peer = {
        ...optionsOf(params, req),
        key,
        protocolVersion: MODERN,
        ...(envelope.info === undefined ? {} : { info: envelope.info }),
      };
      clients.set(key, (c = { peer, open: 0, lastUsed: clock.now(), listening: new Set(), headers: new Map() }));
    }
    c.lastUsed = clock.now();
    return c;
  };

  const discover = async (c: Client, envelope: Envelope): Promise<Outcome> => {
    const facts = await core.facts(quiet(c.peer, { capabilities: envelope.capabilities, rounds: true }));
    const { instructions } = facts;
    // Here tasks are an extension and have no place of their own.
    const { tasks: _older, ...capabilities } = facts.capabilities;
    return {
      kind: 'result',
      result: Payload.of({
        supportedVersions: [MODERN, ...VERSIONS],
        capabilities,
        ...(instructions === undefined ? {} : { instructions }),
      }),
    };
  };

  const hintsFor = (c: Client, method: string, outcome: Extract<Outcome, { kind: 'result' }>): Hints | undefined => {
    if (!CACHED.has(method)) return undefined;
    const kind = KIND_OF.get(method);
    if (kind === undefined) return { ttlMs: outcome.hints?.ttlMs ?? 0, cacheScope: 'private' };
    const guarded = [...c.listening].some((l) => l.want[kind] === true);
    return { ttlMs: guarded ? GUARDED_MS : 0, cacheScope: 'private' };
  };

  const rememberHeaders = (c: Client, result: Payload): void => {
    for (const tool of result.value['tools'] as Obj[]) {
      const wanted = isObj(tool['inputSchema']) ? paramHeaders(tool['inputSchema']) : undefined;
      if (wanted !== undefined && wanted.length > 0) c.headers.set(tool['name'] as string, wanted);
      else c.headers.delete(tool['name'] as string);
    }
  };

  const call = (
    c: Client,
    method: string,
    params: Obj,
    envelope: Envelope,
    reply: Reply,
    hangUp: HangUp,
  ): Promise<Outcome> => {
    const { capabilities, tasks } = envelope;
    if (!ASKING.has(method))
      return core.call(method, params, quiet(c.peer, { capabilities, rounds: true, tasks, signal: hangUp.signal }));
    return lot.serve({
      peer: c.peer,
      capabilities,
      tasks,
      method,
      params: withoutTask(params),
      carrier: {
        progressToken: envelope.progressToken,
        log: envelope.log,
        hangUp,
        notify: (name, p) => {
          if (reply.canSend) reply.send({ jsonrpc: '2.0', method: name, params: p });
        },
      },
      run: (x, p) => core.call(method, p, x),
      admit: (x, p) => core.admit(method, p, x),
    });
  };

  const handle: ModernEdge['handle'] = async (method, { id, params }, req, res) => {
    const reply = new Reply(res, true);
    if (id === undefined) return reply.nothing();
    const checked = checkEnvelope(method, params, req.headers);
    if ('error' in checked) return reply.error(id, checked.error, checked.status);
    const { envelope } = checked;
    const c = remembered(params, req, envelope);
    // A shim does not know schemas; a client that speaks HTTP itself must mirror what they ask for.
    const wanted =
      method === 'tools/call' && clientOf(req) === undefined ? c.headers.get(String(params['name'])) : undefined;
    const mismatch = wanted === undefined ? undefined : checkParamHeaders(params['arguments'], wanted, req.headers);
    if (mismatch !== undefined) return reply.error(id, mismatch, 400);

    const hangUp = new HangUp(res);
    if (method === 'subscriptions/listen') {
      const l = await listen(
        core,
        quiet(c.peer, { capabilities: envelope.capabilities, rounds: true, tasks: envelope.tasks }),
        id,
        params,
        reply,
        res,
      );
      c.listening.add(l);
      const over = (): void => {
        l.end();
        c.listening.delete(l);
        c.lastUsed = clock.now();
      };
      if (hangUp.gone) over();
      else res.on('close', over);
      return;
    }
    c.open++;
    waiting.set(reply, clock.now());
    try {
      const outcome =
        method === 'server/discover'
          ? await discover(c, envelope)
          : await call(c, method, params, envelope, reply, hangUp);
      if (hangUp.gone) return;
      if (outcome.kind === 'result') {
        if (method === 'tools/list') rememberHeaders(c, outcome.result);
        reply.result(id, finish.complete(outcome.result, method, hintsFor(c, method, outcome)));
      } else if (outcome.kind === 'input') reply.result(id, finish.input(outcome));
      else if (outcome.kind === 'task') reply.result(id, finish.task(outcome));
      else {
        const error = outcome.kind === 'fault' ? modernFault(outcome.fault) : modernError(outcome.error);
        reply.error(id, error, error.code === MISSING_CAPABILITY ? 400 : 200);
      }
    } finally {
      waiting.delete(reply);
      c.open--;
      c.lastUsed = clock.now();
    }
  };

  const gone = async (key: string, farewell?: Payload): Promise<void> => {
    const c = clients.get(key);
    if (c === undefined) return;
    clients.delete(key);
    lot.gone(key);
    for (const l of c.listening) l.end(farewell);
    await core.gone(c.peer);
  };

  return {
    handle,
    gone: (key) => gone(key),
    reap(idleMs, held) {
      for (const [key, c] of [...clients]) {
        const used = c.open > 0 || c.listening.size > 0 || lot.parkedOf(key) > 0 || held(key);
        if (!used && clock.now() - c.lastUsed > idleMs) void gone(key);
      }
    },
    tick() {
      const since = clock.now() - SILENT_MS;
      for (const [reply, from] of waiting) if (reply.canSend && !reply.streaming && from < since) reply.stream();
    },
    async close() {
      const farewell = finish.complete(Payload.of({}), 'subscriptions/listen', undefined);
      await Promise.all([...clients.keys()].map((key) => gone(key, farewell)));
    },
  };
}

/** In the older era a client asked for a task with the call; here the server alone decides. */
function withoutTask(params: Obj): Obj {
  if (!('task' in params)) return params;
  const { task: _older, ...rest } = params;
  return rest;
}
