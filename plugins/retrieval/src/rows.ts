/** The index in the vault's database: what is written and removed of it. Every change of a document is one transaction. */
import type { Kernel, Obj } from '@coffer/kernel';
import type { Chunk } from './chunk.js';
import { indexText } from './words.js';

export type Database = ReturnType<Kernel['database']>;

export interface IndexedDocument {
  path: string;
  title: string;
  bytes: number;
  modified: number;
  /** Of the file when it was read. */
  stamp: string;
  sha256: string;
  /** How it was cut; another way of cutting makes it stale. */
  shape: string;
  meta: Obj;
}

export type Indexed = IndexedDocument & { id: number };

export interface Rows {
  /** The number of a store, made when it has none. */
  number(store: string): number;
  count(store: number): number;
  documents(store: number): Indexed[];
  /** One of them, or none. */
  document(store: number, path: string): Indexed[];
  /** Is one of them in this folder? */
  hasInside(store: number, folder: string): boolean;
  replace(store: number, document: IndexedDocument, chunks: readonly Chunk[]): void;
  /** The file was touched and is the same. */
  touched(id: number, modified: number, stamp: string): void;
  remove(id: number): void;
  forget(store: string): void;
  transaction(work: () => void): void;
}

/** The word in the index that stands for a store; no text has it. */
export const storeWord = (store: number): string => `zqstore${store}zq`;

export function createRows(db: Database): Rows {
  const sql = {
    findStore: db.prepare('SELECT id FROM retrieval_stores WHERE name = ?').pluck(),
    addStore: db.prepare('INSERT INTO retrieval_stores (name) VALUES (?)'),
    count: db.prepare('SELECT count(*) FROM retrieval_documents WHERE store = ?').pluck(),
    documents: db.prepare('SELECT * FROM retrieval_documents WHERE store = ? ORDER BY path'),
    document: db.prepare('SELECT * FROM retrieval_documents WHERE store = ? AND path = ?'),
    inside: db.prepare('SELECT 1 FROM retrieval_documents WHERE store = ? AND path > ? AND path < ? LIMIT 1').pluck(),
    find: db.prepare('SELECT id FROM retrieval_documents WHERE store = ? AND path = ?').pluck(),
    add: db.prepare(
      'INSERT INTO retrieval_documents (store, path, title, bytes, modified, stamp, sha256, shape, meta) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    touched: db.prepare('UPDATE retrieval_documents SET modified = ?, stamp = ? WHERE id = ?'),
    chunk: db.prepare('INSERT INTO retrieval_chunks (document, position, line, headings, text) VALUES (?, ?, ?, ?, ?)'),
    words: db.prepare('INSERT INTO retrieval_words (rowid, title, headings, text, store) VALUES (?, ?, ?, ?, ?)'),
    parts: db.prepare('INSERT INTO retrieval_parts (rowid, text) VALUES (?, ?)'),
    chunksOf: db.prepare('SELECT id FROM retrieval_chunks WHERE document = ?').pluck(),
    dropWords: db.prepare('DELETE FROM retrieval_words WHERE rowid = ?'),
    dropParts: db.prepare('DELETE FROM retrieval_parts WHERE rowid = ?'),
    dropChunks: db.prepare('DELETE FROM retrieval_chunks WHERE document = ?'),
    drop: db.prepare('DELETE FROM retrieval_documents WHERE id = ?'),
    dropStore: db.prepare('DELETE FROM retrieval_stores WHERE id = ?'),
  };
  const remove = (id: number): void => {
    for (const chunk of sql.chunksOf.all(id)) {
      sql.dropWords.run(chunk);
      sql.dropParts.run(chunk);
    }
    sql.dropChunks.run(id);
    sql.drop.run(id);
  };
  const find = (store: string): number | undefined => sql.findStore.get(store) as number | undefined;

  return {
    number: (store) => find(store) ?? Number(sql.addStore.run(store).lastInsertRowid),
    count: (store) => sql.count.get(store) as number,
    documents: (store) => sql.documents.all(store).map(indexed),
    document: (store, path) => sql.document.all(store, path).map(indexed),
    // What starts with `folder/` is between that and `folder0`: the digit follows the slash.
    hasInside: (store, folder) => sql.inside.get(store, `${folder}/`, `${folder}0`) !== undefined,
    replace(store, d, chunks) {
      const old = sql.find.get(store, d.path) as number | undefined;
      if (old !== undefined) remove(old);
      const { path, title, bytes, modified, stamp, sha256, shape, meta } = d;
      const id = sql.add.run(
        store,
        path,
        title,
        bytes,
        modified,
        stamp,
        sha256,
        shape,
        JSON.stringify(meta),
      ).lastInsertRowid;
      const word = storeWord(store);
      for (const [position, { line, headings, text }] of chunks.entries()) {
        const rowid = sql.chunk.run(id, position, line, JSON.stringify(headings), text).lastInsertRowid;
        sql.words.run(rowid, indexText(title), indexText(headings.join('\n')), indexText(text), word);
        sql.parts.run(rowid, text.normalize('NFKC').toLowerCase());
      }
    },
    touched: (id, modified, stamp) => void sql.touched.run(modified, stamp, id),
    remove,
    forget(store) {
      const id = find(store);
      if (id === undefined) return;
      db.transaction(() => {
        for (const d of sql.documents.all(id) as { id: number }[]) remove(d.id);
        sql.dropStore.run(id);
      })();
    },
    transaction: (work) => db.transaction(work)(),
  };
}

function indexed(row: unknown): Indexed {
  const d = row as Omit<Indexed, 'meta'> & { meta: string }; // as the table has it
  return { ...d, meta: JSON.parse(d.meta) as Obj };
}
