import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Obj } from '../../../json.js';
import { answerLegacy, newSession } from './legacy-leg.js';
import { handle, isEnveloped } from './request.js';
import { refusal } from './stdio.js';
import { tools } from './tools.js';
import type { ModernWorld } from './world.js';

const NAMED: Obj = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** HTTP at /mcp. Headers must say what the body says. */
export function serveModernHttp(world: ModernWorld, port: number): void {
  const sessions = new Set<string>();

  const legacy = async (m: Obj, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const session = String(req.headers['mcp-session-id']);
    if (m.method !== 'initialize' && !sessions.has(session))
      return end(res, 400, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Bad Request: No valid session ID' },
      });
    const answer = await answerLegacy(m, world);
    if (answer === undefined) return void res.writeHead(202).end();
    if (m.method === 'initialize') {
      const id = newSession();
      sessions.add(id);
      res.setHeader('mcp-session-id', id);
    }
    end(res, 200, answer);
  };

  const modern = async (m: Obj, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const wrong = mismatch(m, req.headers);
    if (wrong !== undefined)
      return end(res, 400, { jsonrpc: '2.0', id: m.id, error: { code: -32020, message: `Header mismatch: ${wrong}` } });
    const abort = new AbortController();
    res.on('close', () => {
      if (res.writableFinished) return;
      world.cancelled.push(m.id);
      world.record(`hung up ${m.method}`);
      abort.abort();
    });
    let streaming = false;
    const event = (message: Obj): void => {
      if (!streaming) res.writeHead(200, { 'content-type': 'text/event-stream' });
      streaming = true;
      res.write(`data: ${JSON.stringify(message)}\n\n`);
    };
    const answer = await handle(m, world, {
      headers: req.headers,
      signal: abort.signal,
      notify: (method, params) => {
        if (!world.options.json || m.method === 'subscriptions/listen') event({ jsonrpc: '2.0', method, params });
      },
    });
    if (streaming) {
      event(answer);
      res.end();
    } else end(res, answer.error?.code === -32601 ? 404 : answer.error?.code === -32022 ? 400 : 200, answer);
  };

  const server = createServer((req, res) => {
    if (req.url !== '/mcp') return void res.writeHead(404).end();
    if (req.method !== 'POST') return void res.writeHead(405).end();
    const parts: Buffer[] = [];
    req.on('data', (c: Buffer) => parts.push(c));
    req.on('end', () => {
      const m = JSON.parse(Buffer.concat(parts).toString('utf8')) as Obj;
      if (!world.isModern()) return void legacy(m, req, res);
      if (isEnveloped(m)) return void modern(m, req, res);
      if (world.options.both) return void legacy(m, req, res);
      end(res, 400, refusal(m));
    });
  });
  server.listen(port, '127.0.0.1', () => {
    // listen() on a TCP port gives an AddressInfo
    process.stdout.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  });
}

function end(res: ServerResponse, status: number, answer: Obj): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

/** The first header that is missing or says something else than the body. */
function mismatch(m: Obj, headers: Obj): string | undefined {
  const said = (name: string): unknown => {
    const raw = headers[name] as string | undefined;
    const encoded = /^=\?base64\?(.*)\?=$/.exec(raw ?? '')?.[1];
    return encoded === undefined ? raw : Buffer.from(encoded, 'base64').toString('utf8');
  };
  if (said('mcp-protocol-version') !== '2026-07-28') return 'MCP-Protocol-Version';
  if (said('mcp-method') !== m.method) return 'Mcp-Method';
  const name: unknown = m.params?.[NAMED[m.method] ?? ''];
  if (name !== undefined && said('mcp-name') !== name) return 'Mcp-Name';
  if (m.method !== 'tools/call') return undefined;
  const properties: Obj = tools.find((t) => t.definition.name === name)?.definition.inputSchema.properties ?? {};
  for (const [key, schema] of Object.entries(properties)) {
    const value: unknown = m.params.arguments?.[key];
    const header: unknown = schema['x-mcp-header'];
    if (
      typeof header === 'string' &&
      value !== undefined &&
      value !== null &&
      said(`mcp-param-${header.toLowerCase()}`) !== String(value)
    )
      return `Mcp-Param-${header}`;
  }
  return undefined;
}
