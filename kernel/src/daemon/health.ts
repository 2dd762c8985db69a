/** Health of resources for the status endpoint, which must not wait for anything: looked up behind it, when something changes. */
import type { Services } from '../container.js';
import type { Clock } from '../plugin/contract.js';
import { isAlive, readDiscovery } from '../vault/discovery.js';

export interface Counted {
  registered: number;
  enabled: number;
  healthy: number;
  failing: number;
}

export interface Healths {
  /** By kind. */
  summary(): Record<string, Counted>;
  /** Looks now and whenever a resource or its health changes; the returned function ends it. */
  watch(): () => void;
}

export function createHealths(s: Services): Healths {
  const healths = new Map<string, string>();
  const look = async (): Promise<void> => {
    for (const r of s.store.all()) healths.set(r.ref, (await s.resources.status(r)).status);
  };
  return {
    summary() {
      const kinds: Record<string, Counted> = {};
      for (const r of s.store.all()) {
        const sum = (kinds[r.kind] ??= { registered: 0, enabled: 0, healthy: 0, failing: 0 });
        sum.registered++;
        if (!r.enabled) continue;
        sum.enabled++;
        const health = healths.get(r.ref);
        if (health === 'healthy' || health === 'failing') sum[health]++;
      }
      return kinds;
    },
    watch() {
      void look();
      return s.live.listen(({ type }) => {
        if (type === 'resource' || type === 'health') void look();
      });
    },
  };
}

/** Should another daemon have taken this vault over, this one stands down. */
export function standDown(clock: Clock, discovery: string, stop: () => void): () => void {
  const timer = clock.setInterval(() => {
    const d = readDiscovery(discovery);
    if (d === undefined || d.pid === process.pid) return;
    void isAlive(d).then((alive) => {
      if (alive) stop();
    });
  }, 60_000);
  return () => timer.clear();
}
