/** What each client is told unasked: one filter per server made of all its watchers, and bursts made one notification. */
import type { Clock } from '../plugin/contract.js';
import { named } from './exchange.js';
import type { Kind } from './lists.js';
import { namedTask, splitTask, taskName } from './tasks.js';
import {
  LOG_LEVELS,
  type Exchange,
  type Honoured,
  type Fault,
  type Refused,
  type Watch,
  type WatchEvent,
  type WatchHandle,
} from './seam.js';
import type { OpenSource, Standing, Watcher } from './standings.js';

/** The first change of a burst waits this long for the others; the next one goes out at the earliest after the pause. In ms. */
const SETTLE_MS = 20;
const PAUSE_MS = 250;

export interface Watching {
  watch(s: Standing, x: Exchange, want: Watch, sink: (e: WatchEvent) => void): WatchHandle;
  /** Gives a source that was just opened the standing's filter. */
  apply(s: Standing, open: OpenSource): void;
  /** Tells the watchers of a kind that its lists changed, once for a burst. */
  announce(s: Standing, kind: Kind): void;
}

interface Parts {
  clock: Clock;
  /** The server said that its lists changed. */
  invalidate: (s: Standing, server: string, kind: Kind) => void;
  /** Which server a URI means, in the client's own form; `error` when none or several do. */
  resolve: (s: Standing, uri: string, x: Exchange) => Promise<{ server: string; key: string } | { fault: Fault }>;
}

/** The tasks of one server that are named one by one, by the server's own ids. */
function tasksAt(server: string, { tasks }: Watch): string[] {
  if (tasks === undefined || tasks === true) return [];
  return tasks.flatMap((name) => {
    const target = splitTask(name);
    return target?.server === server ? [target.key] : [];
  });
}

export function createWatching({ clock, invalidate, resolve }: Parts): Watching {
  const pending = new WeakMap<Standing, Map<Kind, { next: number; timer?: { clear(): void } }>>();

  const announce = (s: Standing, kind: Kind): void => {
    let kinds = pending.get(s);
    if (kinds === undefined) pending.set(s, (kinds = new Map()));
    let p = kinds.get(kind);
    if (p === undefined) kinds.set(kind, (p = { next: 0 }));
    if (p.timer !== undefined) return;
    const state = p;
    state.timer = clock.setTimeout(
      () => {
        delete state.timer;
        state.next = clock.now() + PAUSE_MS;
        if (!s.closed) for (const w of s.watchers) if (w.want[kind] === true) w.sink({ kind });
      },
      Math.max(SETTLE_MS, state.next - clock.now()),
    );
  };

  const hear = (s: Standing, server: string, e: WatchEvent): void => {
    if (s.closed) return;
    if (e.kind === 'uri') {
      for (const w of s.watchers)
        for (const [own, t] of w.uris)
          if (t.server === server && t.key === e.uri)
            w.sink({ kind: 'uri', uri: own, params: { ...e.params, uri: own } });
    } else if (e.kind === 'log') {
      const params = named(server, e.params);
      for (const w of s.watchers) w.sink({ kind: 'log', params });
    } else if (e.kind === 'task') {
      const params = namedTask(server, e.params);
      for (const w of s.watchers)
        if (w.want.tasks === true || w.want.tasks?.includes(params['taskId'] as string) === true)
          w.sink({ kind: 'task', params });
    } else if (e.kind === 'elicitation') {
      for (const w of s.watchers) w.sink(e);
    } else {
      invalidate(s, server, e.kind);
      announce(s, e.kind);
    }
  };

  /** All watchers of a standing are one client: the server gets the union. */
  const unionFor = (s: Standing, server: string): Watch => {
    const all = [...s.watchers];
    const uris = all.flatMap((w) => [...w.uris.values()].filter((t) => t.server === server).map((t) => t.key));
    const level = all
      .map((w) => w.want.log)
      .filter((l) => l !== undefined)
      .sort((a, b) => LOG_LEVELS.indexOf(a) - LOG_LEVELS.indexOf(b))[0];
    return {
      tools: all.some((w) => w.want.tools === true),
      prompts: all.some((w) => w.want.prompts === true),
      resources: all.some((w) => w.want.resources === true),
      uris: [...new Set(uris)],
      tasks: all.some((w) => w.want.tasks === true) || [...new Set(all.flatMap((w) => tasksAt(server, w.want)))],
      ...(level === undefined ? {} : { log: level }),
    };
  };

  const apply = async (s: Standing, open: OpenSource, x?: Exchange): Promise<Honoured> => {
    const { name } = open.offer;
    const honoured = await open.source?.watch(unionFor(s, name), (e) => hear(s, name, e), x);
    return honoured ?? {};
  };

  return {
    announce,
    apply: (s, open) => void apply(s, open).catch(() => undefined),
    watch(s, x, first, sink) {
      const watcher: Watcher = { want: first, uris: new Map(), sink };
      s.watchers.add(watcher);
      const change = async (want: Watch): Promise<Honoured> => {
        const refused: Refused[] = [];
        const uris = new Map<string, { server: string; key: string }>();
        for (const uri of want.uris ?? []) {
          const target = watcher.uris.get(uri) ?? (await resolve(s, uri, x));
          if ('fault' in target) refused.push({ uri, fault: target.fault });
          else uris.set(uri, target);
        }
        watcher.want = want;
        watcher.uris = uris;
        const told: Honoured = {
          tools: want.tools === true,
          prompts: want.prompts === true,
          resources: want.resources === true,
        };
        const honouredUris = new Set<string>();
        const honouredTasks = new Set<string>();
        await Promise.all(
          [...s.sources.values()].map(async (open) => {
            const got = await apply(s, open, x).catch((): Honoured => ({}));
            for (const id of tasksAt(open.offer.name, want))
              if (got.tasks === true || got.tasks?.includes(id) === true)
                honouredTasks.add(taskName(open.offer.name, id));
            for (const [own, t] of uris) {
              if (t.server !== open.offer.name) continue;
              const no = got.refused?.find((r) => r.uri === t.key);
              if (no !== undefined) refused.push({ ...no, uri: own });
              else if (got.uris?.includes(t.key) === true) honouredUris.add(own);
            }
          }),
        );
        for (const r of refused) watcher.uris.delete(r.uri);
        return {
          ...told,
          uris: [...honouredUris],
          ...(want.tasks === undefined ? {} : { tasks: want.tasks === true || [...honouredTasks] }),
          ...(refused.length > 0 ? { refused } : {}),
          ...(want.log === undefined ? {} : { log: want.log }),
        };
      };
      // One change after the other: each hands the servers a whole filter.
      let last: Promise<unknown> = Promise.resolve();
      const inTurn = (want: Watch): Promise<Honoured> => {
        const mine = last.then(() => change(want));
        last = mine.catch(() => undefined);
        return mine;
      };
      return {
        honoured: inTurn(first),
        change: inTurn,
        stop() {
          s.watchers.delete(watcher);
          if (!s.closed) for (const open of s.sources.values()) apply(s, open).catch(() => undefined);
        },
      };
    },
  };
}
