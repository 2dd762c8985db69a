/** Finding facts: in the project's store and the global one, by words. */
import path from 'node:path';
import type { Retrieval } from '@coffer/retrieval';
import { GLOBAL, idOf, type MemoryStore, type Stores } from './stores.js';
import type { Project } from './project.js';

export type MemoryScope = 'project' | 'global';

export interface Recalled {
  /** `<scope>:<id>`, as update_memory and forget take it. */
  id: string;
  text: string;
  score: number;
  /** `<scope>:<path>` */
  source: string;
  /** Where the file lies. */
  path: string;
  /** From 1. */
  line: number;
  time: string | null;
}

export class Recall {
  constructor(
    private readonly stores: Stores,
    private readonly retrieval: Retrieval,
  ) {}

  async search(query: string, top: number, project: Project | undefined, scope?: MemoryScope): Promise<Recalled[]> {
    const searched: { scope: string; store: MemoryStore }[] = [];
    if (project !== undefined && scope !== 'global')
      searched.push({ scope: 'project', store: this.stores.get(project.store) });
    if (scope !== 'project') searched.push({ scope: 'global', store: this.stores.get(GLOBAL) });
    return this.#search(searched, query, top);
  }

  /** In one store, whatever project that is of. */
  inStore(name: string, query: string, top: number): Promise<Recalled[]> {
    return this.#search([{ scope: name, store: this.stores.get(name) }], query, top);
  }

  async #search(
    searched: readonly { scope: string; store: MemoryStore }[],
    query: string,
    top: number,
  ): Promise<Recalled[]> {
    const hits = await this.retrieval.search(
      searched.map((s) => s.store.files),
      query,
      top,
    );
    const times = new Map<string, string>();
    for (const { store } of searched)
      for (const d of await store.files.documents())
        times.set(
          `${store.files.id}/${d.path}`,
          typeof d.meta.updatedAt === 'string' ? d.meta.updatedAt : new Date(d.modified).toISOString(),
        );
    return hits.flatMap((h) => {
      const of = searched.find((s) => s.store.files.id === h.store);
      if (of === undefined) return [];
      return [
        {
          id: `${of.scope}:${idOf(h.path)}`,
          text: h.text,
          score: Number(h.score.toFixed(4)),
          source: `${of.scope}:${h.path}`,
          path: path.join(of.store.folder, h.path),
          line: h.line,
          time: times.get(`${h.store}/${h.path}`) ?? null,
        },
      ];
    });
  }
}
