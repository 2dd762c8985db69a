import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from './http.js';
import { createSession } from './session.js';
import type { Session, World } from './types.js';

/** The transport of 2024-11-05: one GET stream carries every message to the client, which posts to the endpoint it names. */
export function serveHttpSse(world: World, port: number): void {
  const sessions = new Map<string, Session>();
  const server = createServer((req, res) => {
    const { requireHeader: required } = world.options;
    if (required && req.headers[required.name] !== required.value) return void res.writeHead(401).end();
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    if (req.method === 'GET' && url.pathname === '/sse') {
      const id = randomUUID();
      res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      res.write(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
      const session = createSession(world, {
        send: (message) => res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
        closeStream: () => {},
      });
      sessions.set(id, session);
      world.sessions.add(session);
      res.on('close', () => {
        sessions.delete(id);
        world.sessions.delete(session);
        world.record('session ended');
      });
      return;
    }
    const session = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (req.method !== 'POST') return void res.writeHead(405).end();
    if (!session) return void res.writeHead(404).end();
    readBody(req, (body) => {
      res.writeHead(202).end('Accepted');
      session.receive(JSON.parse(body), req.headers);
    });
  });
  server.listen(port, '127.0.0.1', () => {
    // listen() on a TCP port gives an AddressInfo
    process.stdout.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}/sse\n`);
  });
}
