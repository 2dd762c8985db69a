import type { IncomingMessage } from 'node:http';
import { oneLine } from './bytes.js';
import type { Receiver, Terms, Transport } from './connection.js';
import { MODERN } from './envelope.js';
import type { HttpClient } from './http-client.js';
import { oddity, type } from './http.js';
import { ELSEWHERE } from './refusal.js';
import { sseReader } from './sse-stream.js';

const AFTERGLOW_MS = 2000;
const REFUSAL_READ = 64 * 1024;
/** HTTP as of 2026-07-28: a POST for each request and nothing else. No session, nothing is resumed, hanging up is to cancel. */
export class ModernHttp implements Transport {
  readonly ties = true;
  #receiver!: Receiver;
  #closed = false;
  readonly #open = new Map<number, () => void>();

  constructor(
    private readonly client: HttpClient,
    private readonly terms: Pick<Terms, 'server' | 'maxMessageBytes'>,
  ) {}

  async open(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
  }

  /** A message without an id would be a notification; this era has none that goes to a server over HTTP. */
  send(message: string, id?: number, headers: Record<string, string> = {}): void {
    if (id !== undefined) this.#post(message, id, headers, headers['mcp-method'] !== 'tools/call');
  }

  drop(id: number): void {
    this.#open.get(id)?.();
    this.#open.delete(id);
  }

  agreed(): void {}
  forget(): void {}

  async close(): Promise<void> {
    this.#closed = true;
    for (const hangUp of this.#open.values()) hangUp();
    this.client.close();
  }

  #post(message: string, id: number, headers: Record<string, string>, again: boolean): void {
    if (this.#closed) return;
    const hangUp = this.client.ask({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        ...headers,
      },
      body: message,
      response: (res) => this.#answer(res, id),
      failed: (reason, reused) => {
        // A kept socket that closes just now took nothing; but whether a tool ran can never be known for certain.
        if (reused && again) return this.#post(message, id, headers, false);
        this.#open.delete(id);
        this.#unanswered(id, `cannot be reached: ${reason}`);
      },
    });
    this.#open.set(id, hangUp);
  }

  #answer(res: IncomingMessage, id: number): void {
    const status = res.statusCode ?? 0;
    if (status >= 200 && status < 300 && type(res) === 'text/event-stream') return this.#stream(res, id);
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
        return this.#unanswered(id, `its answer is over ${limit / 2 ** 20} MiB (max_message_mib)`);
      if (!res.complete && size <= limit) return this.#unanswered(id, 'it broke its answer off');
      if (ELSEWHERE.has(status)) this.#receiver.refused?.(id);
      if (chunks.length > 0) this.#receiver.message(oneLine(chunks), id);
      this.#unanswered(id, oddity(status, type(res)), status);
    });
  }

  #stream(res: IncomingMessage, id: number): void {
    let afterglow: NodeJS.Timeout | undefined;
    const read = sseReader(
      this.terms.maxMessageBytes,
      (e) => {
        if (e.data.length === 0) return;
        this.#receiver.message(oneLine(e.data), id);
        if (!this.#receiver.waits(id)) afterglow ??= setTimeout(() => res.destroy(), AFTERGLOW_MS).unref();
      },
      () => undefined,
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
      this.#unanswered(id, 'it ended its stream of events without an answer', res.statusCode);
    });
  }

  #unanswered(id: number, message: string, status?: number): void {
    if (!this.#closed && this.#receiver.waits(id))
      this.#receiver.unanswered(id, message, status === undefined ? undefined : { status });
  }
}
