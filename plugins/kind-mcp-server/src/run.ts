import {
  CofferError,
  type Exchange,
  type Facts,
  type Honoured,
  type ListType,
  type Obj,
  type Outcome,
  type Watch,
  type WatchEvent,
} from '@coffer/kernel';
import { Backoff } from './backoff.js';
import { declarationOf } from './declaration.js';
import { Cancelled, faultOf, isSettled } from './faults.js';
import type { SourceHost } from './source-host.js';
import { Outdated, type Connection, type ConnectionEvents } from './wire/connection.js';

const DRAIN_LOOK_MS = 50;

/** One connection of a client to a server: opened by the first call that needs it, and again by the next call after it broke. */
export class Run {
  #connection: Connection | undefined;
  #starting: Promise<Connection> | undefined;
  #closing: Promise<void> | undefined;
  readonly #backoff: Backoff;
  #idle: { clear(): void } | undefined;
  #usedAt = 0;
  #want: Watch = {};
  #sink: (e: WatchEvent) => void = () => undefined;
  /** It answered oddly since it was last known to be well. */
  #odd = false;
  /** What the client behind it declared when it was opened. */
  #declaration = '';

  constructor(private readonly host: SourceHost) {
    this.#backoff = new Backoff(host.clock);
  }

  get facts(): Facts | undefined {
    return this.#connection?.facts;
  }

  /** Settles with the start that is under way, whatever comes of it. */
  get starting(): Promise<unknown> | undefined {
    return this.#starting?.catch(() => undefined);
  }

  get open(): number {
    return this.#connection?.open ?? 0;
  }

  /** Can a call be made on it that declares these capabilities? Undefined: nothing is connected. */
  suits(declaration: string): boolean | undefined {
    if (this.#connection === undefined) return undefined;
    return !this.#connection.fixed || this.#declaration === declaration;
  }

  freshMs(type: ListType): number | undefined {
    return this.#connection?.freshMs?.(type);
  }

  state(): 'idle' | 'starting' | 'ready' | 'failing' {
    if (this.#connection !== undefined) return 'ready';
    if (this.#backoff.failures > 0) return 'failing';
    return this.#starting !== undefined ? 'starting' : 'idle';
  }

  async list(type: ListType, x: Exchange): Promise<readonly Obj[]> {
    const connection = this.#connection ?? (await this.#connect(x));
    this.#usedAt = this.host.clock.now();
    return this.host.list(connection, type, x).catch(async (e: unknown) => {
      if (!(e instanceof Outdated)) throw e;
      return this.host.list(await this.#anew(connection, x), type, x);
    });
  }

  call(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    const connection = this.#connection;
    if (connection === undefined || this.#odd || this.#closing !== undefined) return this.#slowCall(method, params, x);
    this.#usedAt = this.host.clock.now();
    return connection.call(method, params, x).catch((e: unknown) => this.#again(connection, e, method, params, x));
  }

  rootsChanged(): void {
    this.#connection?.rootsChanged();
  }

  async watch(want: Watch, sink: (e: WatchEvent) => void, x?: Exchange): Promise<Honoured> {
    this.#want = want;
    this.#sink = sink;
    let connection = this.#connection;
    if (connection === undefined && x !== undefined && (want.uris?.length ?? 0) > 0) {
      try {
        connection = await this.#connect(x);
      } catch (e) {
        const message = faultOf(this.host.server, e).message;
        return { refused: want.uris?.map((uri) => ({ uri, error: { code: -32603, message } })) ?? [] };
      }
    }
    if (connection !== undefined) return connection.watch(want);
    return this.#promise(want);
  }

  close(options: { drain?: boolean } = {}): Promise<void> {
    return (this.#closing ??= this.#close(options.drain === true));
  }

  // ---- inside

  async #slowCall(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    let connection = this.#connection;
    if (connection === undefined || this.#closing !== undefined) {
      try {
        connection = await this.#connectFor(x);
      } catch (e) {
        return { kind: 'fault', fault: faultOf(this.host.server, e) };
      }
    }
    this.#usedAt = this.host.clock.now();
    const used = connection;
    const outcome = await connection
      .call(method, params, x)
      .catch((e: unknown) => this.#again(used, e, method, params, x));
    if (this.#odd && outcome.kind !== 'fault') {
      this.#odd = false;
      this.host.healthy(connection.facts);
    }
    return outcome;
  }

  /** The server has become another; a call that it did not understand is made once more. */
  async #again(old: Connection, e: unknown, method: string, params: Obj, x: Exchange): Promise<Outcome> {
    if (!(e instanceof Outdated)) throw e;
    try {
      return await (await this.#anew(old, x)).call(method, params, x);
    } catch (again) {
      const { server } = this.host;
      return {
        kind: 'fault',
        fault:
          again instanceof Outdated
            ? { name: 'UNAVAILABLE', message: `${server} answers in neither way of MCP` }
            : faultOf(server, again),
      };
    }
  }

  async #anew(old: Connection, x: Exchange): Promise<Connection> {
    if (this.#connection === old) {
      this.#connection = undefined;
      this.#idle?.clear();
      void old.close();
    }
    return this.#connectFor(x);
  }

  /** Waiting for a server to start ends when the client cancels; the start goes on. */
  async #connectFor(x: Exchange): Promise<Connection> {
    const starting = this.#connect(x);
    let cancel: (() => void) | undefined;
    const cancelled = new Promise<never>((_, reject) => {
      cancel = () => reject(new Cancelled(x.signal.reason));
      if (x.signal.aborted) cancel();
      else x.signal.addEventListener('abort', cancel, { once: true });
    });
    starting.catch(() => undefined);
    try {
      return await Promise.race([starting, cancelled]);
    } finally {
      if (cancel !== undefined) x.signal.removeEventListener('abort', cancel);
    }
  }

  /** One start at a time; whoever comes meanwhile waits for the same. */
  async #connect(x: Exchange): Promise<Connection> {
    if (this.#closing !== undefined) throw this.#replaced();
    if (this.#connection !== undefined) return this.#connection;
    if (this.#starting === undefined && this.#backoff.wait() > 0) {
      const seconds = Math.ceil(this.#backoff.wait() / 1000);
      const { failures } = this.#backoff;
      throw new CofferError(
        'UPSTREAM_UNAVAILABLE',
        `${this.host.server} failed to start${failures === 1 ? '' : ` ${failures} times`} and is tried again in ${seconds} s. ${this.#backoff.reason}`,
      );
    }
    this.#starting ??= this.#start(x).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(x: Exchange): Promise<Connection> {
    let connection: Connection | undefined;
    let lost: string | undefined;
    const events: ConnectionEvents = {
      watched: (e) => this.#sink(e),
      odd: (reason) => {
        this.#odd = true;
        this.host.failing(reason);
      },
      down: (reason) => {
        lost = reason;
        if (connection !== undefined && this.#connection === connection) this.#lost(connection, reason);
      },
    };
    try {
      connection = await this.host.gate.run(() => this.host.dial(x, events));
      if (lost !== undefined) throw new CofferError('UPSTREAM_UNAVAILABLE', lost);
    } catch (e) {
      const message = faultOf(this.host.server, e).message;
      this.host.failing(message);
      // A missing command or credential does not come back by waiting, and trying costs nothing.
      if (!isSettled(e)) this.#backoff.failed(message);
      throw e;
    }
    if (this.#closing !== undefined) {
      await connection.close();
      throw this.#replaced();
    }
    this.#connection = connection;
    this.#declaration = declarationOf(x);
    this.#odd = false;
    this.#usedAt = this.host.clock.now();
    this.#backoff.succeeded();
    this.host.healthy(connection.facts);
    this.#armIdle(this.host.idleMs);
    if (Object.keys(this.#want).length > 0) {
      const watching = connection.watch(this.#want);
      // Where watching is a standing request, calls need not wait until it is acknowledged.
      if (connection.fixed) await watching;
    }
    return connection;
  }

  #replaced(): CofferError {
    return new CofferError(
      'UPSTREAM_UNAVAILABLE',
      `${this.host.server} was removed or its config changed. Call again.`,
    );
  }

  #lost(connection: Connection, reason: string): void {
    this.#connection = undefined;
    this.#idle?.clear();
    this.host.failing(reason);
    void connection.close();
  }

  #armIdle(ms: number): void {
    this.#idle?.clear();
    this.#idle = this.host.clock.setTimeout(() => this.#collect(), ms);
  }

  #collect(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    // Subscriptions and tasks would be lost with it.
    if (connection.open > 0 || (connection.tasks ?? 0) > 0 || (this.#want.uris?.length ?? 0) > 0)
      this.#usedAt = this.host.clock.now();
    const left = this.#usedAt + this.host.idleMs - this.host.clock.now();
    if (left > 0) return this.#armIdle(left);
    this.#connection = undefined;
    void connection.close();
  }

  /** What a server that does not run will tell once it does. */
  #promise(want: Watch): Honoured {
    const capabilities = this.host.known()?.capabilities;
    const { uris: _, ...rest } = want;
    if (capabilities === undefined) return rest;
    const honoured: Honoured = {};
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      if (want[kind] && capabilities[kind]?.listChanged === true) honoured[kind] = true;
    if (want.log !== undefined && capabilities.logging !== undefined) honoured.log = want.log;
    return honoured;
  }

  async #close(drain: boolean): Promise<void> {
    this.#idle?.clear();
    // After this turn of the loop, so that whoever waits sees that it is closing.
    await Promise.resolve();
    await this.#starting?.catch(() => undefined);
    while (drain && (this.#connection?.open ?? 0) > 0)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }
}
