import http from 'node:http';
import type { Daemon } from './home.js';

/**
 * Idle connections are dropped before the daemon would drop them (Node's servers wait 5 s), so that a call is never written
 * on a connection that is just being closed: such a call could not be repeated.
 */
const agent = new http.Agent({ keepAlive: true, noDelay: true, timeout: 4000 });

export interface Send {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: http.OutgoingHttpHeaders;
  body?: Buffer;
  /** A stream that stays open gets a connection of its own. */
  own?: boolean;
}

/** A request under way. */
export interface Sent {
  readonly request: http.ClientRequest;
  /** Whether a connection stood, so that the daemon may have read the request. */
  reached(): boolean;
  /** When the last byte was handed to the connection, in `Date.now()` terms. */
  writtenAt(): number | undefined;
}

/** Sends a request to the daemon on loopback. `failed` is called at most once and only before a response. */
export function send(
  daemon: Daemon,
  what: Send,
  answered: (response: http.IncomingMessage) => void,
  failed: () => void,
): Sent {
  let reached = false;
  let settled = false;
  let writtenAt: number | undefined;
  const headers: http.OutgoingHttpHeaders = { ...what.headers, 'X-Coffer-Token': daemon.token };
  if (what.body) {
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = what.body.length;
  }
  const request = http.request(
    {
      host: '127.0.0.1',
      port: daemon.port,
      method: what.method,
      path: what.path,
      headers,
      agent: what.own ? false : agent,
    },
    (response) => {
      settled = true;
      answered(response);
    },
  );
  request.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => (reached = true));
    else reached = true;
  });
  request.on('finish', () => (writtenAt = Date.now()));
  request.on('error', () => {
    if (settled) return;
    settled = true;
    failed();
  });
  request.end(what.body);
  return { request, reached: () => reached, writtenAt: () => writtenAt };
}

/** Reads a whole body; `cut` when the connection fell before its end. */
export function readBody(response: http.IncomingMessage, whole: (body: Buffer) => void, cut: () => void): void {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('error', () => undefined);
  response.on('close', () => (response.complete ? whole(Buffer.concat(parts)) : cut()));
}

/** Whether a response is a stream of server-sent events. */
export const isEventStream = (response: http.IncomingMessage): boolean =>
  /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
