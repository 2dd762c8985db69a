import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Daemon } from './home.js';
import { describe, type Incoming } from './incoming.js';
import { errorLine, idKey, isObj, type Line } from './message.js';
import { readEvents } from './sse.js';
import { isEventStream, readBody, send, type Sent } from './wire.js';

/** How one POST of a line ended. Only `lost` leaves open whether the daemon acted on it. */
export type End =
  | { how: 'done' }
  | { how: 'unsent' } // nobody took the connection
  | { how: 'lost'; begun: boolean } // the connection fell; `begun`: after the response had started
  | { how: 'refused'; status: 401 | 404 } // the token is stale, or the session is gone
  | { how: 'bad'; said: string }; // an answer that is not MCP: a stranger on the port, or a fault of the daemon

/** Where messages of the daemon go. */
export interface Sink {
  message(data: Buffer, what: Incoming): void;
  attach(source: IncomingMessage): void;
  /** Called with the response's headers before its messages. */
  opened?(headers: IncomingMessage['headers']): void;
}

/** POSTs one line and hands the messages of its response to the sink. */
export function attempt(
  daemon: Daemon,
  line: Line,
  headers: OutgoingHttpHeaders,
  sink: Sink,
): { sent: Sent; end: Promise<End> } {
  let settle: (end: End) => void;
  const end = new Promise<End>((resolve) => (settle = resolve));
  const inSession = headers['Mcp-Session-Id'] !== undefined;
  const sent = send(
    daemon,
    {
      method: 'POST',
      path: '/mcp',
      headers: { Accept: 'application/json, text/event-stream', ...headers },
      body: line.bytes,
    },
    (response) => receive(response, line, inSession, sink, settle),
    () => settle(sent.reached() ? { how: 'lost', begun: false } : { how: 'unsent' }),
  );
  return { sent, end };
}

function receive(
  response: IncomingMessage,
  line: Line,
  inSession: boolean,
  sink: Sink,
  settle: (end: End) => void,
): void {
  const status = response.statusCode ?? 0;
  if (status === 401 || (status === 404 && inSession && line.envelope === undefined)) {
    response.resume().on('error', () => undefined);
    return settle({ how: 'refused', status });
  }
  const ok = status >= 200 && status < 300;
  if (ok) sink.opened?.(response.headers);
  sink.attach(response);

  if (ok && isEventStream(response)) {
    const feed = readEvents((data) => {
      const what = describe(data);
      if (what.kind !== 'noise') sink.message(data, what);
    });
    response.on('data', feed);
    response.on('error', () => undefined);
    response.on('close', () => settle(response.complete ? { how: 'done' } : { how: 'lost', begun: true }));
    return;
  }
  readBody(
    response,
    (body) => settle(ok ? takeAnswer(body, status, line, sink) : takeRefusal(body, status, line, sink)),
    () => settle({ how: 'lost', begun: true }),
  );
}

function takeAnswer(body: Buffer, status: number, line: Line, sink: Sink): End {
  if (body.length === 0 || status === 202) return { how: 'done' };
  const what = describe(body);
  if (what.kind === 'noise') return { how: 'bad', said: `HTTP ${status} without a JSON-RPC message` };
  // JSON-RPC knows no answer to these, whatever the daemon says.
  if (line.kind !== 'notification' && line.kind !== 'answer') sink.message(body, what);
  return { how: 'done' };
}

/** An HTTP error. A JSON-RPC error in it is passed on, bound to the request when the daemon could not name it. */
function takeRefusal(body: Buffer, status: number, line: Line, sink: Sink): End {
  const what = describe(body);
  const error = what.kind === 'answer' && what.message && isObj(what.message.error) ? what.message.error : undefined;
  const named = error !== undefined && typeof error.code === 'number' && typeof error.message === 'string';
  const awaited = line.kind === 'request' ? line.id : null;
  if (line.kind === 'notification' || line.kind === 'answer') return { how: 'bad', said: `HTTP ${status}` };
  if (what.kind === 'answer' && what.message === undefined && line.kind === 'batch') sink.message(body, what);
  else if (named && idKey(what.id) === idKey(awaited)) sink.message(body, what);
  else if (named && (what.id === null || what.id === undefined) && line.kind === 'request') {
    sink.message(errorLine(line.id, error.code as number, error.message as string), { kind: 'answer', id: line.id });
  } else return { how: 'bad', said: `HTTP ${status}` };
  return { how: 'done' };
}
