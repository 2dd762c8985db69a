import type { Obj } from '../../../json.js';
import { errorMember, RpcFailure, type RpcId } from '../rpc.js';
import { answerModern } from './methods.js';
import { META, VERSION, type ModernWorld } from './world.js';

export interface Carrier {
  readonly headers: Obj;
  notify(method: string, params: Obj): void;
  readonly signal: AbortSignal;
}

/** Is this said in the newer era? The envelope decides. */
export function isEnveloped(message: Obj): boolean {
  return message.params?._meta?.[`${META}protocolVersion`] !== undefined;
}

/** Answers one request. A standing stream is answered when it ends. */
export async function handle(message: Obj, world: ModernWorld, carrier: Carrier): Promise<Obj> {
  const { id, method, params = {} } = message;
  world.record(`${method} ${JSON.stringify(params._meta?.[`${META}clientCapabilities`] ?? null)}`);
  try {
    const meta: Obj = params._meta ?? {};
    if (meta[`${META}protocolVersion`] !== VERSION)
      throw new RpcFailure(-32022, 'Unsupported protocol version', { supported: [VERSION] });
    if (meta[`${META}clientCapabilities`] === undefined) throw new RpcFailure(-32602, 'No clientCapabilities');
    if (method === 'subscriptions/listen')
      return { jsonrpc: '2.0', id, result: await listen(id, params, world, carrier) };
    return { jsonrpc: '2.0', id, result: await answerModern({ id, method, params, meta, ...carrier }, world) };
  } catch (e) {
    return { jsonrpc: '2.0', id, error: errorMember(e) };
  }
}

function listen(id: RpcId, params: Obj, world: ModernWorld, carrier: Carrier): Promise<Obj> {
  if (world.options.mode === 'no-listen') throw new RpcFailure(-32601, 'Method not found');
  const stamp = { [`${META}subscriptionId`]: id };
  const filter: Obj = params.notifications ?? {};
  return new Promise((resolve) => {
    const end = (): void => {
      world.subscriptions.delete(subscription);
      resolve({ resultType: 'complete', _meta: stamp });
    };
    const subscription = {
      filter,
      tell: (method: string, p: Obj) => carrier.notify(method, { ...p, _meta: { ...p._meta, ...stamp } }),
      end,
    };
    world.subscriptions.add(subscription);
    carrier.signal.addEventListener('abort', end);
    if (world.options.listenMs !== undefined) setTimeout(end, world.options.listenMs);
    carrier.notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta: stamp });
  });
}
