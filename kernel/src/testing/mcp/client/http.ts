import http, { type IncomingMessage } from 'node:http';
import type { Obj } from '../../../json.js';
import { RawClient, type ClientOptions } from './base.js';
import { readEvents } from './sse.js';

export interface HttpOptions extends ClientOptions {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Streamable HTTP. Answers may come as JSON, on the stream of their POST, or on the GET stream. */
export class HttpClient extends RawClient {
  /** Sent with every request; the handshake adds the session and the version. Change it at will. */
  readonly headers: Record<string, string>;
  private readonly agent = new http.Agent({ keepAlive: true });
  private getRequest: http.ClientRequest | undefined;
  private closed = false;

  constructor(
    readonly url: string,
    options: HttpOptions = {},
  ) {
    super(options);
    this.headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...options.headers,
    };
  }

  get sessionId(): string | undefined {
    return this.headers['mcp-session-id'];
  }

  protected override agreed(protocolVersion: string): void {
    this.headers['mcp-protocol-version'] = protocolVersion;
  }

  /** One HTTP request, whole answer, no interpretation. `headers` replace the client's own; undefined takes one away. */
  async raw(
    method: string,
    body?: string | Obj,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<RawResponse> {
    const res = await this.open(method, typeof body === 'object' ? JSON.stringify(body) : body, headers);
    return { status: res.statusCode ?? 0, headers: res.headers, body: await readAll(res) };
  }

  /** Opens the GET stream; resolves to the HTTP status. Its messages are received like any others. */
  async listen(lastEventId?: string): Promise<number> {
    const res = await this.open('GET', undefined, {
      accept: 'text/event-stream',
      'content-type': undefined,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    });
    if (res.statusCode === 200)
      readEvents(
        res,
        (event) => this.event(event.data),
        () => {},
      );
    else res.resume();
    return res.statusCode ?? 0;
  }

  /** Drops the GET stream, as a client that lost its network would. */
  stopListening(): void {
    this.getRequest?.destroy();
    this.getRequest = undefined;
  }

  /** Drops every connection and leaves the session as it is. */
  abandon(): void {
    this.closed = true;
    this.stopListening();
    this.agent.destroy();
    this.failAll(new Error('the client went away'));
  }

  /** Ends the session (DELETE), where there is one. */
  async close(): Promise<void> {
    if (this.closed) return;
    try {
      if (this.sessionId !== undefined) await this.raw('DELETE', undefined, { 'content-type': undefined });
    } catch {
      // a server that is gone needs no goodbye
    }
    this.abandon();
  }

  protected async write(message: Obj): Promise<void> {
    const isRequest = message.method !== undefined && message.id !== undefined;
    const fail = (e: Error): void => {
      if (isRequest) this.fail(message.id, e);
    };
    try {
      const res = await this.open('POST', JSON.stringify(message), {});
      const { statusCode: status = 0, headers } = res;
      const session = headers['mcp-session-id'];
      if (message.method === 'initialize' && typeof session === 'string') this.headers['mcp-session-id'] = session;
      if (status === 200 && headers['content-type']?.startsWith('text/event-stream')) {
        readEvents(
          res,
          (event) => this.event(event.data),
          () => {
            if (!this.getRequest) fail(new Error('the stream ended without an answer'));
          },
        );
        return;
      }
      const body = await readAll(res);
      if (status !== 200 || !isRequest) {
        if (status >= 300 || isRequest) fail(new Error(`HTTP ${status}: ${body.slice(0, 200)}`));
        return;
      }
      this.event(body);
    } catch (e) {
      fail(e instanceof Error ? e : new Error(String(e)));
    }
  }

  private event(data: string): void {
    if (!data) return;
    try {
      const message: Obj | Obj[] = JSON.parse(data);
      for (const m of Array.isArray(message) ? message : [message]) this.receive(m);
    } catch {
      this.strays.push(data);
    }
  }

  private open(
    method: string,
    body: string | undefined,
    more: Readonly<Record<string, string | undefined>>,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries({ ...this.headers, ...more })) {
        if (value !== undefined) headers[name] = value;
      }
      // node sends `transfer-encoding: chunked` for a body without a length, which some servers refuse
      if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
      const request = http.request(
        this.url,
        { method, headers, agent: method === 'GET' ? undefined : this.agent },
        resolve,
      );
      if (method === 'GET') this.getRequest = request;
      request.on('error', reject);
      request.end(body);
    });
  }
}

async function readAll(res: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // an IncomingMessage without an encoding yields buffers
  for await (const chunk of res) parts.push(chunk as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Shakes hands with a server over streamable HTTP. */
export async function openHttp(url: string, options?: HttpOptions): Promise<HttpClient> {
  const client = new HttpClient(url, options);
  try {
    await client.initialize();
  } catch (e) {
    client.abandon();
    throw e;
  }
  return client;
}
