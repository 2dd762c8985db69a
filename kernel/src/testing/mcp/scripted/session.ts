import type { Obj } from '../../../json.js';
import { errorMember, RpcFailure, type RpcId } from '../rpc.js';
import { answer } from './methods.js';
import type { Call, Carrier, Session, World } from './types.js';

const ASK_TIMEOUT_MS = 20_000;

/** One client's standing with the scripted server, over whatever carries its messages. */
export function createSession(world: World, carrier: Carrier): Session {
  let nextAsk = 1;
  const asked = new Map<RpcId, { resolve(v: Obj): void; reject(e: RpcFailure): void }>();

  const note = (about: RpcId | undefined, method: string, params?: Obj): void =>
    carrier.send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) }, about);

  const ask = (about: RpcId | undefined, method: string, params?: Obj, timeoutMs = ASK_TIMEOUT_MS): Promise<Obj> =>
    new Promise((resolve, reject) => {
      const id = `ask-${nextAsk++}`;
      const timer = setTimeout(() => {
        asked.delete(id);
        note(about, 'notifications/cancelled', { requestId: id, reason: 'the server stopped waiting' });
        reject(new RpcFailure(-32001, 'gave up'));
      }, timeoutMs);
      asked.set(id, {
        resolve: (v) => (clearTimeout(timer), resolve(v)),
        reject: (e) => (clearTimeout(timer), reject(e)),
      });
      carrier.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }, about);
    });

  const session: Session = {
    opening: undefined,
    ready: false,
    level: undefined,
    rootsChanged: 0,
    roots: [],
    subscriptions: new Set(),
    cancelled: [],
    note: (method, params) => note(undefined, method, params),
    ask: (method, params, ms) => ask(undefined, method, params, ms),
    receive: (message, headers = {}) => {
      if (message.method === undefined) settle(message);
      else if (message.id === undefined) notified(message.method, message.params ?? {});
      else void respond(message, headers);
    },
  };

  function settle(message: Obj): void {
    const waiting = asked.get(message.id);
    if (!waiting) return;
    asked.delete(message.id);
    const { error } = message;
    if (error) waiting.reject(new RpcFailure(error.code, error.message, error.data));
    else waiting.resolve(message.result);
  }

  function notified(method: string, params: Obj): void {
    if (method === 'notifications/initialized') {
      session.ready = true;
      if (world.options.askRoots) void askRoots();
    }
    if (method === 'notifications/cancelled') {
      session.cancelled.push({ requestId: params.requestId, reason: params.reason });
      world.record(`cancelled ${JSON.stringify(params.reason ?? null)}`);
    }
    if (method === 'notifications/roots/list_changed') {
      session.rootsChanged++;
      if (world.options.askRoots) void askRoots();
    }
  }

  async function askRoots(): Promise<void> {
    try {
      session.roots.push(await session.ask('roots/list'));
    } catch (e) {
      session.roots.push({ error: errorMember(e) });
    }
  }

  async function respond(message: Obj, headers: Obj): Promise<void> {
    const id: RpcId = message.id;
    const call: Call = {
      id,
      params: message.params ?? {},
      headers,
      session,
      note: (method, params) => note(id, method, params),
      ask: (method, params, ms) => ask(id, method, params, ms),
      closeStream: () => carrier.closeStream(id),
      isCancelled: () => session.cancelled.some((c) => c.requestId === id),
    };
    try {
      const result = await answer(message.method, call, world);
      // a cancelled request gets no answer (MCP, cancellation)
      if (result !== null && !call.isCancelled()) carrier.send({ jsonrpc: '2.0', id, result }, id);
    } catch (e) {
      carrier.send({ jsonrpc: '2.0', id, error: errorMember(e) }, id);
    }
  }
  return session;
}
