import type { Clock } from './contract.js';

/** How long an effect may take to end, in milliseconds: one that hangs must not keep the daemon from stopping. */
export const END_MS = 5000;
/** How long a plugin may take to be imported, and to start, in milliseconds: the daemon serves nobody until then. */
export const LOAD_MS = 10_000;

/** Something did not settle within its time. */
export class Late extends Error {
  override readonly name = 'Late';
}

/** Waits for the work. Rejects with what it threw, or with Late when it takes too long; it is not ended then. */
export async function inTime<T>(work: T | Promise<T>, ms: number, what: string, clock?: Clock): Promise<T> {
  if (!(work instanceof Promise)) return work;
  let clear: () => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const tell = (): void => reject(new Late(`${what} did not end within ${ms / 1000} s`));
    if (clock === undefined) {
      const timer = setTimeout(tell, ms);
      clear = () => clearTimeout(timer);
    } else {
      const timer = clock.setTimeout(tell, ms);
      clear = () => timer.clear();
    }
  });
  return Promise.race([work, late]).finally(clear);
}
