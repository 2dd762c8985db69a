/** A model endpoint of this machine: speaks as it is told, and keeps what it was asked. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Obj } from '@coffer/kernel';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Obj | undefined;
}
export interface StandIn {
  url: string;
  asked: Asked[];
  /** What it does with the next requests; returns whether the model's way is done (undefined: as a good endpoint does). */
  answer: (asked: Asked) => Reply | undefined;
  close(): Promise<void>;
}
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Obj;
  /** Take the request and say nothing. */
  silent?: boolean;
  /** End the connection instead of an answer. */
  hangUp?: boolean;
}

const MODELS = ['small-1', 'large-2'];

/** As the three kinds of endpoint answer. */
function good({ path, body }: Asked): Reply {
  if (path.startsWith('/v1/models') || path.startsWith('/models'))
    return { body: { data: MODELS.map((id) => ({ id })) } };
  if (path === '/api/tags') return { body: { models: MODELS.map((name) => ({ name })) } };
  if (path === '/v1/messages') return { body: { type: 'message', content: [{ type: 'text', text: 'OK' }] } };
  if (path.endsWith('/chat/completions'))
    return { body: { choices: [{ message: { role: 'assistant', content: 'OK' } }] } };
  if (path.endsWith('/responses')) return { body: { id: 'r', model: body?.['model'], output: [] } };
  if (path === '/api/chat') return { body: { message: { role: 'assistant', content: 'OK' } } };
  return { status: 404, body: { error: { message: `no ${path}` } } };
}

export async function standIn(): Promise<StandIn> {
  const sockets = new Set<Socket>();
  const me: StandIn = { url: '', asked: [], answer: () => undefined, close: () => Promise.resolve() };
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (part: string) => (text += part));
    req.on('end', () => {
      const asked: Asked = {
        method: req.method ?? '',
        path: req.url ?? '',
        headers: req.headers,
        body: text === '' ? undefined : (JSON.parse(text) as Obj),
      };
      me.asked.push(asked);
      const { status = 200, headers = {}, body = {}, silent, hangUp } = me.answer(asked) ?? good(asked);
      if (silent === true) return;
      if (hangUp === true) return void req.socket.destroy();
      res.writeHead(status, { 'content-type': 'application/json', ...headers });
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.on('connection', (s: Socket) => {
    sockets.add(s);
    s.once('close', () => sockets.delete(s));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  me.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  me.close = async () => {
    for (const s of sockets) s.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return me;
}
