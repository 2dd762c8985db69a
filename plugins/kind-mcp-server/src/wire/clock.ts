import type { Clock } from '@coffer/kernel';

/**
 * Time that a server's calls are charged for: it stands still while a question of that server is open, since it may be waiting
 * for a person. One timer serves all calls of a connection.
 */
export class RunClock {
  #paused = 0;
  #pausedAt: number | undefined;
  #holds = 0;
  #timer: { clear(): void } | undefined;
  /** When the timer fires, in this clock's time. */
  #at = Infinity;

  constructor(
    private readonly clock: Clock,
    /** Ends what is overdue and returns the next deadline, in this clock's time. */
    private readonly sweep: (now: number) => number | undefined,
  ) {}

  now(): number {
    return (this.#pausedAt ?? this.clock.now()) - this.#paused;
  }

  hold(): void {
    if (this.#holds++ === 0) this.#pausedAt = this.clock.now();
  }

  release(): void {
    if (--this.#holds > 0 || this.#pausedAt === undefined) return;
    this.#paused += this.clock.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** Sees to it that `sweep` is called about `deadline`; a timer that fires sooner is left, it finds out by itself. */
  arm(deadline: number): void {
    if (deadline >= this.#at) return;
    this.#timer?.clear();
    this.#at = deadline;
    this.#timer = this.clock.setTimeout(() => this.#fire(), Math.max(1, deadline - this.now()));
  }

  stop(): void {
    this.#timer?.clear();
    this.#timer = undefined;
    this.#at = Infinity;
  }

  #fire(): void {
    this.#timer = undefined;
    this.#at = Infinity;
    const next = this.sweep(this.now());
    // While time stands still the deadline does not come nearer; looking again in a second is enough.
    if (next !== undefined) this.arm(this.#pausedAt === undefined ? next : Math.max(next, this.now() + 1000));
  }
}
