import type { Clock } from '@coffer/kernel';

const APART_MS = [1000, 5000, 30_000] as const;
const COOLDOWN_MS = 60_000;

/** When a server that did not start may be tried again: 1, 5 and 30 s after a failure, then once a minute. */
export class Backoff {
  #failures = 0;
  #notBefore = 0;
  reason = '';

  constructor(private readonly clock: Clock) {}

  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds until the next attempt; calls fail at once meanwhile. */
  wait(): number {
    return Math.max(0, this.#notBefore - this.clock.now());
  }

  failed(reason: string): void {
    this.reason = reason;
    this.#notBefore = this.clock.now() + (APART_MS[this.#failures] ?? COOLDOWN_MS);
    this.#failures++;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#notBefore = 0;
  }
}
