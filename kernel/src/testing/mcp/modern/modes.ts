import type { Obj } from '../../../json.js';
import { RpcFailure } from '../rpc.js';
import type { ModernCall, ModernWorld } from './world.js';

/**
 * Ways to misbehave, by mode:
 *   nonsense-discover   answers discovery with a list of tools
 *   hang-discover       never answers discovery
 *   exit-discover       ends when discovered
 *   slow-discover       needs 3.5 s for the discovery, as a program that starts slowly
 *   lies                answers discovery and refuses everything else as unknown
 *   unknown-type        tool results of a type nobody knows
 *   bad-input           wants input in a form that is not MCP
 *   input-anywhere      wants input where it may not
 *   error:CODE          answers tool calls with this code
 *   no-listen           has no standing streams
 */
export async function misbehaved({ method }: ModernCall, { options }: ModernWorld): Promise<Obj | undefined> {
  const { mode } = options;
  if (method === 'server/discover') {
    if (mode === 'nonsense-discover') return { tools: [] };
    if (mode === 'hang-discover') return new Promise<never>(() => undefined);
    if (mode === 'exit-discover') process.exit(3);
    if (mode === 'slow-discover') await new Promise((resolve) => setTimeout(resolve, 3500));
    return undefined;
  }
  if (mode === 'lies') throw new RpcFailure(-32601, 'Method not found');
  if (mode === 'input-anywhere' && method === 'tools/list') return { resultType: 'input_required', requestState: 's' };
  if (method !== 'tools/call') return undefined;
  if (mode === 'unknown-type') return { resultType: 'x.test/later', content: [] };
  if (mode === 'bad-input') return { resultType: 'input_required', inputRequests: [1] };
  if (mode.startsWith('error:')) throw new RpcFailure(Number(mode.slice(6)), 'As asked', { x: 1 });
  return undefined;
}
