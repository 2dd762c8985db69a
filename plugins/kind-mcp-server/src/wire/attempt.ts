import type { WatchEvent } from '@coffer/kernel';
import type { ConnectionEvents } from './connection.js';

/** What a connection tells before it is known whether it is the one that stays: kept back, then told or forgotten. */
export class Attempt implements ConnectionEvents {
  #early: (() => void)[] | undefined = [];

  constructor(private readonly events: ConnectionEvents) {}

  watched(e: WatchEvent): void {
    this.#say(() => this.events.watched(e));
  }
  down(reason: string): void {
    this.#say(() => this.events.down(reason));
  }
  odd(reason: string): void {
    this.#say(() => this.events.odd(reason));
  }

  /** This one stays. */
  take(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const tell of early) tell();
  }

  #say(tell: () => void): void {
    if (this.#early === undefined) tell();
    else this.#early.push(tell);
  }
}
