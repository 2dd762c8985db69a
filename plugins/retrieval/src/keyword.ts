/** Search by words: all of them, then any of them, then parts of words. No text of a query can be an error. */
import type { Database } from './rows.js';
import { storeWord } from './rows.js';
import { phrase, termsOf, trigrams, type Term } from './words.js';

export interface Found {
  chunk: number;
  /** From 0: 2 and more for all words, 1 and more for some, below 1 for parts of words. */
  score: number;
}

interface Candidate {
  chunk: number;
  text: string;
}

/** A word in the title says most, one in a heading more than one in the text. The last column is the store. */
const WEIGHTS = '3.0, 2.0, 1.0, 0.0';
/** Passages that are looked at for a part of a word. */
const CANDIDATES = 2000;

export function createKeywordSearch(db: Database): (store: number, query: string, top: number) => Found[] {
  // bm25() as `rank`, with our weights, lets the engine stop sorting early.
  const ranked = db.prepare(
    `SELECT rowid AS chunk, -rank AS score FROM retrieval_words
     WHERE retrieval_words MATCH ? AND rank MATCH 'bm25(${WEIGHTS})' ORDER BY rank LIMIT ?`,
  );
  const parts = db.prepare(
    `SELECT c.id AS chunk, lower(c.text) AS text FROM retrieval_parts p JOIN retrieval_chunks c ON c.id = p.rowid
     JOIN retrieval_documents d ON d.id = c.document WHERE retrieval_parts MATCH ? AND d.store = ? LIMIT ?`,
  );

  return (store, query, top) => {
    const terms = termsOf(query);
    if (terms.length === 0) return [];
    const here = `store: ${storeWord(store)}`;
    const found = new Map<number, Found>();
    const add = (more: readonly Found[]): void => {
      for (const f of more) if (!found.has(f.chunk) && found.size < top) found.set(f.chunk, f);
    };
    const telling = terms.filter((t) => !t.common);
    const used = telling.length > 0 ? telling : terms;
    const match = (list: readonly Term[], how: 'AND' | 'OR'): Found[] =>
      ranked.all(
        `${here} AND ({title headings text}: (${list.map((t) => phrase(t.words)).join(` ${how} `)}))`,
        top,
      ) as Found[];
    add(match(used, 'AND').map((f) => tier(2, f)));
    if (found.size < top && used.length > 1) add(match(used, 'OR').map((f) => tier(1, f)));
    if (found.size < top) add(partsOf(used, (query) => parts.all(query, store, CANDIDATES) as Candidate[], top));
    return [...found.values()];
  };
}

/** Passages that hold a term inside a longer word. The more terms one holds, the better; shorter passages first among equals. */
function partsOf(terms: readonly Term[], candidates: (query: string) => readonly Candidate[], top: number): Found[] {
  const hits = new Map<number, { chunk: number; terms: number; length: number }>();
  for (const term of terms) {
    const grams = trigrams(term.text);
    if (grams.length === 0) continue;
    const query = grams.map((g) => phrase([g])).join(' AND ');
    for (const { chunk, text } of candidates(query)) {
      if (!text.normalize('NFKC').includes(term.text)) continue;
      const known = hits.get(chunk);
      if (known === undefined) hits.set(chunk, { chunk, terms: 1, length: text.length });
      else known.terms++;
    }
  }
  return [...hits.values()]
    .sort((a, b) => b.terms - a.terms || a.length - b.length || a.chunk - b.chunk)
    .slice(0, top)
    .map(({ chunk, terms: n }) => ({ chunk, score: n / (terms.length + 1) }));
}

/** Keeps the order within a tier and puts all of it above the next. */
function tier(of: 1 | 2, { chunk, score }: Found): Found {
  return { chunk, score: of + Math.max(score, 0) / (1 + Math.max(score, 0)) };
}
