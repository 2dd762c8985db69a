import type { IncomingMessage } from 'node:http';
import type { Clock, Obj } from '@coffer/kernel';
import { oneLine } from './bytes.js';
import type { Receiver, Terms, Transport } from './connection.js';
import type { HttpClient } from './http-client.js';
import { sseReader } from './sse-stream.js';
import { text } from './message.js';

const RESUMES = 3;
const BACKOFF = { first: 500, most: 30_000 };
/** A stream that goes on after its reply is hung up on. */
const AFTERGLOW_MS = 2000;
const REFUSAL_READ = 64 * 1024;
/** Errors that only the newer era has: headers that do not match, a version that is not spoken. */
const NEWER = /"code":\s*-3202[02]\b/;

/** Streamable HTTP: a POST for each message, its answer as JSON or as events, and a GET stream for the rest. */
export class StreamableHttp implements Transport {
  readonly ties = true;
  /** HTTP status with which the first request was refused; another transport may be worth a try. */
  refused: number | undefined;
  #receiver!: Receiver;
  #session: string | undefined;
  #version: string | undefined;
  #closed = false;
  readonly #open = new Map<number, () => void>();
  #listening: (() => void) | undefined;
  #listenAgain: { clear(): void } | undefined;
  #lastEvent: string | undefined;

  constructor(
    private readonly client: HttpClient,
    private readonly terms: Pick<Terms, 'server' | 'maxMessageBytes'>,
    private readonly clock: Clock,
  ) {}

  async open(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
  }

  send(message: string, id?: number): void {
    this.#post(message, id, true);
  }

  drop(id: number): void {
    this.#open.get(id)?.();
    this.#open.delete(id);
  }

  agreed(version: string): void {
    this.#version = version;
    this.#listen(BACKOFF.first);
  }

  forget(): void {
    this.#session = undefined;
    this.#version = undefined;
    this.#lastEvent = undefined;
    this.#stopListening();
  }

  /** The server opened a session; one that did not cannot ask its client anything. */
  get session(): boolean {
    return this.#session !== undefined;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopListening();
    for (const hangUp of this.#open.values()) hangUp();
    if (this.#session !== undefined) await this.#goodbye();
    this.client.close();
  }

  #headers(more: Record<string, string>): Record<string, string> {
    if (this.#session !== undefined) more['mcp-session-id'] = this.#session;
    if (this.#version !== undefined) more['mcp-protocol-version'] = this.#version;
    return more;
  }

  #post(message: string, id: number | undefined, again: boolean): void {
    if (this.#closed) return;
    const hangUp = this.client.ask({
      method: 'POST',
      headers: this.#headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
      body: message,
      response: (res) => this.#answer(res, id),
      failed: (reason, reused) => {
        // A kept socket that closes just now took nothing; but whether a tool ran can never be known for certain.
        if (reused && again && !/^.{0,60}"method":"tools\/call"/.test(message)) return this.#post(message, id, false);
        if (id === undefined) return;
        this.#open.delete(id);
        this.#receiver.down(`${this.terms.server} cannot be reached: ${reason}`);
      },
    });
    if (id !== undefined) this.#open.set(id, hangUp);
  }

  #answer(res: IncomingMessage, id: number | undefined): void {
    const status = res.statusCode ?? 0;
    const session = res.headers['mcp-session-id'];
    if (typeof session === 'string' && status < 300) this.#session = session;
    if (id === undefined) {
      res.resume();
      res.on('error', () => undefined);
      return;
    }
    if (status === 404 && this.#session !== undefined) {
      res.resume();
      this.#open.delete(id);
      return this.#receiver.sessionLost(id);
    }
    if (status >= 200 && status < 300 && type(res) === 'text/event-stream') return this.#stream(res, id, 0);
    this.#body(res, id, status);
  }

  #body(res: IncomingMessage, id: number, status: number): void {
    const ok = status >= 200 && status < 300;
    const limit = ok ? this.terms.maxMessageBytes : REFUSAL_READ;
    const chunks: Buffer[] = [];
    let size = 0;
    res.on('data', (c: Buffer) => {
      size += c.length;
      chunks.push(c);
      if (size > limit) res.destroy();
    });
    res.on('error', () => undefined);
    res.on('close', () => {
      this.#open.delete(id);
      if (this.#closed || !this.#receiver.waits(id)) return;
      if (size > limit && ok)
        return this.#unanswered(id, `its answer is over ${limit / 2 ** 20} MiB (max_message_mib)`, { status });
      if (!res.complete && size <= limit) return this.#broken('it broke its answer off');
      if (
        status === 400 &&
        this.#session !== undefined &&
        /session/i.test(text(chunks.length > 0 ? chunks : [Buffer.alloc(0)]))
      )
        return this.#receiver.sessionLost(id);
      // The server has become one of the newer era; what the handshake says to that decides.
      if (status === 400 && this.#version !== undefined && NEWER.test(chunks.length > 0 ? text(chunks) : ''))
        return this.#receiver.sessionLost(id);
      this.refused ??= ok ? undefined : status;
      if (chunks.length > 0) this.#receiver.message(oneLine(chunks), id);
      this.#unanswered(id, oddity(status, type(res)), { status });
    });
  }

  #stream(res: IncomingMessage, id: number, resumes: number): void {
    let last: string | undefined;
    let pause = BACKOFF.first;
    let afterglow: NodeJS.Timeout | undefined;
    const read = sseReader(
      this.terms.maxMessageBytes,
      (e) => {
        if (e.id !== undefined) last = e.id;
        if (e.data.length === 0) return;
        this.#receiver.message(oneLine(e.data), id);
        if (!this.#receiver.waits(id)) afterglow ??= setTimeout(() => res.destroy(), AFTERGLOW_MS).unref();
      },
      (ms) => (pause = Math.min(ms, BACKOFF.most)),
      () => {
        this.#unanswered(id, `it sent a message over ${this.terms.maxMessageBytes / 2 ** 20} MiB (max_message_mib)`);
        res.destroy();
      },
    );
    res.on('data', read);
    res.on('error', () => undefined);
    res.on('close', () => {
      clearTimeout(afterglow);
      this.#open.delete(id);
      if (this.#closed || !this.#receiver.waits(id)) return;
      if (last !== undefined && last !== '' && resumes < RESUMES) return this.#resume(id, last, pause, resumes + 1);
      if (!res.complete) return this.#broken('it broke its stream of events off before the answer');
      this.#unanswered(id, 'it ended its stream of events without an answer', { status: res.statusCode });
    });
  }

  /** The answer may still come: servers that number their events keep them for a client that comes back. */
  #resume(id: number, last: string, pause: number, resumes: number): void {
    const timer = this.clock.setTimeout(() => {
      const hangUp = this.client.ask({
        method: 'GET',
        headers: this.#headers({ accept: 'text/event-stream', 'last-event-id': last }),
        response: (res) => {
          if (res.statusCode === 200 && type(res) === 'text/event-stream') return this.#stream(res, id, resumes);
          res.resume();
          this.#open.delete(id);
          this.#unanswered(id, `it broke its stream of events off and could not resume it (HTTP ${res.statusCode})`, {
            status: res.statusCode,
          });
        },
        failed: (reason) => (resumes < RESUMES ? this.#resume(id, last, pause * 2, resumes + 1) : this.#broken(reason)),
      });
      this.#open.set(id, hangUp);
    }, pause);
    this.#open.set(id, () => timer.clear());
  }

  #listen(pause: number): void {
    if (this.#closed) return;
    const again = (): void => {
      this.#listening = undefined;
      this.#listenAgain = this.clock.setTimeout(() => this.#listen(Math.min(pause * 2, BACKOFF.most)), pause);
    };
    const headers = this.#headers({ accept: 'text/event-stream' });
    if (this.#lastEvent !== undefined) headers['last-event-id'] = this.#lastEvent;
    this.#listening = this.client.ask({
      method: 'GET',
      headers,
      failed: again,
      response: (res) => {
        res.on('error', () => undefined);
        if (res.statusCode !== 200 || type(res) !== 'text/event-stream') {
          res.resume();
          // 405 and its like: this server has nothing to say of its own accord.
          if (res.statusCode === 404 && this.#session !== undefined && this.#lastEvent !== undefined)
            this.#receiver.sessionLost();
          else if ((res.statusCode ?? 0) >= 500) again();
          return;
        }
        res.on(
          'data',
          sseReader(
            this.terms.maxMessageBytes,
            (e) => {
              this.#lastEvent = e.id ?? this.#lastEvent;
              pause = BACKOFF.first;
              if (e.data.length > 0) this.#receiver.message(oneLine(e.data));
            },
            (ms) => (pause = Math.min(ms, BACKOFF.most)),
            () => res.destroy(),
          ),
        );
        res.on('close', again);
      },
    });
  }

  #stopListening(): void {
    this.#listenAgain?.clear();
    this.#listening?.();
    this.#listening = undefined;
  }

  #unanswered(id: number, message: string, data?: Obj): void {
    this.#receiver.unanswered(id, message, data);
  }

  /** The server may have been restarted: whatever it knew of us is better made anew. */
  #broken(reason: string): void {
    if (!this.#closed) this.#receiver.down(`${this.terms.server}: ${reason}`);
  }

  #goodbye(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 2000);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.client.ask({
        method: 'DELETE',
        headers: this.#headers({}),
        failed: done,
        response: (res) => {
          res.resume();
          res.on('close', done);
        },
      });
    });
  }
}

export function type(res: IncomingMessage): string {
  return (res.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** What was odd about an answer that held no reply. */
export function oddity(status: number, contentType: string): string {
  if (status === 401 || status === 403)
    return `it refused with HTTP ${status}: it wants authorization, give it a header from a credential (credential_refs)`;
  if (status === 202 || status === 204) return `it answered HTTP ${status} and so will never reply`;
  if (status >= 200 && status < 300)
    return `it answered HTTP ${status} with ${contentType === 'text/html' ? 'a web page' : 'something'} that is no JSON-RPC reply`;
  return `it answered HTTP ${status}`;
}
