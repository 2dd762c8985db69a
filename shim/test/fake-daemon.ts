import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Messages of any shape are put together and taken apart by the tests; a type would only repeat them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Seen {
  http: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  message: Json;
}
export type Handler = (seen: Seen, response: http.ServerResponse) => void;

export const INIT_RESULT = {
  protocolVersion: '2025-11-25',
  capabilities: {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: {},
    logging: {},
  },
  serverInfo: { name: 'coffer', version: '0' },
};

export const json = (response: http.ServerResponse, message: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message));
};
export const result = (seen: Seen, value: unknown): unknown => ({ jsonrpc: '2.0', id: seen.message.id, result: value });

/** A stand-in for the daemon that speaks just as much HTTP as the shim needs, and keeps what it was sent. */
export class FakeDaemon {
  readonly seen: Seen[] = [];
  readonly sessions = new Set<string>();
  readonly streams = new Set<http.ServerResponse>();
  readonly leashes = new Set<http.ServerResponse>();
  /** Answers of single methods; the rest is answered with an empty result. */
  readonly on = new Map<string, Handler>();
  token: string = randomUUID();
  pid = process.pid;
  startedAt = new Date().toISOString();
  leashStatus = 200;
  #server: http.Server | undefined;

  constructor(readonly home: string) {
    mkdirSync(home, { recursive: true });
  }

  get port(): number {
    return (this.#server?.address() as AddressInfo).port;
  }

  async start(port = 0): Promise<void> {
    this.#server = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => this.#serve(request, response, Buffer.concat(parts).toString()));
    });
    await new Promise<void>((done) => this.#server?.listen(port, '127.0.0.1', done));
    this.announce();
  }

  announce(extra: object = {}): void {
    const file = {
      version: '0',
      pid: this.pid,
      port: this.port,
      token: this.token,
      started_at: this.startedAt,
      ...extra,
    };
    writeFileSync(join(this.home, 'daemon.json'), JSON.stringify(file), { mode: 0o600 });
  }

  /** Dies as a killed process would: every connection falls. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.streams.clear();
    this.leashes.clear();
    this.sessions.clear();
    server?.closeAllConnections();
    if (server) await new Promise((done) => server.close(done));
  }

  /** Another run of the daemon: new port, new token, no session known. */
  async restart(): Promise<void> {
    await this.stop();
    rmSync(join(this.home, 'daemon.json'), { force: true });
    this.token = randomUUID();
    this.startedAt = new Date(Date.now() + 1).toISOString();
    await this.start();
  }

  push(message: unknown): void {
    for (const stream of this.streams) stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  posts(method: string): Seen[] {
    return this.seen.filter((one) => one.http === 'POST' && one.message?.method === method);
  }

  #serve(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
    const path = request.url ?? '';
    if (path === '/api/v1/daemon/status') return json(response, { status: 'ready', pid: this.pid, port: this.port });
    const seen: Seen = { http: request.method ?? '', path, headers: request.headers, body, message: undefined };
    this.seen.push(seen);
    if (request.headers['x-coffer-token'] !== this.token)
      return json(response, { error: { code: 'unauthorized' } }, 401);
    const session = request.headers['mcp-session-id'] as string | undefined;
    if (path === '/mcp/leash') {
      if (this.leashStatus !== 200) return void response.writeHead(this.leashStatus).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      return void this.leashes.add(response);
    }
    if (session !== undefined && !this.sessions.has(session))
      return json(response, { error: { code: 'no_session' } }, 404);
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return void this.streams.add(response);
    }
    if (request.method === 'DELETE') {
      const own = this.on.get('DELETE');
      if (own) return own(seen, response);
      this.sessions.delete(session ?? '');
      return void response.writeHead(204).end();
    }
    this.#post(seen, response, session);
  }

  #post(seen: Seen, response: http.ServerResponse, session: string | undefined): void {
    seen.message = JSON.parse(seen.body);
    const method: string | undefined = seen.message.method;
    const own = this.on.get(method === 'tools/call' ? `tools/call ${seen.message.params.name}` : (method ?? 'answer'));
    if (own) return own(seen, response);
    if (method === 'initialize') {
      const id = randomUUID();
      this.sessions.add(id);
      response.setHeader('mcp-session-id', id);
      return json(response, result(seen, INIT_RESULT));
    }
    if (seen.message.id === undefined || method === undefined) return void response.writeHead(202).end();
    const free = method === 'ping' || method === 'server/discover' || seen.headers['mcp-method'] !== undefined;
    if (session === undefined && !free) {
      return json(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Not initialized' } }, 400);
    }
    json(response, result(seen, { method, echo: seen.message.params ?? null }));
  }
}
