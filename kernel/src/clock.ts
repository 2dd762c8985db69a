import type { Clock } from './plugin/contract.js';

/** The real clock. Its timers do not keep the process alive: the server does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(fn, ms) {
    const t = setTimeout(fn, ms);
    t.unref();
    return { clear: () => clearTimeout(t) };
  },
  setInterval(fn, ms) {
    const t = setInterval(fn, ms);
    t.unref();
    return { clear: () => clearInterval(t) };
  },
};

/** ISO 8601 in UTC, as every row has it. */
export function iso(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
