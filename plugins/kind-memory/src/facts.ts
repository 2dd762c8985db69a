/** Facts as files: the file is written first, the index follows it. One writer at a time for each store. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CofferError, writeAtomic, type Actor, type Kernel } from '@coffer/kernel';
import { formatFact, nameFrom, parseFact, slugOf, withText, type FactFile } from './fact.js';
import { FACT_CHARS, KIND } from './kind.js';
import type { Project } from './project.js';
import { idOf, isFact, type MemoryStore, type Stores } from './stores.js';

/** A file is written this long after the time in it at most, in milliseconds, when it is Coffer that writes it. */
const HAND_MS = 2000;

export interface Fact {
  id: string;
  name: string;
  description: string | null;
  text: string;
  actor: string | null;
  agent: string | null;
  /** ISO 8601; of the file where the fact says nothing. */
  created_at: string;
  updated_at: string;
  /** Of the file as it is; a change is based on one. */
  version: string;
  path: string;
}

export interface Author {
  actor: Actor;
  /** The agent's name, if one writes. */
  agent?: string | undefined;
}

export interface NewFact {
  text: string;
  name?: string | undefined;
  description?: string | undefined;
}

export class Facts {
  constructor(
    private readonly kernel: Kernel,
    private readonly stores: Stores,
  ) {}

  async add(storeName: string, fact: NewFact, author: Author, project?: Project): Promise<Fact> {
    const store = await this.stores.forWriting(storeName, author.actor, project);
    this.#check(store, fact.text);
    return store.files.exclusive(async () => {
      const name = fact.name?.trim() ?? nameFrom(fact.text);
      const id = free(store, slugOf(name));
      const now = this.#now();
      const text = formatFact({
        name,
        description: fact.description?.trim() === '' ? undefined : fact.description?.trim(),
        actor: author.actor,
        agent: author.agent,
        createdAt: now,
        updatedAt: now,
        text: fact.text,
      });
      writeAtomic(fileOf(store, id), text);
      return this.#done('memory_added', store, id, author);
    });
  }

  /** Throws FACT_NOT_FOUND. */
  get(storeName: string, id: string): Fact {
    return read(this.stores.get(storeName), id);
  }

  /** Throws FACT_NOT_FOUND, RESOURCE_STALE when the file is not the one that was read. */
  async update(storeName: string, id: string, text: string, author: Author, version?: string): Promise<Fact> {
    const store = this.stores.get(storeName);
    this.#check(store, text);
    return store.files.exclusive(async () => {
      const before = read(store, id);
      if (version !== undefined && version !== before.version)
        throw new CofferError(
          'RESOURCE_STALE',
          'The fact was changed meanwhile. Read it again and make the change anew.',
        );
      const file = readFileSync(fileOf(store, id), 'utf8');
      writeAtomic(
        fileOf(store, id),
        withText(file, text, { updatedAt: this.#now(), actor: author.actor, agent: author.agent }),
      );
      return this.#done('memory_updated', store, id, author);
    });
  }

  async remove(storeName: string, id: string, author: Author): Promise<void> {
    const store = this.stores.get(storeName);
    await store.files.exclusive(async () => {
      read(store, id);
      rmSync(fileOf(store, id));
      this.#audit('memory_deleted', store, author, { id });
      await store.files.sync();
    });
  }

  /** To another store, under the same name there if it is free. */
  async move(from: string, id: string, to: string, author: Author): Promise<Fact> {
    const source = this.stores.get(from);
    if (from === to) return read(source, id);
    const target = await this.stores.forWriting(to, author.actor);
    const moved = await source.files.exclusive(() =>
      target.files.exclusive(async () => {
        read(source, id);
        const there = free(target, slugOf(path.basename(id)));
        renameSync(fileOf(source, id), fileOf(target, there));
        return this.#done('memory_moved', target, there, author, { from });
      }),
    );
    await source.files.sync();
    return moved;
  }

  /** Removes all facts; the store, its rules and hand-offs stay. */
  async clear(storeName: string, author: Author): Promise<number> {
    const store = this.stores.get(storeName);
    return store.files.exclusive(async () => {
      const all = await store.files.documents();
      for (const { path: at } of all) rmSync(path.join(store.folder, at), { force: true });
      this.#audit('memory_cleared', store, author, { facts: all.length });
      await store.files.sync();
      return all.length;
    });
  }

  /** Newest first. */
  async list(storeName: string): Promise<Fact[]> {
    const store = this.stores.get(storeName);
    const facts = (await store.files.documents()).flatMap(({ path: at }) => attempt(() => read(store, idOf(at))));
    return facts.sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  }

  // ---- inside

  #check(store: MemoryStore, text: string): void {
    const config = this.kernel.resources.find(KIND, store.name)?.config;
    const most = typeof config?.max_fact_chars === 'number' ? config.max_fact_chars : FACT_CHARS.default;
    if (text.trim() === '')
      throw new CofferError('MEMORY_REJECTED', 'There is nothing to remember: the text is empty.', { reason: 'empty' });
    if (text.length > most)
      throw new CofferError(
        'MEMORY_REJECTED',
        `A fact may have ${most} characters. Say it shorter, or keep it in a knowledge base.`,
        {
          reason: 'too_long',
          max: most,
        },
      );
  }

  async #done(event: string, store: MemoryStore, id: string, author: Author, more: object = {}): Promise<Fact> {
    this.#audit(event, store, author, { id, ...more });
    await store.files.sync();
    return read(store, id);
  }

  #audit(event_type: string, store: MemoryStore, { actor, agent }: Author, details: object): void {
    this.kernel.audit.write({
      event_type,
      resource_kind: KIND,
      resource_name: store.name,
      actor,
      details: { ...details, ...(agent !== undefined && { agent }) },
    });
    this.kernel.emit({ type: 'memory', store: store.name, event: event_type, ...details });
  }

  #now(): string {
    return new Date(this.kernel.clock.now()).toISOString();
  }
}

/** The file of a fact. An id that leads elsewhere finds nothing. */
function fileOf(store: MemoryStore, id: string): string {
  const file = path.join(store.folder, `${id}.md`);
  const at = path.relative(store.folder, file).replaceAll('\\', '/');
  if (
    id.includes('\0') ||
    at.startsWith('..') ||
    path.isAbsolute(at) ||
    !isFact(at) ||
    at.split('/').some((p) => p.startsWith('.'))
  )
    throw notFound();
  return file;
}

function read(store: MemoryStore, id: string): Fact {
  const file = fileOf(store, id);
  let bytes: Buffer;
  let modified: Date;
  try {
    bytes = readFileSync(file);
    modified = statSync(file).mtime;
  } catch {
    throw notFound();
  }
  const fact = bySelf(parseFact(bytes.toString('utf8').replace(/\r\n?/g, '\n'), path.basename(id)), modified);
  return {
    id,
    name: fact.name,
    description: fact.description ?? null,
    text: fact.text,
    actor: fact.actor ?? null,
    agent: fact.agent ?? null,
    created_at: fact.createdAt ?? modified.toISOString(),
    updated_at: fact.updatedAt ?? modified.toISOString(),
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
    path: file,
  };
}

/** A file that was written after what it says of itself was written by hand: nobody said who, and its own time is the true one. */
function bySelf(fact: FactFile, modified: Date): FactFile {
  const said = fact.updatedAt === undefined ? NaN : Date.parse(fact.updatedAt);
  return modified.getTime() - said > HAND_MS
    ? { ...fact, updatedAt: modified.toISOString(), actor: undefined, agent: undefined }
    : fact;
}

function free(store: MemoryStore, slug: string): string {
  mkdirSync(store.folder, { recursive: true, mode: 0o700 });
  const taken = (id: string): boolean => existsSync(path.join(store.folder, `${id}.md`)) || !isFact(`${id}.md`);
  if (!taken(slug)) return slug;
  for (let n = 2; ; n++) if (!taken(`${slug}-${n}`)) return `${slug}-${n}`;
}

function notFound(): CofferError {
  return new CofferError(
    'FACT_NOT_FOUND',
    'There is no such fact in this store. See what there is: coffer memory facts',
  );
}

/** A file that goes while we look is no fact. */
function attempt<T>(look: () => T): T[] {
  try {
    return [look()];
  } catch {
    return [];
  }
}
