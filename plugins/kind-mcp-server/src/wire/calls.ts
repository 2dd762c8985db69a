import { isObj, type Clock, type Exchange, type Fault, type Obj, type Outcome } from '@coffer/kernel';
import { RunClock } from './clock.js';
import type { Terms, Transport } from './connection.js';
import { paramsFor } from './params.js';
import { Pending } from './pending.js';

/** A request's params as they are sent, and the headers that repeat some of them. */
export type Dress = (
  method: string,
  params: Obj,
  token: number | undefined,
  x: Exchange | undefined,
) => { params: Obj; headers?: Record<string, string> };

const plain: Dress = (_, params, token) => ({ params: paramsFor(params, token) });

/** The requests a server has yet to answer: their ids, their clocks, and how each of them may end. */
export class Calls {
  readonly time: RunClock;
  readonly #pending = new Map<number, Pending>();
  /** Why nothing can be sent any more. */
  #over: string | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly terms: Terms,
    clock: Clock,
    private readonly dress = plain,
    /** The first id. */
    private next = 1,
  ) {
    this.time = new RunClock(clock, (now) => this.#sweep(now));
  }

  get size(): number {
    return this.#pending.size;
  }

  get over(): boolean {
    return this.#over !== undefined;
  }

  /** Open requests, oldest first. */
  all(): Iterable<Pending> {
    return this.#pending.values();
  }

  get(id: number | undefined): Pending | undefined {
    return id === undefined ? undefined : this.#pending.get(id);
  }

  /** @param ms how long the server may be silent. */
  send(
    method: string,
    params: Obj,
    x: Exchange | undefined,
    ms = this.terms.requestMs,
    cancellable = false,
  ): Promise<Outcome> {
    if (this.#over !== undefined)
      return Promise.resolve({ kind: 'fault', fault: { name: 'UNAVAILABLE', message: this.#over } });
    const id = this.next++;
    const sent = this.dress(method, params, x?.wants.progress === true ? id : undefined, x);
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(sent.params)}}`;
    const p = new Pending(this, id, method, text, x, this.time.now(), ms);
    const outcome = new Promise<Outcome>((resolve) => (p.resolve = resolve));
    this.#pending.set(id, p);
    this.time.arm(p.deadline);
    if (cancellable) x?.signal.addEventListener('abort', p);
    this.transport.send(text, id, sent.headers);
    return outcome;
  }

  /** The id of the next request. */
  get nextId(): number {
    return this.next;
  }

  /** Gives a request up without a client's word. */
  giveUp(id: number, reason: string): void {
    const p = this.#pending.get(id);
    if (p === undefined) return;
    this.#abandon(p, reason);
    this.settle(id, { kind: 'fault', fault: { name: 'CANCELLED', message: reason } });
  }

  notify(method: string, params?: Obj): void {
    if (this.#over === undefined) this.transport.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  settle(id: number, outcome: Outcome): void {
    const p = this.#pending.get(id);
    if (p === undefined) return;
    this.#pending.delete(id);
    p.x?.signal.removeEventListener('abort', p);
    p.resolve(outcome);
  }

  /** The client cancelled. */
  cancel(p: Pending): void {
    const fault = cancelled(p.x);
    this.#abandon(p, fault.message);
    this.settle(p.id, { kind: 'fault', fault });
  }

  /** Nothing more can come; the first reason counts. */
  end(reason: string): void {
    this.#over ??= reason;
    for (const p of [...this.#pending.values()])
      this.settle(p.id, { kind: 'fault', fault: { name: 'UNAVAILABLE', message: this.#over } });
    this.time.stop();
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
    const { server, totalMs, spawnMs } = this.terms;
    const starts = p.method === 'initialize' || p.method === 'server/discover';
    const message =
      now - p.startedAt >= Math.max(totalMs, p.ms) && p.ms < totalMs
        ? `${server} did not finish within ${totalMs / 1000} seconds, the most a call may take`
        : `${server} gave no answer within ${(starts ? spawnMs : p.ms) / 1000} seconds (${starts ? 'spawn' : 'request'}_timeout_seconds)`;
    this.#abandon(p, 'timeout');
    this.settle(p.id, { kind: 'fault', fault: { name: 'TIMEOUT', message } });
  }

  #abandon(p: Pending, reason: string): void {
    // A handshake may not be cancelled, says the specification.
    if (p.method !== 'initialize') this.notify('notifications/cancelled', { requestId: p.id, reason });
    this.transport.drop(p.id);
  }
}

/** Why a call was cancelled: the edge that cancels says so in the signal's reason. */
export function cancelled(x: Exchange | undefined): Fault {
  const reason: unknown = x?.signal.reason;
  const told =
    isObj(reason) &&
    typeof reason.name === 'string' &&
    typeof reason.message === 'string' &&
    !(reason instanceof Error);
  return told ? (reason as Fault) : { name: 'CANCELLED', message: 'The client cancelled the call' };
}
