import { CofferError, isCofferError, type Clock, type Exchange } from '@coffer/kernel';
import type { HttpTransport, ServerConfig } from './config.js';
import type { Launcher } from './launch/launcher.js';
import type { Connection, ConnectionEvents, Terms } from './wire/connection.js';
import { HttpClient } from './wire/http-client.js';
import { StreamableHttp } from './wire/http.js';
import { openLegacy } from './wire/legacy.js';
import { LegacySse } from './wire/sse.js';
import { Stdio } from './wire/stdio.js';

/** How long a question asked between calls waits for a call that can carry it. */
const LATE_MS = 55_000;
/** No call runs longer, whatever it reports. */
const TOTAL_MS = 1_800_000;
/** Answers to a first POST that mean: this address may speak the older transport. */
const OLDER = new Set([400, 404, 405]);

export interface DialEvents extends ConnectionEvents {
  /** A line on stdout that was no JSON-RPC. */
  noise(line: string): void;
}

/** Opens connections to servers: the transport their config names, and for an address the one that works. */
export class Dialer {
  /** Addresses that turned out to speak HTTP+SSE. */
  readonly #sse = new Set<string>();

  constructor(
    private readonly launcher: Launcher,
    private readonly clock: Clock,
    private readonly version: string,
  ) {}

  /** Throws a CofferError whose message holds no secret of the server. */
  async dial(server: string, config: ServerConfig, x: Exchange, events: DialEvents): Promise<Connection> {
    const terms = this.#terms(server, config);
    const t = config.transport;
    try {
      if (t.type === 'http') return await this.#http(t, terms, events, x);
      const noise = (line: string): void => {
        this.launcher.log(server).write(`[stdout] ${this.launcher.redactor(t.credential_refs)(line.slice(0, 4096))}`);
        events.noise(line);
      };
      const stdio = new Stdio(server, () => this.launcher.start(server, t), terms.maxMessageBytes, noise);
      return await openLegacy(stdio, terms, this.clock, events, x);
    } catch (e) {
      if (!isCofferError(e)) throw e;
      throw new CofferError(e.code, this.launcher.redactor(t.credential_refs)(e.message), e.details, { cause: e });
    }
  }

  async #http(t: HttpTransport, terms: Terms, events: ConnectionEvents, x: Exchange): Promise<Connection> {
    const url = new URL(t.url);
    const headers = { 'user-agent': `coffer/${this.version}`, ...this.launcher.headers(terms.server, t) };
    const older = (): Promise<Connection> =>
      openLegacy(new LegacySse(new HttpClient(url, headers), terms), terms, this.clock, events, x);
    if (this.#sse.has(url.href)) {
      try {
        return await older();
      } catch {
        // The server may have been upgraded since.
        this.#sse.delete(url.href);
      }
    }
    const newer = new StreamableHttp(new HttpClient(url, headers), terms, this.clock);
    try {
      return await openLegacy(newer, terms, this.clock, events, x);
    } catch (e) {
      if (newer.refused === undefined || !OLDER.has(newer.refused)) throw e;
      try {
        const connection = await older();
        this.#sse.add(url.href);
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
