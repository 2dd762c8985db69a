/** HTTP by hand: headers that fetch would not let through, bodies that are none, streams. */
import http, { type IncomingMessage } from 'node:http';
import type { TestKernel } from '../../src/testing/index.js';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The parsed body; throws when it is no JSON. */
  json(): any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into any shape
}

/** What is sent to: a kernel, or a server that a test made. */
export type Served = Pick<TestKernel, 'url' | 'token'>;

export interface Request {
  method?: string;
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
  /** Default: with the daemon's token. */
  token?: boolean;
}

function start(k: Served, at: string, r: Request): Promise<IncomingMessage> {
  const headers: Record<string, string> = r.token === false ? {} : { 'x-coffer-token': k.token };
  for (const [name, value] of Object.entries(r.headers ?? {})) if (value !== undefined) headers[name] = value;
  const { port } = new URL(k.url);
  return new Promise((resolve, reject) => {
    const req = http.request(
      { host: '127.0.0.1', port, path: at, method: r.method ?? 'GET', headers, agent: false },
      resolve,
    );
    req.on('error', reject);
    req.end(r.body);
  });
}

export async function send(k: Served, at: string, r: Request = {}): Promise<Answer> {
  const res = await start(k, at, r);
  const parts: Buffer[] = [];
  // an IncomingMessage without an encoding yields buffers
  for await (const c of res) parts.push(c as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return { status: res.statusCode ?? 0, headers: res.headers, text, json: () => JSON.parse(text) as unknown };
}

export interface EventStream {
  status: number;
  events: { id?: string; data: any }[]; // eslint-disable-line @typescript-eslint/no-explicit-any -- as above
  /** Raw text so far, comments included. */
  raw: () => string;
  ended: () => boolean;
  close(): void;
}

/** Opens a stream of server-sent events and collects what comes. */
export async function openEvents(k: Served, at: string, r: Request = {}): Promise<EventStream> {
  const res = await start(k, at, r);
  const events: EventStream['events'] = [];
  let raw = '';
  let done = 0;
  let ended = false;
  res.setEncoding('utf8').on('data', (c: string) => {
    raw += c;
    for (let end = raw.indexOf('\n\n', done); end >= 0; end = raw.indexOf('\n\n', done)) {
      const block = raw.slice(done, end);
      done = end + 2;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      const id = /^id: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) events.push({ ...(id === undefined ? {} : { id }), data: JSON.parse(data) as unknown });
    }
  });
  res.on('close', () => (ended = true)).on('error', () => undefined);
  return { status: res.statusCode ?? 0, events, raw: () => raw, ended: () => ended, close: () => res.destroy() };
}
