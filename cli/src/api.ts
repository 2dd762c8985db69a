/** The way to the daemon: HTTP with the token of `daemon.json`, and only to a daemon that proved to be the recorded one. */
import http from 'node:http';
import type { Obj } from '@coffer/kernel';
import { readEvents, type StreamEvent } from './events.js';
import { Failure } from './failure.js';
import { recorded, type Recorded } from './home.js';

const TIMEOUT_MS = 15_000;
const PROBE_MS = 2000;

export interface RequestOptions {
  query?: Record<string, string | number | undefined>;
  body?: Obj;
  /** Default 15 s. */
  timeoutMs?: number;
}

export interface Api {
  /** The parsed answer (an empty object for 204). Throws {@link Failure} with the daemon's own code and message. */
  request(method: string, path: string, options?: RequestOptions): Promise<Obj>;
  get(path: string, query?: RequestOptions['query']): Promise<Obj>;
  post(path: string, body?: Obj, timeoutMs?: number): Promise<Obj>;
  /** What a stream of the daemon brings, until either side ends it. Throws DAEMON_UNREACHABLE when the daemon goes away. */
  events(path: string): AsyncGenerator<StreamEvent, void>;
}

export const unreachable = (): Failure =>
  new Failure('DAEMON_UNREACHABLE', 'the Coffer daemon is not running. Start it with: coffer up');

const agent = new http.Agent({ keepAlive: true });

interface Answer {
  status: number;
  body: string;
  trace: string;
}

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (c: Buffer) => chunks.push(c));
      res.on('error', reject);
      res.on('end', () => {
        clearTimeout(timer);
        const trace = res.headers['x-coffer-trace'];
        resolve({
          status: res.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          trace: typeof trace === 'string' ? trace : '',
        });
      });
    });
    const timer = setTimeout(() => req.destroy(Object.assign(new Error('timeout'), { code: 'TIMED_OUT' })), timeoutMs);
    req.on('error', (e) => (clearTimeout(timer), reject(e)));
    req.end(body);
  });
}

function parse(text: string): Obj {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new SyntaxError('no object');
  return value;
}

/** The status of a recorded daemon, or undefined when it is not there: a stranger on its port has no status with its pid. */
export async function statusOf(daemon: Recorded, timeoutMs = PROBE_MS): Promise<Obj | undefined> {
  try {
    const { status, body } = await send(
      daemon.port,
      'GET',
      '/api/v1/daemon/status',
      { Accept: 'application/json' },
      undefined,
      timeoutMs,
    );
    const facts = parse(body);
    return status === 200 && facts.pid === daemon.pid ? facts : undefined;
  } catch {
    return undefined;
  }
}

/** Connects to the running daemon. Throws DAEMON_UNREACHABLE; the token is never shown to anyone before the daemon named its pid. */
export async function connect(): Promise<Api> {
  const daemon = recorded();
  if (daemon === undefined || (await statusOf(daemon)) === undefined) throw unreachable();
  const request = async (
    method: string,
    path: string,
    { query = {}, body, timeoutMs = TIMEOUT_MS }: RequestOptions = {},
  ): Promise<Obj> => {
    const given = Object.entries(query).flatMap(([k, v]): [string, string][] =>
      v === undefined ? [] : [[k, String(v)]],
    );
    const search = new URLSearchParams(given).toString();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> = {
      'X-Coffer-Token': daemon.token,
      'X-Coffer-Actor': 'cli',
      Accept: 'application/json',
    };
    if (text !== undefined) {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = String(Buffer.byteLength(text));
    }
    let answer: Answer;
    try {
      answer = await send(
        daemon.port,
        method,
        `/api/v1${path}${search === '' ? '' : `?${search}`}`,
        headers,
        text,
        timeoutMs,
      );
    } catch (e) {
      if ((e as { code?: string }).code !== 'TIMED_OUT') throw unreachable();
      throw new Failure(
        'DAEMON_NOT_READY',
        `the daemon did not answer within ${Math.round(timeoutMs / 1000)} s. See: coffer daemon logs`,
      );
    }
    return read(answer);
  };
  const refused = (status: number, body: string): Failure => {
    try {
      read({ status, body, trace: '' });
    } catch (e) {
      if (e instanceof Failure) return e;
    }
    return unreachable();
  };
  return {
    request,
    get: (path, query) => request('GET', path, query === undefined ? {} : { query }),
    post: (path, body = {}, timeoutMs) =>
      request('POST', path, { body, ...(timeoutMs !== undefined && { timeoutMs }) }),
    async *events(path) {
      const headers = { 'X-Coffer-Token': daemon.token, 'X-Coffer-Actor': 'cli', Accept: 'text/event-stream' };
      const options = { host: '127.0.0.1', port: daemon.port, path: `/api/v1${path}`, headers };
      try {
        yield* readEvents(options, refused);
      } catch (e) {
        throw e instanceof Failure ? e : unreachable();
      }
    },
  };
}

function read({ status, body, trace }: Answer): Obj {
  let value: Obj;
  try {
    value = parse(body);
  } catch {
    throw new Failure('INTERNAL_ERROR', 'the daemon gave an answer that is no JSON. See: coffer daemon logs', {
      status,
      trace,
    });
  }
  if (status < 400) return value;
  const {
    code = 'INTERNAL_ERROR',
    message = `the daemon answered with status ${status}.`,
    details = {},
  } = value.error ?? {};
  throw new Failure(code, message, { status, details, trace });
}
