/**
 * Upstream edge for MCP 2024-11-05 to 2025-11-25, whatever the transport. One connection serves one client's calls, so every
 * question the server asks is that client's.
 */
import {
  isObj,
  Payload,
  type Clock,
  type Exchange,
  type Facts,
  type Honoured,
  type Obj,
  type Outcome,
  type RpcError,
  type Watch,
} from '@coffer/kernel';
import { Calls, cancelled } from './calls.js';
import {
  Outdated,
  type Connection,
  type ConnectionEvents,
  type Page,
  type Receiver,
  type Terms,
  type Transport,
} from './connection.js';
import { Filter } from './filter.js';
import { NEWEST, declared, handshake } from './handshake.js';
import { LegacyTasks } from './legacy-tasks.js';
import { readMessage } from './message.js';
import { isTask } from './open-tasks.js';
import { pageOf } from './page.js';
import { Questions, QUESTIONS } from './questions.js';
import { isRefusal } from './refusal.js';
import { afterPage, pageNeeded } from './url-needed.js';

const OUTDATED: Outcome = { kind: 'fault', fault: { name: 'UNAVAILABLE', message: 'The server became another' } };
const HOUSEKEEPING_MS = 10_000;
const LIST_CHANGED: ReadonlyMap<string, 'tools' | 'prompts' | 'resources'> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
]);

/** Opens the transport, shakes hands as the client behind `x`. Throws a CofferError; the transport is closed then. */
export async function openLegacy(
  transport: Transport,
  terms: Terms,
  clock: Clock,
  events: ConnectionEvents,
  x: Exchange,
): Promise<Connection> {
  const connection = new Legacy(transport, terms, clock, events, x);
  try {
    await connection.start();
    return connection;
  } catch (e) {
    await connection.close();
    throw e;
  }
}

class Legacy implements Connection, Receiver {
  readonly fixed = true;
  facts: Facts = { capabilities: {} };
  readonly #calls: Calls;
  readonly #questions: Questions;
  readonly #filter: Filter;
  readonly #tasks: LegacyTasks;
  #renewing: Promise<boolean> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly terms: Terms,
    clock: Clock,
    private readonly events: ConnectionEvents,
    private readonly starter: Exchange,
  ) {
    this.#calls = new Calls(transport, terms, clock);
    this.#tasks = new LegacyTasks({
      clock,
      facts: () => this.facts,
      ask: (method, params, x) => this.ask(method, params, x),
      send: (method, params, x) => this.#relay(method, params, x),
      cancel: (taskId) => void this.#calls.send('tasks/cancel', { taskId }, undefined, HOUSEKEEPING_MS),
    });
    this.#filter = new Filter(
      terms.server,
      () => this.facts.capabilities,
      (method, params) => this.#calls.send(method, params, undefined, HOUSEKEEPING_MS),
    );
    this.#questions = new Questions({
      server: terms.server,
      starter,
      clock,
      lateMs: terms.lateMs,
      carriers: () => this.#calls.all(),
      reply: (id, answer) => this.transport.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer })),
      hold: () => this.#calls.time.hold(),
      release: () => this.#calls.time.release(),
    });
  }

  get open(): number {
    return this.#calls.size;
  }

  get tasks(): number {
    return this.#tasks.open.size;
  }

  async start(): Promise<void> {
    await this.transport.open(this);
    await this.#greet();
  }

  async #greet(): Promise<void> {
    const hello = { protocolVersion: NEWEST, ...handshake.introduce(this.starter, this.terms.version) };
    const outcome = await this.#calls.send(
      'initialize',
      hello,
      undefined,
      this.terms.spawnMs - (this.terms.spentMs ?? 0),
    );
    this.facts = handshake.accept(this.terms, outcome);
    this.transport.agreed(this.facts.protocolVersion ?? NEWEST);
    this.#calls.notify('notifications/initialized');
  }

  async call(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    if (x.signal.aborted) return { kind: 'fault', fault: cancelled(x) };
    if (x.wants.log !== undefined && this.#filter.milder(x.wants.log)) await this.#filter.setLevel(x.wants.log);
    if (x.retry !== undefined) {
      const refused = afterPage(x.retry);
      if (refused !== undefined) return { kind: 'error', error: refused };
    }
    if (this.#renewing !== undefined) await this.#renewing;
    const outcome = await this.#tasks.send(method, params, x);
    if (outcome === OUTDATED) throw new Outdated();
    return outcome.kind === 'error' && x.rounds ? pageNeeded(outcome, x) : outcome;
  }

  async ask(method: string, params: Obj, x?: Exchange): Promise<Page> {
    if (this.#renewing !== undefined) await this.#renewing;
    const answer = this.#calls.send(method, params, x);
    this.#questions.arrived();
    const o = await answer;
    if (o === OUTDATED) throw new Outdated();
    if (o.kind === 'result' && method === 'tools/list') this.#tasks.listed(o.result.value, params.cursor === undefined);
    return pageOf(this.terms.server, o);
  }

  rootsChanged(): void {
    this.#questions.forgetRoots();
    if (declared(this.starter).roots?.listChanged === true) this.#calls.notify('notifications/roots/list_changed');
  }

  watch(want: Watch): Promise<Honoured> {
    return this.#filter.watch(want);
  }

  async close(): Promise<void> {
    this.#end(`${this.terms.server} was stopped`);
    await this.transport.close();
  }

  // ---- what the transport tells

  message(chunks: readonly Buffer[], tie?: number): boolean {
    const m = readMessage(chunks);
    if (m.kind === 'result') this.#calls.settle(m.id, { kind: 'result', result: m.result });
    else if (m.kind === 'message') this.#take(m.message, tie);
    else if (m.kind === 'batch') for (const one of m.messages) if (isObj(one)) this.#take(one, tie);
    return m.kind !== 'noise';
  }

  waits(id: number): boolean {
    return this.#calls.get(id) !== undefined;
  }

  unanswered(id: number, message: string, data?: Obj): void {
    if (this.#calls.get(id) === undefined) return;
    this.events.odd(message);
    this.#calls.settle(id, {
      kind: 'fault',
      fault: { name: 'UNAVAILABLE', message: `${this.terms.server}: ${message}`, ...(data && { data }) },
    });
  }

  sessionLost(id?: number): void {
    const p = this.#calls.get(id);
    if (p?.method === 'initialize' || p?.repeated)
      return this.unanswered(p.id, 'it does not keep the session it just opened', { status: 404 });
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    if (p === undefined) return;
    p.repeated = true;
    void this.#renewing.then((ok) => {
      if (ok && this.#calls.get(p.id) !== undefined) this.transport.send(p.text, p.id);
    });
  }

  down(reason: string): void {
    if (this.#calls.over) return;
    this.#end(reason);
    this.events.down(reason);
  }

  // ---- inside

  #take(m: Obj, tie: number | undefined): void {
    if (typeof m.method === 'string') {
      if (m.id === undefined || m.id === null) this.#notified(m.method, isObj(m.params) ? m.params : {}, tie);
      else this.#asked(m.id, m.method, isObj(m.params) ? m.params : undefined, tie);
      return;
    }
    const id = this.#mine(m.id, tie);
    if (id === undefined) return;
    if (isObj(m.error) && typeof m.error.code === 'number')
      this.#calls.settle(id, { kind: 'error', error: m.error as RpcError });
    else if (typeof m.id === 'string')
      this.unanswered(id, 'it answered with the id as text where it was asked with a number');
    else if (isObj(m.result)) this.#calls.settle(id, { kind: 'result', result: Payload.of(m.result) });
    else if ('result' in m) this.unanswered(id, 'it answered with a result that is not an object');
    else this.unanswered(id, 'it answered without a result and without an error');
  }

  /** The request an answer is for. An error without an id is for the request whose stream carries it. */
  #mine(id: unknown, tie: number | undefined): number | undefined {
    if (typeof id === 'number') return id;
    if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id);
    return tie;
  }

  #asked(id: number | string, method: string, params: Obj | undefined, tie: number | undefined): void {
    if (QUESTIONS.has(method)) return this.#questions.put(id, method, params, tie);
    const answer =
      method === 'ping' ? { result: {} } : { error: { code: -32601, message: `Method not found: ${method}` } };
    this.transport.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }

  #notified(method: string, params: Obj, tie: number | undefined): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...rest } = params;
      const p = this.#calls.get(progressToken as number); // a token of another type finds nothing
      p?.touch(this.#calls.time.now(), this.terms.totalMs);
      (p === undefined ? this.#tasks.open.byToken(progressToken) : p.x)?.progress(rest);
    } else if (method === 'notifications/message') {
      const x = this.transport.ties ? this.#calls.get(tie)?.x : this.#youngest();
      if (x !== undefined) x.log(params);
      else this.events.watched({ kind: 'log', params });
    } else if (method === 'notifications/cancelled') {
      this.#questions.withdraw(params.requestId as number); // any other type finds nothing
    } else if (method === 'notifications/resources/updated') {
      if (typeof params.uri === 'string') this.events.watched({ kind: 'uri', uri: params.uri, params });
    } else if (method === 'notifications/tasks/status') {
      if (isTask(params)) this.#tasks.open.seen(params);
      this.events.watched({ kind: 'task', params });
    } else if (method === 'notifications/elicitation/complete') {
      this.events.watched({ kind: 'elicitation', params });
    } else {
      const kind = LIST_CHANGED.get(method);
      if (kind === 'tools') this.#tasks.changed();
      if (kind !== undefined) this.events.watched({ kind });
    }
  }

  /** A call as its client made it. */
  async #relay(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    const token = this.#calls.nextId;
    const answer = this.#calls.send(method, params, x, this.terms.requestMs, true);
    this.#questions.arrived();
    return this.#tasks.answered(method, params, await answer, x, token);
  }

  #youngest(): Exchange | undefined {
    let x: Exchange | undefined;
    for (const p of this.#calls.all()) x = p.x ?? x;
    return x;
  }

  /** The server has forgotten the session: a new one, in the state of the old. */
  async #renew(): Promise<boolean> {
    this.transport.forget();
    try {
      await this.#greet();
    } catch (e) {
      // Not understood means not run: these can be made on a new connection.
      if (isRefusal(e)) for (const p of [...this.#calls.all()]) if (p.repeated) this.#calls.settle(p.id, OUTDATED);
      this.down(e instanceof Error ? e.message : `${this.terms.server} did not take the client back`);
      return false;
    }
    this.#filter.restore();
    return true;
  }

  #end(reason: string): void {
    this.#calls.end(reason);
    this.#questions.end();
  }
}
