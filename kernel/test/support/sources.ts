/** A server without a process: what the gateway core asks of it is recorded, what it answers is set by the test. */
import type { Kernel, Plugin } from '../../src/plugin/contract.js';
import { Payload } from '../../src/gateway/payload.js';
import type {
  Exchange,
  Facts,
  ListType,
  Obj,
  Outcome,
  Source,
  SourceOffer,
  Watch,
  WatchEvent,
} from '../../src/gateway/seam.js';
import { plugin } from './kernels.js';

export interface FakeServer {
  name: string;
  key: string;
  hidden?: boolean;
  listKey?: string;
  budgetMs?: number;
  lists: Partial<Record<ListType, Obj[]>>;
  facts?: Facts;
  /** Replaces how a list is made. */
  onList?: (type: ListType, x: Exchange) => Promise<readonly Obj[]>;
  onCall?: (method: string, params: Obj, x: Exchange) => Promise<Outcome> | Outcome;
  /** Everything that was opened for it, newest last. */
  opened: FakeSource[];
  listed: ListType[];
  calls: { method: string; params: Obj }[];
}

export interface FakeSource extends Source {
  want: Watch | undefined;
  tell: (e: WatchEvent) => void;
  closed: 'no' | 'drained' | 'at once';
  rootsHeard: number;
}

export const result = (value: Obj): Outcome => ({ kind: 'result', result: Payload.of(value) });
export const tool = (name: string): Obj => ({ name, inputSchema: { type: 'object' } });

export function server(name: string, more: Partial<FakeServer> = {}): FakeServer {
  return { name, key: '1', lists: {}, opened: [], listed: [], calls: [], ...more };
}

function open(s: FakeServer): FakeSource {
  const source: FakeSource = {
    want: undefined,
    tell: () => undefined,
    closed: 'no',
    rootsHeard: 0,
    known: () => s.facts,
    list: (type, x) => {
      s.listed.push(type);
      return s.onList?.(type, x) ?? Promise.resolve(s.lists[type] ?? []);
    },
    call: async (method, params, x) => {
      s.calls.push({ method, params });
      return (await s.onCall?.(method, params, x)) ?? result({ content: [], from: s.name });
    },
    watch: (want, sink) => {
      source.want = want;
      source.tell = sink;
      return Promise.resolve(want);
    },
    rootsChanged: () => void source.rootsHeard++,
    state: () => 'ready',
    close: (o) => {
      source.closed = o?.drain === true ? 'drained' : 'at once';
      return Promise.resolve();
    },
  };
  s.opened.push(source);
  return source;
}

/** Offers these servers to every session. `more` may tap further hooks. */
export function offering(servers: FakeServer[], more: (k: Kernel) => void = () => undefined): Plugin {
  return plugin('fakes', (k) => {
    k.tap(k.hooks.gateway.sources, (_session, sources) => {
      for (const s of servers) {
        const offer: SourceOffer = {
          name: s.name,
          ref: `mcp_server:${s.name}`,
          key: s.key,
          listKey: () => s.listKey ?? `${s.name}/${s.key}`,
          open: () => open(s),
        };
        if (s.hidden !== undefined) offer.hidden = s.hidden;
        if (s.budgetMs !== undefined) offer.listBudgetMs = s.budgetMs;
        sources.offer(offer);
      }
    });
    more(k);
  });
}
