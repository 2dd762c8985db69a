/** A session of the older era (2024-11-05 to 2025-11-25): handshake, requests, notifications, questions and their answers. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isObj, type Obj } from '../../json.js';
import {
  LOG_LEVELS,
  type Answer,
  type Ask,
  type Core,
  type LogLevel,
  type Peer,
  type RpcError,
  type WatchEvent,
  type WatchHandle,
} from '../seam.js';
import { Payload } from '../payload.js';
import { LegacyCall, type Asker } from './legacy-call.js';
import { forLegacy } from './legacy-results.js';
import { errorOf, numbered, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND } from './numbers.js';
import type { Reply } from './reply.js';
import { StandingStream } from './standing-stream.js';
import { VERSIONS } from './versions.js';

/** A wait longer than this is turned into a stream, in milliseconds: many clients give up on a response without headers. */
export const SILENT_MS = 10_000;

/** The one version of this era that has tasks. */
const TASKS_SINCE = '2025-11-25';

export type Id = string | number;

export class LegacySession implements Asker {
  readonly id = randomUUID();
  readonly peer: Peer;
  readonly capabilities: Obj;
  readonly version: string;
  readonly standing = new StandingStream();
  level: LogLevel | undefined;
  lastUsed: number;
  readonly #running = new Map<Id, { call: LegacyCall; reply: Reply; since: number }>();
  #ended = false;
  readonly #asks = new Map<string, (answer: Answer) => void>();
  readonly #uris = new Set<string>();
  #watch: WatchHandle | undefined;
  #nextAsk = 1;

  constructor(
    private readonly core: Core,
    peer: Omit<Peer, 'key' | 'info' | 'protocolVersion'>,
    params: Obj,
    /** The shim that opened it, if one did: the session ends with it. */
    readonly owner: string | undefined,
    private readonly failed: (e: unknown) => void,
    private readonly now: () => number,
  ) {
    this.lastUsed = now();
    const asked: unknown = params['protocolVersion'];
    this.version = VERSIONS.find((v) => v === asked) ?? VERSIONS[0];
    this.capabilities = isObj(params['capabilities']) ? params['capabilities'] : {};
    const info: unknown = params['clientInfo'];
    this.peer = { ...peer, key: `s:${this.id}`, protocolVersion: this.version, ...(isObj(info) ? { info } : {}) };
  }

  get tasks(): boolean {
    return this.version === TASKS_SINCE;
  }

  get busy(): boolean {
    return this.#running.size > 0 || this.standing.open;
  }

  /** Answers `initialize`. Starts no server. */
  async open(id: Id, reply: Reply): Promise<void> {
    const facts = await this.core.facts(new LegacyCall(this, reply, undefined));
    // Its shim may have gone meanwhile.
    if (this.#ended) return reply.nothing();
    const sink = (e: WatchEvent): void => this.#tell(e);
    this.#watch = this.core.watch(
      new LegacyCall(this, undefined, undefined),
      { tools: true, prompts: true, resources: true, ...(this.tasks ? { tasks: true } : {}) },
      sink,
    );
    reply.result(
      id,
      Payload.of({
        protocolVersion: this.version,
        capabilities: ofThisEra(facts.capabilities, this.tasks),
        serverInfo: facts.info,
        ...(facts.instructions === undefined ? {} : { instructions: facts.instructions }),
      }),
    );
  }

  async request(id: Id, method: string, params: Obj, reply: Reply): Promise<void> {
    this.lastUsed = this.now();
    if (this.#running.has(id))
      return reply.error(id, { code: INVALID_REQUEST, message: 'This id is in use by a request that still runs' }, 400);
    switch (method) {
      case 'ping':
        return reply.result(id, Payload.of({}));
      case 'initialize':
        return reply.error(id, { code: INVALID_REQUEST, message: 'This session is initialized already' }, 400);
      case 'logging/setLevel':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#filter(id, method, params, reply);
    }
    const token: unknown = isObj(params['_meta']) ? params['_meta']['progressToken'] : undefined;
    const call = new LegacyCall(
      this,
      reply,
      typeof token === 'string' || typeof token === 'number' ? token : undefined,
    );
    this.#running.set(id, { call, reply, since: this.now() });
    try {
      const outcome = await this.core.call(method, params, call);
      if (call.signal.aborted) reply.nothing();
      else if (outcome.kind === 'result') reply.result(id, forLegacy(method, outcome.result));
      else if (outcome.kind === 'task') reply.result(id, Payload.of({ ...outcome.more, task: outcome.task }));
      else reply.error(id, errorOf(outcome));
    } catch (e) {
      this.failed(e);
      reply.error(id, {
        code: INTERNAL_ERROR,
        message: 'Something failed inside Coffer. The daemon log has the trace.',
      });
    } finally {
      this.#running.delete(id);
      this.lastUsed = this.now();
    }
  }

  notification(method: string, params: Obj): void {
    this.lastUsed = this.now();
    if (method === 'notifications/cancelled') {
      const reason: unknown = params['reason'];
      this.#running
        .get(params['requestId'] as Id)
        ?.call.cancel(typeof reason === 'string' ? reason : 'The client cancelled the call');
    } else if (method === 'notifications/roots/list_changed') this.core.rootsChanged(this.peer);
  }

  /** The client's answer to a question; one that nobody waits for any more is dropped. */
  answer(id: unknown, message: Obj): void {
    this.lastUsed = this.now();
    const settle = this.#asks.get(String(id));
    if (settle === undefined) return;
    if (isObj(message['error'])) settle({ error: message['error'] as unknown as RpcError });
    else settle({ result: isObj(message['result']) ? message['result'] : {} });
  }

  stream(res: ServerResponse): void {
    this.lastUsed = this.now();
    this.standing.attach(res, this.id);
  }

  /** Called now and then: long silent waits become streams. */
  tick(): void {
    const now = this.now();
    for (const { reply, since } of this.#running.values())
      if (reply.canSend && !reply.streaming && now - since > SILENT_MS) reply.stream();
  }

  async end(why: string): Promise<void> {
    this.#ended = true;
    for (const { call, reply } of this.#running.values()) {
      call.cancel(why);
      reply.nothing();
    }
    for (const settle of [...this.#asks.values()]) settle({ error: { code: INTERNAL_ERROR, message: why } });
    this.#watch?.stop();
    this.standing.close();
    await this.core.gone(this.peer);
  }

  /** Puts a question to the client: a server request with an id of our own, taken back when one of the signals fires. */
  put(send: (message: Obj) => void, ask: Ask, withdrawn: readonly (AbortSignal | undefined)[]): Promise<Answer> {
    return new Promise((resolve) => {
      const id = `coffer-${this.#nextAsk++}`;
      const settle = (answer: Answer): void => {
        if (!this.#asks.delete(id)) return;
        for (const s of withdrawn) s?.removeEventListener('abort', drop);
        resolve(answer);
      };
      const drop = (): void => {
        if (!this.#asks.has(id)) return;
        send({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'The question was taken back' },
        });
        settle(
          ask.method === 'elicitation/create'
            ? { result: { action: 'cancel' } }
            : { error: { code: INTERNAL_ERROR, message: 'The question was taken back' } },
        );
      };
      this.#asks.set(id, settle);
      send({ jsonrpc: '2.0', id, method: ask.method, ...(ask.params === undefined ? {} : { params: ask.params }) });
      for (const s of withdrawn) {
        if (s?.aborted === true) drop();
        else s?.addEventListener('abort', drop, { once: true });
      }
    });
  }

  push(message: Obj): void {
    this.standing.send(message);
  }

  wantsLog(params: Obj): boolean {
    return (
      this.level === undefined || LOG_LEVELS.indexOf(params['level'] as LogLevel) >= LOG_LEVELS.indexOf(this.level)
    );
  }

  #tell(e: WatchEvent): void {
    if (e.kind === 'log') {
      if (this.wantsLog(e.params)) this.push({ jsonrpc: '2.0', method: 'notifications/message', params: e.params });
    } else if (e.kind === 'uri')
      this.push({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: e.params });
    else if (e.kind === 'task') this.push({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: e.params });
    else if (e.kind === 'elicitation')
      this.push({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: e.params });
    else this.push({ jsonrpc: '2.0', method: `notifications/${e.kind}/list_changed` });
  }

  /** The three requests that change what the client is told. */
  async #filter(id: Id, method: string, params: Obj, reply: Reply): Promise<void> {
    const uri: unknown = params['uri'];
    if (method === 'logging/setLevel') {
      const level = LOG_LEVELS.find((l) => l === params['level']);
      if (level === undefined)
        return reply.error(id, { code: INVALID_PARAMS, message: `level must be one of ${LOG_LEVELS.join(', ')}` });
      this.level = level;
    } else if (typeof uri !== 'string')
      return reply.error(id, { code: INVALID_PARAMS, message: `${method} needs a uri` });
    else if (method === 'resources/subscribe') this.#uris.add(uri);
    else this.#uris.delete(uri);

    const honoured = await this.#watch?.change({
      tools: true,
      prompts: true,
      resources: true,
      uris: [...this.#uris],
      ...(this.tasks ? { tasks: true } : {}),
      ...(this.level === undefined ? {} : { log: this.level }),
    });
    const refused = honoured?.refused?.find((r) => r.uri === uri);
    if (method === 'resources/subscribe' && typeof uri === 'string' && honoured?.uris?.includes(uri) !== true) {
      this.#uris.delete(uri);
      return reply.error(
        id,
        (refused === undefined ? undefined : 'error' in refused ? refused.error : numbered(refused.fault)) ?? {
          code: METHOD_NOT_FOUND,
          message: 'The server of this resource does not offer subscriptions',
        },
      );
    }
    reply.result(id, Payload.of({}));
  }
}

/** Extensions belong to the newer era, and tasks to the last version of this one. */
function ofThisEra({ extensions: _newer, tasks, ...rest }: Obj, withTasks: boolean): Obj {
  return withTasks && tasks !== undefined ? { ...rest, tasks } : rest;
}
