/** Text as the index has it, and what of a query it can be asked for. Pure. */

/** Scripts written without spaces: each character is a word of its own, so that a term of any length is found as a phrase. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_ALL = new RegExp(UNSPACED, 'gu');
/** What a word is made of; the rest separates. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** Between a small letter or digit and a capital: names in code are several words, and one. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
/** Terms of a query that count. */
const TERMS = 32;
/** Words that say little about what is sought; they count only when there is nothing else. */
const COMMON = new Set(
  'a an and are as at be but by can do does for from has have how i if in into is it its me my no not of on or our so that the their then there this to us was we were what when where which who why will with you your'.split(
    ' ',
  ),
);

/** A term as it stands in the query. */
export interface Term {
  /** Lower case. */
  text: string;
  /** The words it is a phrase of, in the index. */
  words: readonly string[];
  common: boolean;
}

/** Text for the word index: CJK in single characters; a name in camel case also as its parts. */
export function indexText(text: string): string {
  const spaced = text.normalize('NFKC').replace(UNSPACED_ALL, ' $& ');
  const humps: string[] = [];
  for (const [word] of spaced.matchAll(WORD)) {
    const parts = word.split(HUMP);
    if (parts.length > 1) humps.push(...parts);
    if (word.includes('_')) humps.push(...word.split('_').filter((w) => w !== ''));
  }
  return humps.length > 0 ? `${spaced}\n${humps.join(' ')}` : spaced;
}

/** The terms of a query: what stands between spaces, each a phrase of its words. Nothing in it is an operator. */
export function termsOf(query: string): Term[] {
  const terms = new Map<string, Term>();
  // A NUL would end the text for SQLite.
  for (const raw of query.replaceAll('\0', ' ').normalize('NFKC').toLowerCase().split(/\s+/u)) {
    const words = [...raw.replace(UNSPACED_ALL, ' $& ').matchAll(WORD)].map(([w]) => w).filter((w) => w !== '_');
    if (words.length === 0 || terms.has(raw)) continue;
    terms.set(raw, { text: raw, words, common: words.length === 1 && COMMON.has(words[0] ?? '') });
    if (terms.size >= TERMS) break;
  }
  return [...terms.values()];
}

/** A phrase in the syntax of FTS5. */
export function phrase(words: readonly string[]): string {
  return `"${words.map((w) => w.replaceAll('"', '""')).join(' ')}"`;
}

/** The trigrams of a term, or nothing when it is too short to have one. */
export function trigrams(term: string): string[] {
  const letters = [...term];
  const found = new Set<string>();
  for (let i = 0; i + 3 <= letters.length; i++) found.add(letters.slice(i, i + 3).join(''));
  return [...found];
}
