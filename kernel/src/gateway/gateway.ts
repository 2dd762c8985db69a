/** The gateway as plugins see it, and its clients from inside the daemon. */
import type { Clock } from '../plugin/contract.js';
import type { GatewayCore } from './core.js';
import { quiet } from './exchange.js';
import type { Peer } from './seam.js';
import type { Gateway } from './types.js';

/** A client from inside the daemon is gone after this long without a call. */
const IDLE_MS = 10 * 60_000;

export interface GatewayFace extends Gateway {
  /** Ends in-process clients that have been idle; the returned function ends the watch. */
  reap(clock: Clock): () => void;
}

export function createGateway(core: GatewayCore): GatewayFace {
  const inside = new Set<string>();
  const peerOf = (client: string, agent?: string, cwd?: string): Peer => {
    const key = `in:${client}:${agent ?? ''}`;
    inside.add(key);
    return {
      key,
      info: { name: `coffer-${client}`, version: '0' },
      inside: true,
      ...(agent === undefined ? {} : { agent }),
      ...(cwd === undefined ? {} : { cwd }),
    };
  };
  return {
    sessions: () => [...core.standings.all.values()].map((s) => s.session),
    changed: (options) => core.changed(options),
    async tools(x) {
      const s = core.standings.of(x.peer);
      await core.standings.ready(s);
      return (await core.lists.get(s, 'tools', x)).tools;
    },
    call: (method, params, options = {}) =>
      core.call(method, params, quiet(peerOf(options.client ?? 'rest', options.agent, options.cwd), options)),
    missing(id) {
      const reasons = new Map<string, string>();
      for (const [key, { reason }] of core.standings.all.get(id)?.missing ?? [])
        reasons.set(key.slice(0, key.lastIndexOf('/')), reason);
      return [...reasons].map(([server, reason]) => ({ server, reason }));
    },
    reap(clock) {
      const timer = clock.setInterval(() => {
        for (const key of inside) {
          const s = core.standings.all.get(key);
          if (s !== undefined && (s.calls > 0 || clock.now() - s.lastUsed < IDLE_MS)) continue;
          inside.delete(key);
          void core.standings.gone(key);
        }
      }, 60_000);
      return () => timer.clear();
    },
  };
}
