import { CofferError, isCofferError, type Clock, type Exchange } from '@coffer/kernel';
import type { HttpTransport, ServerConfig, StdioTransport } from './config.js';
import { targetOf, type Eras, type Verdict } from './eras.js';
import type { Launcher } from './launch/launcher.js';
import { Attempt } from './wire/attempt.js';
import type { Connection, ConnectionEvents, Terms } from './wire/connection.js';
import { HttpClient } from './wire/http-client.js';
import { StreamableHttp } from './wire/http.js';
import { openLegacy } from './wire/legacy.js';
import { ModernHttp } from './wire/modern-http.js';
import { ELSEWHERE, isRefusal } from './wire/refusal.js';
import { lookForModern, openModern, openProgram, PROBE_MS, type Surroundings } from './wire/probe.js';
import { LegacySse } from './wire/sse.js';
import { Stdio } from './wire/stdio.js';

/** How long a question asked between calls waits for a call that can carry it. */
const LATE_MS = 55_000;
/** No call runs longer, whatever it reports. */
const TOTAL_MS = 1_800_000;

export interface DialEvents extends ConnectionEvents {
  /** A line on stdout that was no JSON-RPC. */
  noise(line: string): void;
}

/** The ways to one server. Each throws a CofferError when it leads nowhere. */
interface Ways {
  legacy(s: Surroundings): Promise<Connection>;
  modern(s: Surroundings): Promise<Connection>;
  /** The era is not known. */
  either(s: Surroundings): Promise<Connection>;
  /** Can the connection of the older era that was opened last carry questions? */
  asks(): boolean;
}

/**
 * Opens connections to servers: the transport their config names, for an address the one that works, and of the eras they speak
 * the one that is their client's.
 */
export class Dialer {
  /** Addresses that turned out to speak HTTP+SSE. */
  readonly #sse = new Set<string>();

  constructor(
    private readonly launcher: Launcher,
    private readonly clock: Clock,
    private readonly version: string,
    private readonly eras: Eras,
  ) {}

  /** Throws a CofferError whose message holds no secret of the server. */
  async dial(server: string, config: ServerConfig, x: Exchange, events: DialEvents): Promise<Connection> {
    const t = config.transport;
    const s: Surroundings = { terms: this.#terms(server, config), clock: this.clock, events, x };
    try {
      return await this.#choose(
        targetOf(t),
        t.type === 'http' ? this.#address(t, s.terms) : this.#program(t, s, events),
        s,
      );
    } catch (e) {
      if (!isCofferError(e)) throw e;
      throw new CofferError(e.code, this.launcher.redactor(t.credential_refs)(e.message), e.details, { cause: e });
    }
  }

  /** May the connection serve other clients too? False when it is known that it will be one of the older era. */
  mayShare(config: ServerConfig, x: Exchange): boolean {
    return !older(this.eras.of(targetOf(config.transport)), x);
  }

  async #choose(target: string, ways: Ways, s: Surroundings): Promise<Connection> {
    const known = this.eras.of(target);
    if (older(known, s.x)) return this.#older(target, ways, s, known as Verdict); // else it would be no verdict for the older era
    const connection = await ways.either(s);
    const { version } = infoOf(connection);
    if (connection.fixed) {
      this.eras.note(target, { modern: false, legacy: true, ...version });
      return connection;
    }
    if (s.x.rounds || known?.legacy === false) {
      if (known?.modern !== true || known.version !== version.version)
        this.eras.note(target, { modern: true, ...version });
      return connection;
    }
    return this.#both(target, ways, s, connection);
  }

  /** It speaks the newer era to a client of the older: with the older one at both ends nothing has to be bridged. */
  async #both(target: string, ways: Ways, s: Surroundings, modern: Connection): Promise<Connection> {
    const attempt = new Attempt(s.events);
    // No answer soon is no reason to keep anybody waiting: the other connection is open.
    const terms = { ...s.terms, spawnMs: Math.min(s.terms.spawnMs, PROBE_MS) };
    const legacy = await ways.legacy({ ...s, terms, events: attempt }).catch(() => undefined);
    const { version } = infoOf(modern);
    if (legacy === undefined || !ways.asks()) {
      await legacy?.close();
      this.eras.note(target, { modern: true, legacy: false, ...version });
      return modern;
    }
    this.eras.note(target, { modern: true, legacy: true, ...version });
    await modern.close();
    attempt.take();
    return legacy;
  }

  async #older(target: string, ways: Ways, s: Surroundings, known: Verdict): Promise<Connection> {
    try {
      const connection = await ways.legacy(s);
      // What spoke only the older era may speak both after an upgrade; the next start looks.
      if (infoOf(connection).version.version !== known.version) this.eras.forget(target);
      return connection;
    } catch (e) {
      if (!isRefusal(e)) throw e;
      this.eras.forget(target);
      const connection = await ways.modern(s).catch(() => undefined);
      if (connection === undefined) throw e;
      this.eras.note(target, { modern: true, legacy: false, ...infoOf(connection).version });
      return connection;
    }
  }

  #program(t: StdioTransport, { terms }: Surroundings, events: DialEvents): Ways {
    const { server } = terms;
    const noise = (line: string): void => {
      this.launcher.log(server).write(`[stdout] ${this.launcher.redactor(t.credential_refs)(line.slice(0, 4096))}`);
      events.noise(line);
    };
    const start = (): Stdio => new Stdio(server, () => this.launcher.start(server, t), terms.maxMessageBytes, noise);
    return {
      legacy: (s) => openLegacy(start(), s.terms, s.clock, s.events, s.x),
      modern: (s) => openModern(start(), s),
      either: (s) => openProgram(start, s),
      asks: () => true,
    };
  }

  #address(t: HttpTransport, { server, maxMessageBytes }: Terms): Ways {
    const url = new URL(t.url);
    const headers = { 'user-agent': `coffer/${this.version}`, ...this.launcher.headers(server, t) };
    const modern = (): ModernHttp => new ModernHttp(new HttpClient(url, headers), { server, maxMessageBytes });
    let last: StreamableHttp | undefined;
    const legacy = (s: Surroundings): Promise<Connection> =>
      this.#legacyHttp(url, headers, s, (transport) => (last = transport));
    return {
      legacy,
      modern: (s) => openModern(modern(), s),
      either: async (s) => (await lookForModern(modern(), s)) ?? legacy(s),
      asks: () => last === undefined || last.session,
    };
  }

  async #legacyHttp(
    url: URL,
    headers: Record<string, string>,
    s: Surroundings,
    used: (transport: StreamableHttp | undefined) => void,
  ): Promise<Connection> {
    const older = (): Promise<Connection> =>
      openLegacy(new LegacySse(new HttpClient(url, headers), s.terms), s.terms, s.clock, s.events, s.x);
    if (this.#sse.has(url.href)) {
      try {
        const connection = await older();
        used(undefined);
        return connection;
      } catch {
        // The server may have been upgraded since.
        this.#sse.delete(url.href);
      }
    }
    const newer = new StreamableHttp(new HttpClient(url, headers), s.terms, s.clock);
    used(newer);
    try {
      return await openLegacy(newer, s.terms, s.clock, s.events, s.x);
    } catch (e) {
      if (newer.refused === undefined || !ELSEWHERE.has(newer.refused)) throw e;
      try {
        const connection = await older();
        this.#sse.add(url.href);
        used(undefined);
        return connection;
      } catch {
        // What the address said to the current transport tells more.
        throw e;
      }
    }
  }

  #terms(server: string, config: ServerConfig): Terms {
    return {
      server,
      version: this.version,
      spawnMs: config.spawn_timeout_seconds * 1000,
      requestMs: config.request_timeout_seconds * 1000,
      maxMessageBytes: config.max_message_mib * 2 ** 20,
      lateMs: LATE_MS,
      totalMs: TOTAL_MS,
    };
  }
}

/** Does this client get a connection of the older era without a question? */
function older(known: Verdict | undefined, x: Exchange): boolean {
  return known !== undefined && (!known.modern || (known.legacy === true && !x.rounds));
}

function infoOf(connection: Connection): { version: { version?: string } } {
  const version: unknown = connection.facts.info?.version;
  return { version: typeof version === 'string' ? { version } : {} };
}
