/** Upstream edge for MCP 2026-07-28, whatever the transport: each request stands alone and says whose it is. */
import {
  isObj,
  Payload,
  type Clock,
  type Exchange,
  type Facts,
  type Honoured,
  type ListType,
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
import { crossing, HEADER_MISMATCH, isStrange, offersOurs } from './codes.js';
import { discovered } from './discovery.js';
import { enveloped, META, MODERN } from './envelope.js';
import { Listen } from './listen.js';
import { learnTools } from './learn-tools.js';
import { readMessage } from './message.js';
import { allowed, follow, withoutTask } from './modern-tasks.js';
import { NotedLists } from './noted-lists.js';
import { OpenTasks } from './open-tasks.js';
import { pageOf } from './page.js';
import { requestHeaders } from './param-headers.js';
import { ofBytes, ofValue } from './result-type.js';
import { inRounds } from './rounds.js';

/** Ids of this era start here: an older edge may go on with the same pipe, and it counts from 1. */
export const FIRST_ID = 1_000_000_000;

export class Modern implements Connection, Receiver {
  readonly fixed = false;
  facts: Facts = { capabilities: {} };
  readonly #calls: Calls;
  readonly #listen: Listen;
  readonly #lists: NotedLists;
  readonly #tasks: OpenTasks;
  /** Errors that an address of another era might have given. */
  readonly #doubtful = new WeakSet<Outcome>();
  #looking: Promise<Facts> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly terms: Terms,
    private readonly clock: Clock,
    private readonly events: ConnectionEvents,
    private readonly starter: Exchange,
  ) {
    this.#calls = new Calls(
      transport,
      terms,
      clock,
      (method, params, token, x) => this.#dressed(method, params, token, x),
      FIRST_ID,
    );
    this.#lists = new NotedLists(transport.ties);
    this.#tasks = new OpenTasks(clock);
    this.#listen = new Listen({
      server: terms.server,
      clock,
      capabilities: () => this.facts.capabilities,
      open: (params) => ({
        id: this.#calls.nextId,
        ended: this.#calls.send('subscriptions/listen', params, undefined, Infinity),
      }),
      stop: (id) => this.#calls.giveUp(id, 'The stream is not needed any more'),
      told: (e) => {
        if (e.kind === 'task') this.#tasks.seen(e.params);
        this.events.watched(e);
      },
    });
  }

  get open(): number {
    return this.#calls.size - this.#listen.size;
  }

  get tasks(): number {
    return this.#tasks.size;
  }

  /** Asks the server who it is; the transport must be open. Throws a CofferError when the answer is not of this era. */
  async discover(x = this.starter): Promise<Facts> {
    const look = (): Promise<Outcome> => this.#calls.send('server/discover', {}, x, this.terms.spawnMs);
    let outcome = await look();
    // A server may refuse a version that it then names as one of its own, as one does that is just being replaced.
    if (outcome.kind === 'error' && offersOurs(outcome.error)) outcome = await look();
    return discovered(this.terms.server, outcome);
  }

  /** Its discovery was answered: from here on it is this server's connection. */
  accept(facts: Facts): void {
    this.facts = facts;
    this.transport.agreed(MODERN);
  }

  async call(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    if (x.signal.aborted) return { kind: 'fault', fault: cancelled(x) };
    const host = { server: this.terms.server, clock: this.clock, send: this.#send.bind(this) };
    const o = allowed(this.terms.server, await inRounds(host, method, withoutTask(params, x), x), method, x);
    follow(this.#tasks, method, params, o);
    return crossing(this.terms.server, o);
  }

  async ask(method: string, params: Obj, x?: Exchange): Promise<Page> {
    const o = await this.#sure(await this.#calls.send(method, params, x), x ?? this.starter);
    if (o.kind === 'result') this.#lists.note(method, o.result.value, params.cursor === undefined);
    return pageOf(this.terms.server, o);
  }

  unusable(tool: string): string | undefined {
    return this.#lists.unusable(tool);
  }

  freshMs(type: ListType): number | undefined {
    if (this.#listen.guards(type === 'resourceTemplates' ? 'resources' : type)) return undefined;
    return this.#lists.freshMs(type);
  }

  /** Each request that needs roots asks for them anew. */
  rootsChanged(): void {}

  watch(want: Watch): Promise<Honoured> {
    return this.#listen.watch(want);
  }

  /** Another edge goes on with the transport. */
  abandon(): void {
    this.#calls.end(`${this.terms.server} speaks an older version of MCP`);
  }

  async close(): Promise<void> {
    this.#listen.close();
    this.#calls.end(`${this.terms.server} was stopped`);
    await this.transport.close();
  }

  // ---- what the transport tells

  message(chunks: readonly Buffer[], tie?: number): boolean {
    const m = readMessage(chunks);
    if (m.kind === 'result') {
      const p = this.#calls.get(m.id);
      if (p !== undefined)
        this.#calls.settle(
          m.id,
          // Only there who made it is of interest.
          p.method === 'server/discover'
            ? { kind: 'result', result: m.result }
            : ofBytes(this.terms.server, p.method, m.result),
        );
    } else if (m.kind === 'message') this.#take(m.message, tie);
    else if (m.kind === 'batch') for (const one of m.messages) if (isObj(one)) this.#take(one, tie);
    return m.kind !== 'noise';
  }

  waits(id: number): boolean {
    return this.#calls.get(id) !== undefined;
  }

  refused(id: number): void {
    const p = this.#calls.get(id);
    if (p !== undefined) p.refused = true;
  }

  unanswered(id: number, message: string, data?: Obj): void {
    const p = this.#calls.get(id);
    if (p === undefined) return;
    // A stream that ends is opened again, and a look at an address proves nothing about its server.
    if (p.method !== 'subscriptions/listen' && p.method !== 'server/discover') this.events.odd(message);
    const outcome: Outcome = {
      kind: 'fault',
      fault: { name: 'UNAVAILABLE', message: `${this.terms.server}: ${message}`, ...(data && { data }) },
    };
    if (p.refused) this.#doubtful.add(outcome);
    this.#calls.settle(id, outcome);
  }

  /** There are no sessions. */
  sessionLost(): void {}

  down(reason: string): void {
    if (this.#calls.over) return;
    this.#listen.close();
    this.#calls.end(reason);
    this.events.down(reason);
  }

  // ---- inside

  #dressed(
    method: string,
    params: Obj,
    token: number | undefined,
    x: Exchange | undefined,
  ): { params: Obj; headers?: Record<string, string> } {
    const sent = enveloped(params, token, x, this.starter, this.terms.version);
    if (!this.transport.ties) return { params: sent };
    const tool = method === 'tools/call' ? this.#lists.headersOf(String(params.name)) : [];
    return { params: sent, headers: requestHeaders(method, params, tool) };
  }

  async #send(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    const o = await this.#sure(await this.#calls.send(method, params, x, this.terms.requestMs, true), x);
    if (o.kind !== 'error' || o.error.code !== HEADER_MISMATCH || method !== 'tools/call') return o;
    // The tool's schema asks for headers that are not known yet, or has changed.
    if (!(await learnTools(this, x))) return o;
    return this.#calls.send(method, params, x, this.terms.requestMs, true);
  }

  /** An address may have got a server of another era; then the call was not understood and is made on a new connection. */
  async #sure(o: Outcome, x: Exchange): Promise<Outcome> {
    if (!this.#doubtful.has(o)) return o;
    try {
      await (this.#looking ??= this.discover(x).finally(() => (this.#looking = undefined)));
    } catch {
      throw new Outdated();
    }
    return o;
  }

  #take(m: Obj, tie: number | undefined): void {
    if (typeof m.method === 'string') {
      if (m.id === undefined || m.id === null) this.#notified(m.method, isObj(m.params) ? m.params : {}, tie);
      // A server of this era asks nothing; one that does all the same should not wait for an answer.
      else
        this.transport.send(
          JSON.stringify({
            jsonrpc: '2.0',
            id: m.id,
            error: { code: -32601, message: `Method not found: ${m.method}` },
          }),
        );
      return;
    }
    const id = typeof m.id === 'number' ? m.id : tie;
    const p = this.#calls.get(id);
    if (p === undefined) return;
    if (isObj(m.error) && typeof m.error.code === 'number') {
      const outcome: Outcome = { kind: 'error', error: m.error as RpcError }; // its code was looked at
      if (p.refused && isStrange(m.error.code)) this.#doubtful.add(outcome);
      this.#calls.settle(p.id, outcome);
    } else if (isObj(m.result)) {
      const result = Payload.of(m.result);
      this.#calls.settle(
        p.id,
        p.method === 'server/discover' ? { kind: 'result', result } : ofValue(this.terms.server, p.method, result),
      );
    } else this.unanswered(p.id, 'it answered without a result that is an object and without an error');
  }

  #notified(method: string, params: Obj, tie: number | undefined): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...rest } = params;
      const p = this.#calls.get(progressToken as number); // a token of another type finds nothing
      p?.touch(this.#calls.time.now(), this.terms.totalMs);
      p?.x?.progress(rest);
    } else if (method === 'notifications/message') {
      (this.transport.ties ? this.#logging(this.#calls.get(tie)?.x) : this.#youngest())?.log(params);
    } else {
      const id: unknown = params._meta?.[`${META}subscriptionId`];
      this.#listen.heard(
        id ?? (method === 'notifications/cancelled' ? (params.requestId as unknown) : tie),
        method,
        params,
      );
    }
  }

  /** Over a pipe nothing says whose a line is. */
  #youngest(): Exchange | undefined {
    let x: Exchange | undefined;
    for (const p of this.#calls.all()) x = this.#logging(p.x) ?? x;
    return x;
  }

  /** Nobody hears lines that did not ask for them. */
  #logging(x: Exchange | undefined): Exchange | undefined {
    return x?.wants.log === undefined ? undefined : x;
  }
}
