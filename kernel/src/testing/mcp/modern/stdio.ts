import type { Obj } from '../../../json.js';
import { lineReader, type RpcId } from '../rpc.js';
import { answerLegacy } from './legacy-leg.js';
import { handle, isEnveloped } from './request.js';
import type { ModernWorld } from './world.js';

/** On this process's own pipes. Without the newer era it is an old server, whatever it is asked. */
export function serveModernStdio(world: ModernWorld): void {
  const open = new Map<RpcId, AbortController>();
  const write = (message: Obj): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
  let legacy = !world.isModern();

  const take = async (m: Obj): Promise<void> => {
    if (m.method === 'notifications/cancelled') {
      world.record(`cancelled ${m.params?.reason}`);
      const stopped = open.get(m.params?.requestId);
      if (stopped !== undefined) world.cancelled.push(m.params.requestId);
      return stopped?.abort();
    }
    if (!isEnveloped(m)) {
      if (world.options.both && m.method === 'initialize') legacy = true;
      if (!legacy) return void (m.id !== undefined && write(refusal(m)));
    } else if (legacy) {
      world.record(`unknown ${m.method}`);
      return write({ jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'Method not found' } });
    }
    if (legacy) {
      const answer = await answerLegacy(m, world);
      return answer && write(answer);
    }
    const abort = new AbortController();
    open.set(m.id, abort);
    const answer = await handle(m, world, {
      headers: {},
      signal: abort.signal,
      notify: (method, params) => write({ jsonrpc: '2.0', method, params }),
    });
    open.delete(m.id);
    if (!abort.signal.aborted) write(answer);
  };
  process.stdin.on(
    'data',
    lineReader((line) => void take(JSON.parse(line) as Obj)),
  );
  process.stdin.on('end', () => process.exit(0));
}

export function refusal(m: Obj): Obj {
  return {
    jsonrpc: '2.0',
    id: m.id,
    error: { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } },
  };
}
