/**
 * The one listening socket. Every request passes the gate first; then `/mcp` goes straight to the gateway (the road of a tool
 * call has no framework on it), the web UI's files to the static server and the rest to Koa.
 */
import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CofferError, isCofferError } from '../errors.js';
import { PORT_RANGE } from '../env.js';
import { BASE } from './app.js';
import { checkOrigin, checkToken, type Keys } from './gate.js';

/** Trace ids name a request in the log; they need to be unique, not secret. */
const RUN = randomBytes(5).toString('hex');
let requests = 0;
function nextTrace(): string {
  return `${RUN}-${(++requests).toString(36)}`;
}

export type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

export interface Parts {
  keys: Keys;
  /** Paths under BASE (with their method) that need no token. */
  open: (method: string, path: string) => boolean;
  mcp: Handler;
  rest: () => Handler;
  /** Files of the web UI: no secret is in them, and the login page must load without one. */
  ui: Handler;
}

export function createServer(parts: Parts): http.Server {
  const server = http.createServer((req, res) => {
    res.setHeader('X-Coffer-Trace', nextTrace());
    const method = req.method ?? 'GET';
    const path = pathOf(req.url ?? '/');
    try {
      checkOrigin(req.headers);
      const mcp = path === '/mcp' || path.startsWith('/mcp/');
      const api = path === BASE || path.startsWith(`${BASE}/`);
      if (mcp || (api && !parts.open(method, path.slice(BASE.length)))) checkToken(method, req.headers, parts.keys);
      if (mcp) parts.mcp(req, res);
      else if (api) parts.rest()(req, res);
      else parts.ui(req, res);
    } catch (e) {
      const error = isCofferError(e) ? e : new CofferError('INTERNAL_ERROR', 'Something failed inside Coffer.');
      refuse(req, res, error);
    }
  });
  // A call may run for half an hour and a stream for ever: the protocol's own clocks decide, not the socket's.
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  server.keepAliveTimeout = 75_000;
  return server;
}

export function refuse(req: IncomingMessage, res: ServerResponse, error: CofferError): void {
  req.resume();
  if (res.headersSent) return void res.destroy();
  const body = JSON.stringify({ error: { code: error.code, message: error.message, details: error.details } });
  res
    .writeHead(error.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

function pathOf(url: string): string {
  const q = url.indexOf('?');
  return q < 0 ? url : url.slice(0, q);
}

/** Listens on loopback, on the first free port of the range. Throws PORTS_BUSY. Port 0: any free one. */
export async function listen(server: http.Server, first: number): Promise<number> {
  const ports = first === 0 ? [0] : Array.from({ length: PORT_RANGE }, (_, i) => first + i).filter((p) => p < 65536);
  for (const port of ports) {
    const bound = await new Promise<boolean>((resolve, reject) => {
      const failed = (e: NodeJS.ErrnoException): void => {
        server.off('listening', listening);
        if (e.code === 'EADDRINUSE' || e.code === 'EACCES') resolve(false);
        else reject(e);
      };
      const listening = (): void => {
        server.off('error', failed);
        resolve(true);
      };
      server.once('error', failed).once('listening', listening).listen(port, '127.0.0.1');
    });
    if (bound) return (server.address() as AddressInfo).port;
  }
  throw new CofferError(
    'PORTS_BUSY',
    `Ports ${ports[0]} to ${ports.at(-1)} are all in use. Free one, or choose another first port with COFFER_PORT.`,
    { first: ports[0], last: ports.at(-1) },
  );
}
