/** The frame of a stand-in: a server on loopback that remembers what it was asked. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

// any: requests of every shape are looked into
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Body = any;

export interface Service {
  readonly url: string;
  readonly requests: { path: string; body: Body }[];
  close(): Promise<void>;
}

export type Handle = (path: string, body: Body, res: http.ServerResponse) => void | Promise<void>;

export async function startService(handle: Handle): Promise<Service> {
  const requests: Service['requests'] = [];
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (c: Buffer) => chunks.push(c));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const path = (req.url ?? '').split('?')[0] ?? '';
      const body: Body = text === '' ? {} : JSON.parse(text);
      requests.push({ path, body });
      void handle(path, body, res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Opens a stream of events; the returned function sends one, and answers false once the other side is gone. */
export function eventStream(res: http.ServerResponse): (type: string, data: object) => boolean {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  return (type, data) => {
    if (!res.destroyed) res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    return !res.destroyed;
  };
}

export function json(res: http.ServerResponse, status: number, value: object): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}
