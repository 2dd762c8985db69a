import type { ListType, Obj } from '@coffer/kernel';
import type { Finding } from './findings.js';

const LIVES_MS = 60_000;

export interface Catalogue {
  lists: Record<ListType, readonly Obj[]>;
  fetchedAt: number;
}

/** What is known of servers in memory only: what they listed, what was found about it, how much noise they made. */
export class Notes {
  readonly #noise = new Map<string, number>();
  readonly #findings = new Map<string, Map<ListType, readonly Finding[]>>();
  readonly #catalogues = new Map<string, Catalogue>();

  noisy(server: string): void {
    this.#noise.set(server, this.noise(server) + 1);
  }

  noise(server: string): number {
    return this.#noise.get(server) ?? 0;
  }

  found(server: string, type: ListType, findings: readonly Finding[]): void {
    let all = this.#findings.get(server);
    if (all === undefined) this.#findings.set(server, (all = new Map()));
    all.set(type, findings);
  }

  findings(server: string): Finding[] {
    return [...(this.#findings.get(server)?.values() ?? [])].flat();
  }

  keep(server: string, lists: Record<ListType, readonly Obj[]>, now: number): Catalogue {
    const catalogue = { lists, fetchedAt: now };
    this.#catalogues.set(server, catalogue);
    return catalogue;
  }

  /** What the server listed within the last minute. */
  fresh(server: string, now: number): Catalogue | undefined {
    const catalogue = this.#catalogues.get(server);
    return catalogue !== undefined && now - catalogue.fetchedAt < LIVES_MS ? catalogue : undefined;
  }

  forget(server: string): void {
    this.#noise.delete(server);
    this.#findings.delete(server);
    this.#catalogues.delete(server);
  }
}
