/** Who stands in the gateway: one entry per peer, with the sources it was offered. Offering starts nothing. */
import type { Hooks } from '../hooks.js';
import type { Clock, LiveEvent, Logger } from '../plugin/contract.js';
import { iso } from '../clock.js';
import type { Peer, Source, SourceOffer, Watch, WatchEvent } from './seam.js';
import type { GatewaySession } from './types.js';
import type { CachedList, Rendered } from './lists.js';

export interface OpenSource {
  readonly offer: SourceOffer;
  /** Absent for what is hidden from this agent: that is never opened. */
  readonly source: Source | undefined;
}

export interface Watcher {
  want: Watch;
  /** Watched URIs in the server's own form, each with the form its client used. */
  uris: Map<string, { server: string; key: string }>;
  sink: (e: WatchEvent) => void;
}

export interface Standing {
  readonly session: GatewaySession;
  readonly peer: Peer;
  sources: Map<string, OpenSource>;
  /** The offers' epoch this standing has seen. */
  epoch: number;
  refreshing: Promise<void> | undefined;
  readonly watchers: Set<Watcher>;
  readonly lists: Map<string, CachedList>;
  readonly rendered: Map<string, Rendered>;
  /** Servers left out of the last lists, by `<server>/<list type>`. */
  readonly missing: Map<string, { reason: string; retry?: { clear(): void }; attempts: number }>;
  /** The tool of each task this client began, by the task's name. */
  readonly tasks: Map<string, string>;
  lastUsed: number;
  calls: number;
  closed: boolean;
}

export interface Standings {
  readonly all: ReadonlyMap<string, Standing>;
  /** The peer's standing, made on first use. Its offers are up to date when the promise settles; undefined when they already are. */
  of(peer: Peer): Standing;
  ready(s: Standing): Promise<void> | undefined;
  /** Offers must be collected again. */
  stale(): void;
  gone(key: string): Promise<void>;
}

interface Parts {
  hooks: Hooks;
  clock: Clock;
  log: Logger;
  machine: string;
  /** Tells whoever watches that a client came or went. */
  emit: (event: LiveEvent) => void;
  /** A source was opened: it gets the standing's filter. */
  opened: (s: Standing, open: OpenSource) => void;
  /** A server went or was replaced: what was remembered of it is dropped. */
  dropped: (s: Standing, server: string) => void;
}

export function createStandings({ hooks, clock, log, machine, emit, opened, dropped }: Parts): Standings {
  const all = new Map<string, Standing>();
  let epoch = 1;
  const tell = (action: 'opened' | 'closed', { id, agent, client }: GatewaySession): void =>
    emit({ type: 'session', action, id, agent, client: client?.['name'] ?? null });

  const collectOnce = async (s: Standing): Promise<void> => {
    const at = epoch;
    const offers = new Map<string, SourceOffer>();
    await hooks.gateway.sources.promise(s.session, {
      offer: (o) => {
        if (offers.has(o.name))
          log.warn('two plugins offer a server of the same name; the first one counts', { server: o.name });
        else offers.set(o.name, o);
      },
    });
    if (s.closed) return;
    for (const [name, old] of s.sources) {
      const now = offers.get(name);
      if (now !== undefined && now.key === old.offer.key && now.hidden === old.offer.hidden) continue;
      s.sources.delete(name);
      dropped(s, name);
      // Calls that run end on the server they were sent to.
      old.source
        ?.close({ drain: true })
        .catch((e: unknown) => log.warn('a server did not close cleanly', { server: name, error: String(e) }));
    }
    for (const [name, offer] of offers) {
      if (s.sources.has(name)) continue;
      let open: OpenSource;
      try {
        open = { offer, source: offer.hidden === true ? undefined : offer.open() };
      } catch (e) {
        // One offer that cannot be opened must not take all the others from the client.
        log.error('a server could not be opened', { server: name, stack: e instanceof Error ? e.stack : String(e) });
        continue;
      }
      s.sources.set(name, open);
      if (open.source !== undefined) opened(s, open);
    }
    // The order of offers is the order of lists.
    s.sources = new Map(
      [...offers.keys()].flatMap((n) => (s.sources.has(n) ? [[n, s.sources.get(n) as OpenSource]] : [])),
    );
    s.epoch = at;
  };
  /** Until nothing has changed meanwhile: who waits must not go on with offers that were outdated when they came. */
  const collect = async (s: Standing): Promise<void> => {
    do await collectOnce(s);
    while (s.epoch !== epoch && !s.closed);
  };

  return {
    all,
    of(peer) {
      let s = all.get(peer.key);
      if (s === undefined) {
        const agent = peer.agent ?? null;
        const session: GatewaySession = {
          id: peer.key,
          key: peer.key,
          agent,
          cwd: peer.cwd ?? null,
          client: peer.info ?? null,
          lean: peer.lean === true,
          protocolVersion: peer.protocolVersion ?? null,
          openedAt: iso(clock),
          viewpoint: { machine, agent },
        };
        s = {
          session,
          peer,
          sources: new Map(),
          epoch: 0,
          refreshing: undefined,
          watchers: new Set(),
          lists: new Map(),
          rendered: new Map(),
          missing: new Map(),
          tasks: new Map(),
          lastUsed: clock.now(),
          calls: 0,
          closed: false,
        };
        all.set(peer.key, s);
        tell('opened', session);
        void hooks.gateway.sessionOpened.promise(session);
      }
      return s;
    },
    ready(s) {
      if (s.epoch === epoch) return undefined;
      return (s.refreshing ??= collect(s).finally(() => (s.refreshing = undefined)));
    },
    stale: () => void epoch++,
    async gone(key) {
      const s = all.get(key);
      if (s === undefined) return;
      all.delete(key);
      s.closed = true;
      // Before its servers have closed, which may take long: the client is gone now.
      tell('closed', s.session);
      for (const m of s.missing.values()) m.retry?.clear();
      await Promise.all([...s.sources.values()].map(async (o) => o.source?.close().catch(() => undefined)));
      await hooks.gateway.sessionClosed.promise(s.session);
    },
  };
}
