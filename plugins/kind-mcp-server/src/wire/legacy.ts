/**
 * Upstream edge for MCP 2024-11-05 to 2025-11-25, whatever the transport. One connection serves one client's calls, so every
 * question the server asks is that client's.
 */
import { isObj, Payload, type Clock, type Exchange, type Facts, type Fault, type Honoured, type Obj, type Outcome, type RpcError, type Watch } from '@coffer/kernel';
import { RunClock } from './clock.js';
import type { Connection, ConnectionEvents, Page, Receiver, Terms, Transport } from './connection.js';
import { Filter } from './filter.js';
import { NEWEST, declared, handshake } from './handshake.js';
import { readMessage } from './message.js';
import { Pending } from './pending.js';
import { Questions, QUESTIONS } from './questions.js';
import { afterPage, pageNeeded } from './url-needed.js';
import { paramsFor } from './params.js';

const HOUSEKEEPING_MS = 10_000;
const LIST_CHANGED: Readonly<Record<string, 'tools' | 'prompts' | 'resources'>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
};

/** Opens the transport, shakes hands as the client behind `x`. Throws a CofferError; the transport is closed then. */
export async function openLegacy(transport: Transport, terms: Terms, clock: Clock, events: ConnectionEvents, x: Exchange): Promise<Connection> {
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
  facts: Facts = { capabilities: {} };
  readonly #pending = new Map<number, Pending>();
  readonly #time: RunClock;
  readonly #questions: Questions;
  readonly #filter: Filter;
  #next = 1;
  #renewing: Promise<boolean> | undefined;
  /** Why nothing can be sent any more. */
  #over: string | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly terms: Terms,
    clock: Clock,
    private readonly events: ConnectionEvents,
    private readonly starter: Exchange,
  ) {
    this.#time = new RunClock(clock, (now) => this.#sweep(now));
    this.#filter = new Filter(
      terms.server,
      () => this.facts.capabilities,
      (method, params) => this.#send(method, params, undefined, HOUSEKEEPING_MS),
    );
    this.#questions = new Questions({
      server: terms.server,
      starter,
      clock,
      lateMs: terms.lateMs,
      carriers: () => this.#pending.values(),
      reply: (id, answer) => this.transport.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer })),
      hold: () => this.#time.hold(),
      release: () => this.#time.release(),
    });
  }

  get open(): number {
    return this.#pending.size;
  }

  async start(): Promise<void> {
    await this.transport.open(this);
    await this.#greet();
  }

  async #greet(): Promise<void> {
    const hello = { protocolVersion: NEWEST, ...handshake.introduce(this.starter, this.terms.version) };
    const outcome = await this.#send('initialize', hello, undefined, this.terms.spawnMs);
    this.facts = handshake.accept(this.terms, outcome);
    this.transport.agreed(this.facts.protocolVersion ?? NEWEST);
    this.#notify('notifications/initialized');
  }

  async call(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    if (x.signal.aborted) return { kind: 'fault', fault: this.#cancelled(x) };
    if (x.wants.log !== undefined && this.#filter.milder(x.wants.log)) await this.#filter.setLevel(x.wants.log);
    if (x.retry !== undefined) {
      const refused = afterPage(x.retry);
      if (refused !== undefined) return { kind: 'error', error: refused };
    }
    const outcome = await this.#send(method, params, x, this.terms.requestMs, true);
    return outcome.kind === 'error' && x.rounds ? pageNeeded(outcome, x) : outcome;
  }

  async ask(method: string, params: Obj, x?: Exchange): Promise<Page> {
    const o = await this.#send(method, params, x, this.terms.requestMs);
    if (o.kind === 'result') return { result: o.result.value };
    if (o.kind === 'error') return { error: o.error };
    return { fault: o.kind === 'fault' ? o.fault : { name: 'INTERNAL', message: `${this.terms.server} asked for input where it may not` } };
  }

  rootsChanged(): void {
    this.#questions.forgetRoots();
    if (declared(this.starter).roots?.listChanged === true) this.#notify('notifications/roots/list_changed');
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
    if (m.kind === 'result') this.#settle(m.id, { kind: 'result', result: m.result });
    else if (m.kind === 'message') this.#take(m.message, tie);
    else if (m.kind === 'batch') for (const one of m.messages) isObj(one) && this.#take(one, tie);
    return m.kind !== 'noise';
  }

  waits(id: number): boolean {
    return this.#pending.has(id);
  }

  unanswered(id: number, message: string, data?: Obj): void {
    if (!this.#pending.has(id)) return;
    this.events.odd(message);
    this.#settle(id, { kind: 'fault', fault: { name: 'UNAVAILABLE', message: `${this.terms.server}: ${message}`, ...(data && { data }) } });
  }

  sessionLost(id?: number): void {
    const p = id === undefined ? undefined : this.#pending.get(id);
    if (p?.method === 'initialize' || p?.repeated) return this.unanswered(p.id, 'it does not keep the session it just opened', { status: 404 });
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    if (p === undefined) return;
    p.repeated = true;
    void this.#renewing.then((ok) => {
      if (ok && this.#pending.has(p.id)) this.transport.send(p.text, p.id);
    });
  }

  down(reason: string): void {
    if (this.#over !== undefined) return;
    this.#end(reason);
    this.events.down(reason);
  }

  // ---- inside

  #send(method: string, params: Obj, x: Exchange | undefined, ms: number, cancellable = false): Promise<Outcome> {
    if (this.#over !== undefined) return Promise.resolve({ kind: 'fault', fault: { name: 'UNAVAILABLE', message: this.#over } });
    const id = this.#next++;
    const sent = paramsFor(params, x?.wants.progress === true ? id : undefined);
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(sent)}}`;
    const p = new Pending(this, id, method, text, x, this.#time.now(), ms);
    const outcome = new Promise<Outcome>((resolve) => (p.resolve = resolve));
    this.#pending.set(id, p);
    this.#time.arm(p.deadline);
    if (cancellable) x?.signal.addEventListener('abort', p);
    this.transport.send(text, id);
    if (x !== undefined) this.#questions.arrived();
    return outcome;
  }

  #notify(method: string, params?: Obj): void {
    if (this.#over === undefined) this.transport.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  #settle(id: number, outcome: Outcome): void {
    const p = this.#pending.get(id);
    if (p === undefined) return;
    this.#pending.delete(id);
    p.x?.signal.removeEventListener('abort', p);
    p.resolve(outcome);
  }

  #take(m: Obj, tie: number | undefined): void {
    if (typeof m.method === 'string') {
      if (m.id === undefined || m.id === null) this.#notified(m.method, isObj(m.params) ? m.params : {}, tie);
      else this.#asked(m.id, m.method, isObj(m.params) ? m.params : undefined, tie);
      return;
    }
    const id = this.#mine(m.id, tie);
    if (id === undefined) return;
    if (isObj(m.error) && typeof m.error.code === 'number') this.#settle(id, { kind: 'error', error: m.error as RpcError });
    else if (typeof m.id === 'string') this.unanswered(id, 'it answered with the id as text where it was asked with a number');
    else if (isObj(m.result)) this.#settle(id, { kind: 'result', result: Payload.of(m.result) });
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
    if (QUESTIONS[method] !== undefined) return this.#questions.put(id, method, params, tie);
    const answer = method === 'ping' ? { result: {} } : { error: { code: -32601, message: `Method not found: ${method}` } };
    this.transport.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }

  #notified(method: string, params: Obj, tie: number | undefined): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...rest } = params;
      const p = this.#pending.get(progressToken as number); // a token of another type finds nothing
      p?.touch(this.#time.now(), this.terms.totalMs);
      p?.x?.progress(rest);
    } else if (method === 'notifications/message') {
      const x = this.transport.ties ? this.#pending.get(tie ?? -1)?.x : this.#youngest();
      if (x !== undefined) x.log(params);
      else this.events.watched({ kind: 'log', params });
    } else if (method === 'notifications/cancelled') {
      this.#questions.withdraw(params.requestId as number); // any other type finds nothing
    } else if (method === 'notifications/resources/updated') {
      if (typeof params.uri === 'string') this.events.watched({ kind: 'uri', uri: params.uri, params });
    } else {
      const kind = LIST_CHANGED[method];
      if (kind !== undefined) this.events.watched({ kind });
    }
  }

  #youngest(): Exchange | undefined {
    let x: Exchange | undefined;
    for (const p of this.#pending.values()) x = p.x ?? x;
    return x;
  }

  /** Ends what is overdue; the next deadline, if any. */
  #sweep(now: number): number | undefined {
    let next: number | undefined;
    for (const p of this.#pending.values()) {
      if (p.deadline > now) next = next === undefined ? p.deadline : Math.min(next, p.deadline);
      else this.#timeOut(p, now);
    }
    return next;
  }

  #timeOut(p: Pending, now: number): void {
    const whole = now - p.startedAt > p.ms;
    const message = whole
      ? `${this.terms.server} did not finish within ${Math.round((now - p.startedAt) / 1000)} seconds, the limit of one call`
      : `${this.terms.server} gave no answer within ${p.ms / 1000} seconds (${p.method === 'initialize' ? 'spawn' : 'request'}_timeout_seconds)`;
    this.#abandon(p, 'timeout');
    this.#settle(p.id, { kind: 'fault', fault: { name: 'TIMEOUT', message } });
  }

  /** The client cancelled. */
  cancel(p: Pending): void {
    const fault = this.#cancelled(p.x);
    this.#abandon(p, fault.message);
    this.#settle(p.id, { kind: 'fault', fault });
  }

  #abandon(p: Pending, reason: string): void {
    // A handshake may not be cancelled, says the specification.
    if (p.method !== 'initialize') this.#notify('notifications/cancelled', { requestId: p.id, reason });
    this.transport.drop(p.id);
  }

  #cancelled(x: Exchange | undefined): Fault {
    const reason: unknown = x?.signal.reason;
    return isObj(reason) && typeof reason.name === 'string' && typeof reason.message === 'string' && !(reason instanceof Error)
      ? (reason as Fault)
      : { name: 'CANCELLED', message: 'The client cancelled the call' };
  }

  /** The server has forgotten the session: a new one, in the state of the old. */
  async #renew(): Promise<boolean> {
    this.transport.forget();
    try {
      await this.#greet();
    } catch (e) {
      this.down(e instanceof Error ? e.message : `${this.terms.server} did not take the client back`);
      return false;
    }
    this.#filter.restore();
    return true;
  }

  #end(reason: string): void {
    this.#over ??= reason;
    for (const p of [...this.#pending.values()]) this.#settle(p.id, { kind: 'fault', fault: { name: 'UNAVAILABLE', message: this.#over } });
    this.#questions.end();
    this.#time.stop();
  }
}
