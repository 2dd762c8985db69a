/** The stores of facts: one for everything, one for each project; a store makes itself when it is first written to. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CofferError, isCofferError, type Actor, type Kernel, type Resource } from '@coffer/kernel';
import type { Retrieval, Store } from '@coffer/retrieval';
import { parseFact } from './fact.js';
import { KIND } from './kind.js';
import type { Project } from './project.js';

export const GLOBAL = 'global';
const NAME = /^(global|project-[0-9abcdefghjkmnpqrstvwxyz]{26})$/;
/** What lies in a store's folder and is no fact. */
export const RULES = 'rules.md';
export const HANDOFF = 'handoff';

export interface MemoryStore {
  readonly name: string;
  readonly folder: string;
  readonly files: Store;
}

export class Stores {
  readonly #open = new Map<string, MemoryStore>();

  constructor(
    private readonly kernel: Kernel,
    private readonly retrieval: Retrieval,
  ) {}

  /** Throws MEMORY_STORE_NOT_FOUND for a name that can be none. */
  get(name: string): MemoryStore {
    if (!NAME.test(name))
      throw new CofferError(
        'MEMORY_STORE_NOT_FOUND',
        'There is no such memory store. Stores are `global` and `project-…`; see: coffer memory list',
      );
    let store = this.#open.get(name);
    if (store === undefined) {
      const folder =
        name === GLOBAL
          ? path.join(this.kernel.paths.home, 'memory', GLOBAL)
          : path.join(this.kernel.paths.home, 'memory', 'projects', name.slice('project-'.length));
      const files = this.retrieval.store({
        id: `memory/${name}`,
        folder,
        includes: isFact,
        read(text, at) {
          const fact = parseFact(text, idOf(at));
          const { description, createdAt, updatedAt, actor, agent } = fact;
          return {
            title: description === undefined ? fact.name : `${fact.name}: ${description}`,
            body: fact.text,
            line: fact.line,
            meta: { name: fact.name, description, createdAt, updatedAt, actor, agent },
          };
        },
      });
      this.#open.set(name, (store = { name, folder, files }));
    }
    return store;
  }

  /** The store to write to, with its folder and its row. */
  async forWriting(name: string, actor: Actor, project?: Project): Promise<MemoryStore> {
    const store = this.get(name);
    mkdirSync(store.folder, { recursive: true, mode: 0o700 });
    const { resources } = this.kernel;
    if (resources.find(KIND, name) !== undefined) return store;
    const config = project === undefined ? {} : { identity: project.identity, label: project.label };
    const description = name === GLOBAL ? 'What holds everywhere' : null;
    try {
      await resources.create({ kind: KIND, name, description, config }, actor);
    } catch (e) {
      // Another writer was faster; that is as good.
      if (!isCofferError(e) || e.code !== 'RESOURCE_ALREADY_EXISTS') throw e;
    }
    return store;
  }

  /** Those that have a row, the global one first. */
  all(): { store: MemoryStore; resource: Resource }[] {
    return this.kernel.resources
      .list(KIND)
      .filter((r) => NAME.test(r.name))
      .sort((a, b) => Number(b.name === GLOBAL) - Number(a.name === GLOBAL) || (a.name < b.name ? -1 : 1))
      .map((resource) => ({ store: this.get(resource.name), resource }));
  }

  forget(name: string): void {
    this.#open.delete(name);
    this.retrieval.forget(`memory/${name}`);
  }
}

/** Every Markdown file but the rules and the hand-offs; in folders too, since people make some. */
export function isFact(at: string): boolean {
  return at.endsWith('.md') && at !== RULES && !at.startsWith(`${HANDOFF}/`);
}

/** A fact is known by its file. */
export function idOf(at: string): string {
  return at.replace(/\.md$/, '');
}
