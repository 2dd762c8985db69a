/** One answer over HTTP: JSON until something must be said before the result, then server-sent events. */
import type { ServerResponse } from 'node:http';
import type { Obj } from '../../json.js';
import { HEARTBEAT_MS, SSE_HEADERS } from '../../http/sse.js';
import type { Payload } from '../payload.js';
import type { RpcError } from '../seam.js';

/** Up to this size an answer is copied into one buffer and sent in one write, in bytes. */
const ONE_WRITE = 32_768;
const END = Buffer.from('}');
const EVENT_END = Buffer.from('}\n\n');

export class Reply {
  #sse = false;
  #beat: NodeJS.Timeout | undefined;

  constructor(
    protected readonly res: ServerResponse,
    /** The client reads event streams; otherwise nothing can be said before the answer. */
    private readonly streams: boolean,
  ) {}

  /** Can something still be sent on it before the answer? */
  get canSend(): boolean {
    return this.streams && this.open;
  }
  get open(): boolean {
    return !this.res.writableEnded && !this.res.destroyed;
  }
  get streaming(): boolean {
    return this.#sse;
  }

  /** Turns the answer into an event stream, so that a silent wait does not look like a dead connection. */
  stream(): void {
    if (this.#sse || !this.open) return;
    this.#sse = true;
    this.res.writeHead(200, SSE_HEADERS);
    this.res.write(':\n\n');
    this.#beat = setInterval(() => this.res.write(':\n\n'), HEARTBEAT_MS);
    this.#beat.unref();
    this.res.on('close', () => clearInterval(this.#beat));
  }

  /** A request or notification of the server's side. */
  send(message: Obj): void {
    this.stream();
    this.res.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  result(id: string | number, payload: Payload): void {
    this.#end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, payload.chunks, 200);
  }

  error(id: string | number | null, error: RpcError, status = 200): void {
    this.#end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":`, [Buffer.from(JSON.stringify(error))], status);
  }

  /** Ends without an answer: the request was cancelled, or was none. */
  nothing(status = 202): void {
    if (!this.open) return;
    clearInterval(this.#beat);
    if (!this.#sse) this.res.writeHead(status);
    this.res.end();
  }

  #end(head: string, chunks: readonly Uint8Array[], status: number): void {
    if (!this.open) return;
    clearInterval(this.#beat);
    const start = Buffer.from(this.#sse ? `data: ${head}` : head);
    const end = this.#sse ? EVENT_END : END;
    let size = start.length + end.length;
    for (const c of chunks) size += c.length;
    if (!this.#sse) this.res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': size });
    if (size <= ONE_WRITE) {
      this.res.end(Buffer.concat([start, ...chunks, end], size));
      return;
    }
    this.res.cork();
    this.res.write(start);
    for (const c of chunks) this.res.write(c);
    this.res.end(end);
    this.res.uncork();
  }
}

/** One answer among those of a batch: an event of a stream that they share and that the batch ends. */
export class PartReply extends Reply {
  constructor(res: ServerResponse) {
    super(res, true);
  }
  override get streaming(): boolean {
    return this.res.headersSent;
  }
  override stream(): void {
    if (!this.res.headersSent) this.res.writeHead(200, SSE_HEADERS);
  }
  override result(id: string | number, payload: Payload): void {
    this.#event(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${Buffer.concat(payload.chunks).toString('utf8')}}`,
    );
  }
  override error(id: string | number | null, error: RpcError): void {
    this.#event(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }
  override nothing(): void {
    // The others of the batch may still answer.
  }
  #event(text: string): void {
    if (!this.open) return;
    this.stream();
    this.res.write(`data: ${text}\n\n`);
  }
}
