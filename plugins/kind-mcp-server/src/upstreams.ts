import type {
  Clock,
  Exchange,
  GatewaySession,
  Kernel,
  ListType,
  Obj,
  Resource,
  Source,
  SourceCollector,
} from '@coffer/kernel';
import { configDigest, configOf, digest, KIND, type ServerConfig } from './config.js';
import type { Notes } from './catalogue.js';
import type { Dialer } from './dial.js';
import { soundTools, usableTools, type Finding } from './findings.js';
import { Gate } from './gate.js';
import type { Health } from './health.js';
import { wholeList } from './lists.js';
import type { Preferences } from './preferences.js';
import { SharedConnections } from './shared.js';
import { ServerSource } from './source.js';
import type { Connection, ConnectionEvents } from './wire/connection.js';
import { declared } from './wire/handshake.js';

export interface UpstreamParts {
  dialer: Dialer;
  preferences: Preferences;
  health: Health;
  notes: Notes;
}

const COLD_STARTS = 4;

/** The servers as the gateway's sessions see them. */
export class Upstreams {
  readonly #open = new Map<string, Set<ServerSource>>();
  /** Cold starts of each session wait in line. */
  readonly #gates = new Map<string, Gate>();
  readonly #coldStarts: number;
  readonly #shared = new SharedConnections();
  readonly #clock: Clock;

  constructor(
    private readonly kernel: Kernel,
    private readonly parts: UpstreamParts,
  ) {
    this.#coldStarts = Number(kernel.env.COFFER_MCP_MAX_CONCURRENT_SPAWNS ?? COLD_STARTS);
    this.#clock = kernel.clock;
  }

  /** Tap of `gateway.sources`: every server that is on and in reach of this machine. */
  offer(session: GatewaySession, sources: SourceCollector): void {
    for (const server of this.kernel.resources.list(KIND)) {
      if (!server.enabled) continue;
      const hidden = this.kernel.hidden(server, session.viewpoint);
      // Off this machine it is as if it had never been registered.
      if (hidden?.axis === 'machine') continue;
      const config = configOf(server);
      const key = configDigest(config);
      this.parts.preferences.policy(server.name, config.auto_enable_new_capabilities);
      sources.offer({
        name: server.name,
        ref: server.ref,
        key,
        listKey: (capabilities) =>
          `${server.ref} ${key} ${digest(declared({ capabilities, rounds: false } as Exchange))}`, // all that `declared` reads
        ...(hidden !== undefined && { hidden: true }),
        open: () => this.#source(session, server.name, config),
      });
    }
  }

  release(session: GatewaySession): void {
    this.#gates.delete(session.key);
  }

  /** Ends every process and connection of a server, whatever it is doing. */
  async evict(server: string): Promise<void> {
    await Promise.all([...(this.#open.get(server) ?? [])].map((source) => source.close()));
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((server) => this.evict(server)));
  }

  /** A connection of no session, for looking at a server. The caller closes it. */
  dial(server: Resource, x: Exchange, events: Partial<ConnectionEvents> = {}): Promise<Connection> {
    const ignore = (): void => undefined;
    return this.#dial(server.name, configOf(server), x, { watched: ignore, down: ignore, odd: ignore, ...events });
  }

  /** A whole list, checked and taken note of. */
  async list(server: string, connection: Connection, type: ListType, x?: Exchange): Promise<readonly Obj[]> {
    const whole = await wholeList(server, connection, type, x);
    const findings: Finding[] = whole.endless
      ? [
          {
            kind: 'endless_list',
            message: `${server} repeats a page of its ${type} or has over 1000 pages; the rest is left out`,
          },
        ]
      : [];
    let items = whole.items;
    if (type === 'tools') {
      const usable = usableTools(items, (tool) => connection.unusable?.(tool));
      findings.push(...usable.findings);
      const sound = soundTools(server, usable.items);
      items = sound.items;
      findings.push(...sound.findings);
    }
    this.parts.notes.found(server, type, findings);
    // Its resource may have been deleted while it listed.
    if (this.kernel.resources.find(KIND, server) !== undefined) this.parts.preferences.reconcile(server, type, items);
    return items;
  }

  #source(session: GatewaySession, server: string, config: ServerConfig): Source {
    const { health, dialer } = this.parts;
    let gate = this.#gates.get(session.key);
    if (gate === undefined) this.#gates.set(session.key, (gate = new Gate(this.#coldStarts)));
    const shared = digest([server, configDigest(config), session.agent]);
    const source: ServerSource = new ServerSource({
      server,
      clock: this.#clock,
      gate,
      idleMs: config.idle_timeout_seconds * 1000,
      dial: (x, events) =>
        dialer.mayShare(config, x)
          ? this.#shared.take(shared, events, (own) => this.#dial(server, config, x, own))
          : this.#dial(server, config, x, events),
      list: (connection, type, x) => this.list(server, connection, type, x),
      known: () => health.of(server).facts,
      healthy: (facts) => this.#exists(server) && health.healthy(server, facts),
      failing: (reason) => {
        this.kernel.log.warn('upstream failing', { server, reason });
        if (this.#exists(server)) health.failing(server, reason);
      },
      closed: () => {
        const open = this.#open.get(server);
        open?.delete(source);
        if (open?.size === 0) this.#open.delete(server);
      },
    });
    const open = this.#open.get(server) ?? new Set();
    this.#open.set(server, open.add(source));
    return source;
  }

  #exists(server: string): boolean {
    return this.kernel.resources.find(KIND, server) !== undefined;
  }

  #dial(server: string, config: ServerConfig, x: Exchange, events: ConnectionEvents): Promise<Connection> {
    const noise = (): void => this.parts.notes.noisy(server);
    return this.parts.dialer.dial(server, config, x, { ...events, noise });
  }
}
