import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Obj } from '../../../json.js';
import type { RpcId } from '../rpc.js';
import { isKnownVersion } from './methods.js';
import { createSession } from './session.js';
import { createEventStream, type EventStream } from './streams.js';
import type { Session, World } from './types.js';

/** Refused hosts and origins: a browser page must not reach a loopback server (DNS rebinding). */
const LOCAL = /^(https?:\/\/)?(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

interface HttpSession {
  readonly session: Session;
  readonly streams: Map<string, EventStream>;
  /** Messages that belong to no call; a resumable stream like any other. */
  readonly general: EventStream;
  /** Where the answer to a request goes. */
  readonly answers: Map<RpcId, (message: Obj) => void>;
  readonly calls: Map<RpcId, EventStream>;
}

/** Streamable HTTP at /mcp. */
export function serveHttp(world: World, port: number): void {
  const sessions = new Map<string, HttpSession>();
  const { options } = world;
  let shared: HttpSession | undefined;
  let streamCount = 0;

  function open(): HttpSession {
    const streams = new Map<string, EventStream>();
    const answers: HttpSession['answers'] = new Map();
    const calls: HttpSession['calls'] = new Map();
    const general = createEventStream(`g${++streamCount}`, false);
    streams.set(general.id, general);
    const session = createSession(world, {
      send: (message, about) => {
        const isAnswer = message.method === undefined;
        const answer = about === undefined ? undefined : answers.get(about);
        if (isAnswer && about !== undefined && answer) {
          answers.delete(about);
          answer(message);
          calls.delete(about);
        } else {
          ((about === undefined ? undefined : calls.get(about)) ?? general).write(message);
        }
      },
      closeStream: (about) => calls.get(about)?.detach(),
    });
    world.sessions.add(session);
    return { session, streams, general, answers, calls };
  }

  function post(req: IncomingMessage, res: ServerResponse, body: string): void {
    let message: Obj;
    try {
      message = JSON.parse(body);
    } catch {
      return refuse(res, 400, -32700, 'Parse error');
    }
    if (Array.isArray(message)) return refuse(res, 400, -32600, 'No batches');
    const accept = req.headers.accept ?? '';
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
      return refuse(res, 406, -32000, 'A client must accept both application/json and text/event-stream');
    }
    const found = message.method === 'initialize' ? begin(res) : find(req, res);
    if (!found) return;
    if (message.method === undefined || message.id === undefined) {
      found.session.receive(message, req.headers);
      res.writeHead(202).end();
      return;
    }
    route(found, message, res);
    found.session.receive(message, req.headers);
  }

  function begin(res: ServerResponse): HttpSession {
    const made = open();
    if (options.stateless) return (shared = made);
    const id = randomUUID();
    sessions.set(id, made);
    res.setHeader('mcp-session-id', id);
    return made;
  }

  function route(to: HttpSession, message: Obj, res: ServerResponse): void {
    if (options.json) {
      to.answers.set(message.id, (answer) => {
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
      return;
    }
    const version = message.params?.protocolVersion ?? to.session.opening?.protocolVersion;
    const stream = createEventStream(`s${++streamCount}`, version === '2025-11-25' && !options.stateless);
    to.streams.set(stream.id, stream);
    to.calls.set(message.id, stream);
    to.answers.set(message.id, (answer) => {
      stream.write(answer);
      stream.end();
    });
    stream.attach(res);
  }

  function find(req: IncomingMessage, res: ServerResponse): HttpSession | undefined {
    const version = req.headers['mcp-protocol-version'];
    if (version !== undefined && !isKnownVersion(String(version))) {
      refuse(res, 400, -32000, 'Unsupported MCP-Protocol-Version');
      return undefined;
    }
    if (options.stateless) return (shared ??= open());
    const id = req.headers['mcp-session-id'];
    const found = sessions.get(String(id));
    if (!found)
      refuse(res, id === undefined ? 400 : 404, -32000, id === undefined ? 'No session' : 'Session not found');
    return found;
  }

  function get(req: IncomingMessage, res: ServerResponse): void {
    if (!options.get || options.stateless) return void res.writeHead(405, { allow: 'POST, DELETE' }).end();
    const found = find(req, res);
    if (!found) return;
    const [stream, after] = String(req.headers['last-event-id'] ?? '').split('/');
    const resumed = found.streams.get(String(stream));
    if (resumed) resumed.attach(res, Number(after));
    else found.general.attach(res);
  }

  function end(req: IncomingMessage, res: ServerResponse): void {
    const found = find(req, res);
    if (!found) return;
    sessions.delete(String(req.headers['mcp-session-id']));
    world.sessions.delete(found.session);
    world.record('session ended');
    for (const stream of found.streams.values()) stream.end();
    res.writeHead(200).end();
  }

  const server = createServer((req, res) => {
    if (!LOCAL.test(req.headers.host ?? '') || (req.headers.origin && !LOCAL.test(req.headers.origin))) {
      return refuse(res, 403, -32000, 'Not a local host or origin');
    }
    const { requireHeader: required } = options;
    if (required && req.headers[required.name] !== required.value) {
      res.setHeader('www-authenticate', 'Bearer');
      return refuse(res, 401, -32000, 'Unauthorized');
    }
    if (req.url?.split('?')[0] !== '/mcp') return void res.writeHead(404).end();
    if (req.method === 'GET') return get(req, res);
    if (req.method === 'DELETE') return end(req, res);
    if (req.method !== 'POST') return void res.writeHead(405).end();
    readBody(req, (body) => post(req, res, body));
  });
  server.listen(port, '127.0.0.1', () => {
    // listen() on a TCP port gives an AddressInfo
    process.stdout.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  });
}

export function readBody(req: IncomingMessage, done: (body: string) => void): void {
  const parts: Buffer[] = [];
  req.on('data', (chunk: Buffer) => parts.push(chunk));
  req.on('end', () => done(Buffer.concat(parts).toString('utf8')));
}

function refuse(res: ServerResponse, status: number, code: number, message: string): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}
