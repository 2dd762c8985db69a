import type { Exchange, Outcome } from '@coffer/kernel';

/** A request the server has not answered. It listens to its client's signal itself: no closure is made for a call. */
export class Pending {
  deadline: number;
  /** Sent again after the server forgot the session; that happens once. */
  repeated = false;
  /** Its answer came with an HTTP status that an address of another kind would give. */
  refused = false;
  resolve!: (outcome: Outcome) => void;

  constructor(
    private readonly owner: { cancel(p: Pending): void },
    readonly id: number,
    readonly method: string,
    readonly text: string,
    readonly x: Exchange | undefined,
    readonly startedAt: number,
    /** How long it may be silent. */
    readonly ms: number,
  ) {
    this.deadline = startedAt + ms;
  }

  /** The server gave a sign of life; the hard limit stays. */
  touch(now: number, totalMs: number): void {
    this.deadline = Math.min(now + this.ms, this.startedAt + Math.max(totalMs, this.ms));
  }

  handleEvent(): void {
    this.owner.cancel(this);
  }
}
