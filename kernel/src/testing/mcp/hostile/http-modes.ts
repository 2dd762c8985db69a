import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Obj } from '../../../json.js';
import { readBody } from '../scripted/http.js';
import { politeAnswer } from './manners.js';

type Misbehave = (res: ServerResponse, message: Obj) => void;

const json = (res: ServerResponse, status: number, body: Obj): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** What a call gets in place of an answer; everything before the call is answered politely. */
const ON_CALL: Record<string, Misbehave> = {
  plain: (res, m) => json(res, 200, politeAnswer(m)),
  'empty-object': (res) => json(res, 200, {}),
  html: (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>'),
  'accepted-request': (res) => res.writeHead(202).end(),
  'error-500-rpc': (res, m) =>
    json(res, 500, { jsonrpc: '2.0', id: m.id, error: { code: -32603, message: 'it broke', data: { a: 1 } } }),
  'error-500-text': (res) => res.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error'),
  'sse-without-reply': (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(': nothing to say\n\n');
  },
  'reset-mid-call': (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(': wait\n\n', () => res.socket?.resetAndDestroy());
  },
  'hang-call': (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.flushHeaders();
  },
  redirect: (res) => res.writeHead(307, { location: 'https://example.test/mcp' }).end(),
  unauthorized: (res) => res.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end(),
  'session-lost': (res) =>
    json(res, 404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }),
  'too-many': (res) => res.writeHead(429, { 'retry-after': '1' }).end(),
  'cut-json': (res, m) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(politeAnswer(m)).slice(0, -5)),
};

/** Streamable HTTP at /mcp. The modes of {@link ON_CALL} with `-initialize` at the end misbehave at the handshake instead. */
export function serveHostileHttp(name: string, port: number): void {
  const early = name.endsWith('-initialize');
  const misbehave = ON_CALL[early ? name.slice(0, -'-initialize'.length) : name];
  if (!misbehave) {
    process.stderr.write(`No HTTP mode is called that. Modes: ${Object.keys(ON_CALL).join(', ')}\n`);
    process.exit(2);
  }
  const badMethod = early ? 'initialize' : 'tools/call';
  const server = createServer((req, res) => {
    if (req.method !== 'POST') return void res.writeHead(405).end();
    readBody(req, (body) => {
      const message: Obj = JSON.parse(body);
      if (message.method === undefined || message.id === undefined) return void res.writeHead(202).end();
      if (message.method === badMethod) return misbehave(res, message);
      if (message.method === 'initialize') res.setHeader('mcp-session-id', 'only-one');
      json(res, 200, politeAnswer(message));
    });
  });
  server.listen(port, '127.0.0.1', () => {
    // listen() on a TCP port gives an AddressInfo
    process.stdout.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  });
}
