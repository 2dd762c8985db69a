import type { ListedTool, Obj } from '@coffer/kernel';

const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 1;
const K1 = 1.5;
const B = 0.75;

export interface Hit {
  name: string;
  description: string;
  inputSchema: Obj;
  /** Rounded to 4 decimals. */
  score: number;
}

interface Index {
  /** Token -> (document, weighted frequency) pairs, flat, in catalogue order. */
  postings: Map<string, number[]>;
  lengths: Float64Array;
  average: number;
}

const indexes = new WeakMap<readonly ListedTool[], Index>();

/** BM25 over names and descriptions, with no model. The index is kept for as long as the same catalogue array lives. */
export function searchTools(catalogue: readonly ListedTool[], query: string, limit: number): Hit[] {
  let index = indexes.get(catalogue);
  if (index === undefined) indexes.set(catalogue, (index = build(catalogue)));
  return rank(index, catalogue.length, query)
    .slice(0, limit)
    .map(([i, score]) => {
      const { name, tool } = catalogue[i] as ListedTool; // ranked from this catalogue
      return {
        name,
        description: typeof tool.description === 'string' ? tool.description : '',
        inputSchema: tool.inputSchema ?? {},
        score: Math.round(score * 1e4) / 1e4,
      };
    });
}

function build(catalogue: readonly ListedTool[]): Index {
  const postings = new Map<string, number[]>();
  const lengths = new Float64Array(catalogue.length);
  catalogue.forEach(({ name, server, tool }, doc) => {
    const add = (tokens: readonly string[], weight: number): void => {
      lengths[doc] = (lengths[doc] ?? 0) + tokens.length * weight;
      for (const token of tokens) {
        const list = postings.get(token);
        if (list === undefined) postings.set(token, [doc, weight]);
        else if (list[list.length - 2] === doc)
          list[list.length - 1] = (list[list.length - 1] as number) + weight; // pairs
        else list.push(doc, weight);
      }
    };
    add(nameTokens(name, server), NAME_WEIGHT);
    if (typeof tool.description === 'string') add(tokenize(tool.description), DESCRIPTION_WEIGHT);
  });
  const total = lengths.reduce((a, b) => a + b, 0);
  return { postings, lengths, average: catalogue.length > 0 && total > 0 ? total / catalogue.length : 1 };
}

function rank(index: Index, count: number, query: string): [number, number][] {
  const scores = new Map<number, number>();
  for (const token of new Set(tokenize(query))) {
    const list = index.postings.get(token);
    if (list === undefined) continue;
    const found = list.length / 2;
    const idf = Math.log(1 + (count - found + 0.5) / (found + 0.5));
    for (let i = 0; i < list.length; i += 2) {
      const [doc, f] = [list[i] as number, list[i + 1] as number]; // pairs by construction
      const length = index.lengths[doc] as number; // one for each document
      const score = (idf * f * (K1 + 1)) / (f + K1 * (1 - B + (B * length) / index.average));
      scores.set(doc, (scores.get(doc) ?? 0) + score);
    }
  }
  return [...scores].filter(([, s]) => s > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

/** Tools often repeat their server's name (`github__github_search`); said once it weighs as much as elsewhere. */
function nameTokens(name: string, server: string): string[] {
  const prefix = `${server}__`;
  const serverTokens = tokenize(server);
  const own = tokenize(name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const doubled = own.length > serverTokens.length && serverTokens.every((t, i) => own[i] === t);
  return [...serverTokens, ...(doubled ? own.slice(serverTokens.length) : own)];
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const STARTS_UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** Most names and descriptions; their characters need no tables. */
const PLAIN = /^[\x20-\x7e\s]*$/;

/** Lower-case words; camelCase and any punctuation part them. Scripts without spaces become pairs of characters. */
export function tokenize(text: string): string[] {
  if (PLAIN.test(text)) {
    const parted = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
    return parted.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  }
  const parted = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase();
  const tokens: string[] = [];
  for (const word of parted.match(WORDS) ?? [])
    for (const part of word.match(UNSPACED) ?? []) {
      if (!STARTS_UNSPACED.test(part)) tokens.push(part);
      else tokens.push(...pairs([...part]));
    }
  return tokens;
}

function pairs(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((c, i) => `${characters[i]}${c}`);
}
