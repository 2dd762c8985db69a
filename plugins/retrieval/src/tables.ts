import type { Kernel, Migration } from '@coffer/kernel';

/**
 * All derived from files. Words are searched in `retrieval_words`, where CJK is cut into single characters so that a term of any length is
 * a phrase; parts of words in `retrieval_parts`, by trigrams. The column `store` holds a word for the store, so that a search in one
 * looks at no other's postings. The first keeps its text: without it a deleted row would stay in the statistics that rank the others.
 */
const SQL = `
  CREATE TABLE retrieval_stores (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE retrieval_documents (
    id INTEGER PRIMARY KEY, store INTEGER NOT NULL REFERENCES retrieval_stores (id), path TEXT NOT NULL, title TEXT NOT NULL,
    bytes INTEGER NOT NULL, modified REAL NOT NULL, stamp TEXT NOT NULL, sha256 TEXT NOT NULL, shape TEXT NOT NULL, meta TEXT NOT NULL,
    UNIQUE (store, path));
  CREATE TABLE retrieval_chunks (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES retrieval_documents (id), position INTEGER NOT NULL,
    line INTEGER NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX retrieval_chunks_of ON retrieval_chunks (document, position);
  CREATE VIRTUAL TABLE retrieval_words USING fts5 (
    title, headings, text, store, tokenize='porter unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE retrieval_parts USING fts5 (
    text, content='', contentless_delete=1, detail='none', tokenize='trigram');
`;
const TABLES = ['stores', 'documents', 'chunks', 'words', 'parts'].map((t) => `retrieval_${t}`);

export const migrations: readonly Migration[] = [{ id: 1, sql: SQL }];

/** Tables that somebody dropped come back empty, all of them together: what is left of the others would fit no more. */
export function ensureTables(db: ReturnType<Kernel['database']>): void {
  const there = new Set(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
  if (TABLES.every((t) => there.has(t))) return;
  db.transaction(() => {
    for (const t of TABLES.toReversed()) db.exec(`DROP TABLE IF EXISTS ${t}`);
    db.exec(SQL);
  })();
}
