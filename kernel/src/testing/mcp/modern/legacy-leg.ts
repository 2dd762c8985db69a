import { randomUUID } from 'node:crypto';
import type { Obj } from '../../../json.js';
import { errorMember, RpcFailure } from '../rpc.js';
import { tools } from './tools.js';
import type { ModernWorld } from './world.js';

/** The same server as 2025-11-25 knows it: a handshake, the tools, and nothing that would need a question. */
export async function answerLegacy(message: Obj, world: ModernWorld): Promise<Obj | undefined> {
  const { id, method, params = {} } = message;
  if (id === undefined || method === undefined) return undefined;
  world.record(`legacy ${method}`);
  try {
    return { jsonrpc: '2.0', id, result: await result(method, params, world) };
  } catch (e) {
    return { jsonrpc: '2.0', id, error: errorMember(e) };
  }
}

export const newSession = (): string => randomUUID();

async function result(method: string, params: Obj, world: ModernWorld): Promise<Obj> {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: world.options.name, version: world.options.version },
    };
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: tools.map((t) => t.definition) };
  if (method !== 'tools/call') throw new RpcFailure(-32601, 'Method not found');
  if (params.name === 'pid') return { content: [{ type: 'text', text: String(process.pid) }] };
  return { content: [{ type: 'text', text: JSON.stringify({ era: 'legacy', name: params.name }) }] };
}
