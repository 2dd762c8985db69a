import type { Obj } from '@coffer/kernel';
import type { Receiver, Transport } from './connection.js';
import { readMessage } from './message.js';
import { FIRST_ID } from './modern.js';

export interface Lease extends Transport {
  own(): void;
}

/**
 * One process that two edges may talk to: first the one that looks which era it speaks, then the one that stays. While that is in
 * doubt, the answer to the first one's question still finds it.
 */
export class Doorway implements Receiver {
  #inside: Receiver | undefined;
  #waiting: Receiver | undefined;
  #owner: Lease | undefined;
  #lost: string | undefined;

  constructor(private readonly transport: Transport) {}

  /** Why the process is gone. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** The transport as one edge has it. It hears what comes once it has opened it; only its owner closes it. */
  lease(): Lease {
    const { transport } = this;
    const lease: Lease = {
      own: () => void (this.#owner = lease),
      ties: transport.ties,
      open: async (receiver) => {
        const first = this.#inside === undefined;
        this.#waiting = this.#inside;
        this.#inside = receiver;
        if (first) await transport.open(this);
        else if (this.#lost !== undefined) receiver.down(this.#lost);
      },
      send: (text, id, headers) => transport.send(text, id, headers),
      drop: (id) => transport.drop(id),
      agreed: (version) => transport.agreed(version),
      forget: () => transport.forget(),
      close: async () => {
        if (this.#owner === lease) await transport.close();
      },
    };
    return lease;
  }

  /** The doubt is over; `receiver` stays. */
  settle(receiver?: Receiver): void {
    this.#waiting = undefined;
    if (receiver !== undefined) this.#inside = receiver;
  }

  message(chunks: readonly Buffer[]): boolean {
    if (this.#waiting !== undefined && answersDiscovery(chunks)) return this.#waiting.message(chunks);
    return this.#inside?.message(chunks) ?? false;
  }
  waits(id: number): boolean {
    return this.#inside?.waits(id) ?? false;
  }
  unanswered(id: number, message: string, data?: Obj): void {
    this.#inside?.unanswered(id, message, data);
  }
  sessionLost(id?: number): void {
    this.#inside?.sessionLost(id);
  }
  down(reason: string): void {
    this.#lost = reason;
    this.#waiting?.down(reason);
    this.#inside?.down(reason);
  }
}

function answersDiscovery(chunks: readonly Buffer[]): boolean {
  const m = readMessage(chunks);
  if (m.kind === 'result') return m.id >= FIRST_ID;
  return m.kind === 'message' && Number(m.message.id) >= FIRST_ID && m.message.method === undefined;
}
