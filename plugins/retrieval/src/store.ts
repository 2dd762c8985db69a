/** One store: its files, the index that follows them, and what can be asked of both. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@coffer/kernel';
import { chunksOf } from './chunk.js';
import { decode } from './decode.js';
import { grep } from './grep.js';
import type { Found } from './keyword.js';
import { Lock } from './lock.js';
import type { Database, Indexed, IndexedDocument, Rows } from './rows.js';
import { isGone, look, scan, type FoundFile } from './scan.js';
import { FolderWatch } from './watch.js';
import type {
  ChunkSize,
  DocumentRow,
  DocumentText,
  GrepResult,
  Hit,
  Store,
  StoreDefinition,
  SyncReport,
} from './types.js';

/** Documents written in one transaction, and between two turns of the event loop. */
const BATCH = 20;
/** Passages looked at beyond those asked for, so that equals at the end come in an order of their own. */
const TIES = 20;
const SIZE: ChunkSize = { size: 800, overlap: 100 };
/** A file above this is none a person wrote; it can be found by grep. Bytes. */
const MOST_BYTES = 32 * 1_048_576;

export interface StoreParts {
  db: Database;
  rows: Rows;
  log: Logger;
  keyword: (store: number, query: string, top: number) => Found[];
  /** The index has changed. */
  changed: (store: string) => void;
  /** Something in the folder has. */
  touched: (store: string) => void;
  /** Makes missing tables again. */
  heal: () => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export class FileStore implements Store {
  readonly #writing = new Lock();
  readonly #syncing = new Lock();
  /** Documents that were indexed when last looked: fewer means that somebody emptied the index. */
  #count = -1;
  readonly #watch: FolderWatch;
  readonly #shape: string;

  constructor(
    private readonly definition: StoreDefinition,
    private readonly parts: StoreParts,
  ) {
    this.#watch = new FolderWatch(definition.folder, parts.now, () => parts.touched(definition.id));
    const { size, overlap } = this.#size;
    this.#shape = `1:${size}:${overlap}`;
  }

  get id(): string {
    return this.definition.id;
  }
  get folder(): string {
    return this.definition.folder;
  }
  get #number(): number {
    return this.parts.rows.number(this.id);
  }
  get #size(): ChunkSize {
    return this.definition.chunks ?? SIZE;
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#writing.run(work);
  }

  sync(progress?: Progress): Promise<SyncReport> {
    return this.#syncing.run(() => this.#whole(() => this.#sync({ progress, anew: false })));
  }

  /** Document by document, so that all of it can be found meanwhile. */
  rebuild(progress?: Progress): Promise<SyncReport> {
    return this.#syncing.run(() => this.#whole(() => this.#sync({ progress, anew: true })));
  }

  close(): void {
    this.#watch.close();
  }

  async search(query: string, top: number): Promise<Hit[]> {
    await this.sync();
    const found = this.parts.keyword(this.#number, query.slice(0, 4096), top + TIES);
    const passage = this.parts.db.prepare(
      `SELECT d.path, d.title, c.headings, c.text, c.line, c.position FROM retrieval_chunks c
       JOIN retrieval_documents d ON d.id = c.document WHERE c.id = ?`,
    );
    const hits = found.flatMap(({ chunk, score }) => {
      const row = passage.get(chunk) as (Omit<Hit, 'headings' | 'store' | 'score'> & { headings: string }) | undefined;
      return row === undefined
        ? []
        : [{ ...row, store: this.id, headings: JSON.parse(row.headings) as string[], score }];
    });
    // Of equal passages it must not matter which was indexed first.
    return hits
      .sort((a, c) => c.score - a.score || (a.path < c.path ? -1 : a.path > c.path ? 1 : a.position - c.position))
      .slice(0, top);
  }

  grep(pattern: string, most: number, signal?: AbortSignal): Promise<GrepResult> {
    return grep({ folder: this.folder, includes: (p) => this.#includes(p), pattern, most, signal });
  }

  async documents(): Promise<DocumentRow[]> {
    await this.sync();
    return this.parts.rows
      .documents(this.#number)
      .map(({ path: at, title, bytes, modified, meta }) => ({ path: at, title, bytes, modified, meta }));
  }

  // ---- inside

  /** Tables that are gone are made again, and filled by the same work. */
  async #whole<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (e) {
      if (!(e instanceof Error && /no such table: (main\.)?retrieval_/.test(e.message))) throw e;
      this.parts.heal();
      return work();
    }
  }

  #includes(at: string): boolean {
    return this.definition.includes?.(at) ?? at.endsWith('.md');
  }

  async #sync({ progress, anew }: { progress: Progress | undefined; anew: boolean }): Promise<SyncReport> {
    const report = { added: 0, changed: 0, removed: 0, failed: [] as { path: string; reason: string }[] };
    const { rows } = this.parts;
    const store = this.#number;
    const changes = anew || rows.count(store) !== this.#count ? 'all' : await this.#watch.changes();
    if (changes.length === 0) return report;
    const { files, before } = await this.#look(changes, store);
    const known = new Map(before.map((d) => [d.path, d]));
    const stale = anew ? files : files.filter((f) => !this.#fresh(f, known.get(f.path)));
    const there = new Set(files.map((f) => f.path));
    const gone = before.filter((d) => !there.has(d.path));
    await inBatches(gone, async (some) => {
      rows.transaction(() => some.forEach((d) => rows.remove(d.id)));
      report.removed += some.length;
    });
    let done = 0;
    await inBatches(stale, async (some) => {
      const read = await Promise.all(some.map((f) => this.#read(f)));
      rows.transaction(() => {
        for (const one of read) this.#take(one, known, report, anew);
      });
      progress?.((done += some.length), stale.length);
    });
    this.#count = rows.count(store);
    if (report.added + report.changed + report.removed > 0) this.parts.changed(this.id);
    return report;
  }

  /** The files that may have changed, as they are and as they were indexed. */
  async #look(changes: 'all' | readonly string[], store: number): Promise<{ files: FoundFile[]; before: Indexed[] }> {
    const { rows } = this.parts;
    const includes = (at: string): boolean => this.#includes(at);
    this.#watch.looking(changes);
    if (changes !== 'all') {
      const files = look(this.folder, changes, includes, (folder) => rows.hasInside(store, folder));
      if (files !== undefined) return { files, before: changes.flatMap((at) => rows.document(store, at)) };
      this.#watch.looking('all');
    }
    const { files, folders } = await scan(this.folder, includes, (at) => this.#watch.entering(at));
    this.#watch.looked(folders);
    return { files, before: rows.documents(store) };
  }

  /** Not written to since, and cut as it would be now. */
  #fresh(f: FoundFile, d: IndexedDocument | undefined): boolean {
    return d !== undefined && d.stamp === f.stamp && d.shape === this.#shape;
  }

  async #read(f: FoundFile): Promise<Read> {
    if (f.bytes > MOST_BYTES) return { file: f, failed: `it is larger than ${MOST_BYTES / 1_048_576} MiB` };
    try {
      const bytes = await readFile(path.join(this.folder, f.path));
      return { file: f, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    } catch (e) {
      return { file: f, failed: isGone(e) ? undefined : String((e as { code?: unknown }).code ?? 'unreadable') };
    }
  }

  #take(
    one: Read,
    known: ReadonlyMap<string, Indexed>,
    report: { added: number; changed: number; removed: number; failed: { path: string; reason: string }[] },
    anew: boolean,
  ): void {
    const { file } = one;
    const { rows, log } = this.parts;
    const before = known.get(file.path);
    if ('failed' in one) {
      // What cannot be read is not served from memory either.
      if (before !== undefined) rows.remove(before.id);
      if (one.failed === undefined) report.removed++;
      else report.failed.push({ path: file.path, reason: one.failed });
      return;
    }
    if (!anew && before?.sha256 === one.sha256 && before.shape === this.#shape)
      return rows.touched(before.id, file.modified, file.stamp);
    const read = this.definition.read ?? plain;
    let document: DocumentText;
    try {
      document = read(decode(one.bytes), file.path);
    } catch (e) {
      log.warn('a file could not be indexed', { store: this.id, file: file.path, error: String(e) });
      if (before !== undefined) rows.remove(before.id);
      report.failed.push({ path: file.path, reason: 'it could not be understood' });
      return;
    }
    const { title, body, line = 1, meta = {} } = document;
    const chunks = chunksOf(body, this.#size).map((c) => ({ ...c, line: c.line + line - 1 }));
    // A document without text is still one, and has a title to be found by.
    const passages = chunks.length > 0 ? chunks : [{ headings: [], text: title, line }];
    const { path: at, bytes, modified, stamp } = file;
    rows.replace(
      this.#number,
      { path: at, title, bytes, modified, stamp, sha256: one.sha256, shape: this.#shape, meta },
      passages,
    );
    if (before === undefined) report.added++;
    else report.changed++;
  }
}

type Progress = (done: number, of: number) => void;

/** Some at a time, with a turn of the event loop between: whoever else calls should not wait long. */
async function inBatches<T>(all: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += BATCH) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    await work(all.slice(from, from + BATCH));
  }
}

type Read =
  | { file: FoundFile; bytes: Buffer; sha256: string }
  /** Undefined: it is gone. */
  | { file: FoundFile; failed: string | undefined };

/** The whole text, named by its first heading. */
function plain(text: string, at: string): DocumentText {
  const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*$/m.exec(text)?.[1];
  return { title: heading ?? path.basename(at, '.md'), body: text };
}
