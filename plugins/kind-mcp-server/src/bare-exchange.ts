import type { Exchange } from '@coffer/kernel';

/** A call of Coffer's own, with no client behind it: nobody can be asked anything. */
export function bareExchange(version: string, signal: AbortSignal = new AbortController().signal): Exchange {
  return {
    id: 'management',
    peer: { key: 'management', info: { name: 'coffer', version } },
    capabilities: {},
    wants: { progress: false },
    rounds: false,
    signal,
    waiting: false,
    ask: async ({ method }) => ({ error: { code: -32601, message: `There is no client to answer ${method}` } }),
    progress: () => undefined,
    log: () => undefined,
  };
}
