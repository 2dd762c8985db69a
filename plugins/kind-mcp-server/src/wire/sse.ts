import type { IncomingMessage } from 'node:http';
import { CofferError } from '@coffer/kernel';
import { oneLine } from './bytes.js';
import type { Receiver, Terms, Transport } from './connection.js';
import type { HttpClient } from './http-client.js';
import { oddity, type } from './http.js';
import { text } from './message.js';
import { sseReader } from './sse-stream.js';

/** HTTP+SSE of 2024-11-05: one stream tells where to post and carries every answer. */
export class LegacySse implements Transport {
  readonly ties = false;
  #receiver!: Receiver;
  #endpoint: URL | undefined;
  #hangUp: (() => void) | undefined;
  #closed = false;

  constructor(
    private readonly client: HttpClient,
    private readonly terms: Pick<Terms, 'server' | 'maxMessageBytes' | 'spawnMs'>,
  ) {}

  open(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
    const { server, spawnMs } = this.terms;
    return new Promise((resolve, reject) => {
      const fail = (message: string, status?: number): void =>
        reject(new CofferError('UPSTREAM_UNAVAILABLE', `${server}: ${message}`, { status }));
      const timer = setTimeout(
        () => fail(`no endpoint event within ${spawnMs / 1000} seconds (spawn_timeout_seconds)`),
        spawnMs,
      ).unref();
      const opened = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#hangUp = this.client.ask({
        method: 'GET',
        headers: { accept: 'text/event-stream' },
        failed: (reason) => fail(`cannot be reached: ${reason}`),
        response: (res) => {
          if (res.statusCode !== 200 || type(res) !== 'text/event-stream') {
            res.resume();
            return fail(oddity(res.statusCode ?? 0, type(res)), res.statusCode);
          }
          this.#read(res, opened, fail);
        },
      });
    });
  }

  send(message: string, id?: number): void {
    if (this.#closed || this.#endpoint === undefined) return;
    this.client.ask(
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: message,
        response: (res) => {
          const status = res.statusCode ?? 0;
          res.resume();
          res.on('error', () => undefined);
          if (id !== undefined && status >= 300) this.#receiver.unanswered(id, oddity(status, type(res)), { status });
        },
        failed: (reason) => this.#down(`cannot be reached: ${reason}`),
      },
      this.#endpoint,
    );
  }

  drop(): void {}
  agreed(): void {}
  forget(): void {}

  async close(): Promise<void> {
    this.#closed = true;
    this.#hangUp?.();
    this.client.close();
  }

  #read(res: IncomingMessage, opened: () => void, fail: (message: string) => void): void {
    res.on(
      'data',
      sseReader(
        this.terms.maxMessageBytes,
        (e) => {
          if (e.type !== 'endpoint') return void this.#receiver.message(oneLine(e.data));
          const to = text(e.data);
          if (!URL.canParse(to, this.client.url.href) || new URL(to, this.client.url).origin !== this.client.url.origin)
            return fail('its endpoint event names an address of another origin');
          this.#endpoint ??= new URL(to, this.client.url);
          opened();
        },
        () => undefined,
        () => {
          this.#down(`sent a message over ${this.terms.maxMessageBytes / 2 ** 20} MiB (max_message_mib)`);
          res.destroy();
        },
      ),
    );
    res.on('error', () => undefined);
    res.on('close', () => {
      fail('ended its stream before the endpoint event');
      this.#down('ended its stream of events');
    });
  }

  #down(reason: string): void {
    if (!this.#closed) this.#receiver.down(`${this.terms.server}: ${reason}`);
  }
}
