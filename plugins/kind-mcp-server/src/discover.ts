import {
  CofferError,
  isCofferError,
  type Clock,
  type Facts,
  type ListType,
  type Obj,
  type Resource,
} from '@coffer/kernel';
import { bareExchange } from './bare-exchange.js';
import type { Catalogue, Notes } from './catalogue.js';
import { configOf } from './config.js';
import { faultOf } from './faults.js';
import type { Health } from './health.js';
import { LIST_TYPES } from './lists.js';
import type { Upstreams } from './upstreams.js';
import type { Connection } from './wire/connection.js';

export interface TestResult {
  ok: boolean;
  latency_ms: number;
  protocol_version?: string;
  server_capabilities?: Obj;
  error_message?: string;
}

/** Looks at servers outside any session: who they are, what they have, whether they are well. */
export class Discovery {
  readonly #running = new Map<string, Promise<Catalogue>>();

  constructor(
    private readonly upstreams: Upstreams,
    private readonly notes: Notes,
    private readonly health: Health,
    private readonly clock: Clock,
    private readonly version: string,
    private readonly exists: (server: Resource) => boolean,
  ) {}

  /**
   * For a hook: a server that cannot be reached is no reason to refuse it, and one that lists slowly holds nobody up for longer
   * than it may take to start.
   */
  async tryDiscover(server: Resource): Promise<void> {
    const found = this.discover(server).then(
      () => undefined,
      () => undefined,
    );
    let timer: { clear(): void } | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.clock.setTimeout(resolve, configOf(server).spawn_timeout_seconds * 1000);
    });
    await Promise.race([found, late]);
    timer?.clear();
  }

  /** Lists everything anew. Throws UPSTREAM_UNAVAILABLE and its like; the health has the reason then. */
  discover(server: Resource): Promise<Catalogue> {
    const key = `${server.name} ${server.updated_at}`;
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#discover(server).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  /** What is known of the last minute, or a look. */
  async catalogue(server: Resource): Promise<{ catalogue: Catalogue; cached: boolean }> {
    const fresh = this.notes.fresh(server.name, this.clock.now());
    return fresh !== undefined
      ? { catalogue: fresh, cached: true }
      : { catalogue: await this.discover(server), cached: false };
  }

  /** Connects, shakes hands and hangs up. Never throws. */
  async test(server: Resource): Promise<TestResult> {
    const from = performance.now();
    const latency = (): number => Math.round(performance.now() - from);
    try {
      const facts = await this.#with(server, async (connection) => connection.facts);
      return {
        ok: true,
        latency_ms: latency(),
        ...(facts.protocolVersion !== undefined && { protocol_version: facts.protocolVersion }),
        server_capabilities: facts.capabilities,
      };
    } catch (e) {
      return { ok: false, latency_ms: latency(), error_message: faultOf(server.name, e).message };
    }
  }

  async #discover(server: Resource): Promise<Catalogue> {
    const lists = await this.#with(server, async (connection) => {
      const found: Partial<Record<ListType, readonly Obj[]>> = {};
      for (const type of LIST_TYPES) found[type] = await this.upstreams.list(server.name, connection, type);
      return found as Record<ListType, readonly Obj[]>; // every type was listed
    });
    return this.notes.keep(server.name, lists, this.clock.now());
  }

  async #with<T>(server: Resource, look: (connection: Connection) => Promise<T>): Promise<T> {
    let connection: Connection | undefined;
    let odd: string | undefined;
    try {
      connection = await this.upstreams.dial(server, bareExchange(this.version), { odd: (reason) => (odd = reason) });
      const result = await look(connection);
      if (odd !== undefined) throw new CofferError('UPSTREAM_UNAVAILABLE', odd);
      this.#well(server, connection.facts);
      return result;
    } catch (e) {
      if (this.exists(server)) this.health.failing(server.name, faultOf(server.name, e).message);
      throw isCofferError(e)
        ? e
        : new CofferError('UPSTREAM_UNAVAILABLE', faultOf(server.name, e).message, {}, { cause: e });
    } finally {
      await connection?.close();
    }
  }

  #well(server: Resource, facts: Facts): void {
    if (this.exists(server)) this.health.healthy(server.name, facts);
  }
}
