import type { Clock } from '../plugin/contract.js';

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Runs every timer that falls due, in order, and lets promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Timers that wait. */
  readonly pending: number;
}

export function fakeClock(start = Date.parse('2026-01-01T00:00:00Z')): FakeClock {
  let now = start;
  let order = 0;
  const timers = new Set<{ at: number; order: number; every: number | undefined; fn: () => void }>();
  const add = (fn: () => void, ms: number, every?: number): { clear(): void } => {
    const t = { at: now + ms, order: order++, every, fn };
    timers.add(t);
    return { clear: () => void timers.delete(t) };
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    setTimeout: (fn, ms) => add(fn, ms),
    setInterval: (fn, ms) => add(fn, ms, ms),
    get pending() {
      return timers.size;
    },
    async advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].filter((t) => t.at <= until).sort((a, b) => a.at - b.at || a.order - b.order);
        if (next === undefined) break;
        now = Math.max(now, next.at);
        if (next.every === undefined) timers.delete(next);
        else next.at += next.every;
        next.fn();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}
