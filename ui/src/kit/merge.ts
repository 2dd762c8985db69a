/** Two changes of one value, put together. */
import { child } from './pointer.js';

export interface Merged {
  /** Both changes; where they meet, mine. */
  value: unknown;
  /** JSON pointers of what both changed, each in another way. */
  clashes: string[];
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Equal in content; the order of keys says nothing. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k]));
}

/** What `mine` and `theirs` made of `base`. Objects are put together field by field; a list is one thing, since its places have no names. */
export function merge(base: unknown, mine: unknown, theirs: unknown, at = ''): Merged {
  if (same(mine, theirs) || same(base, theirs)) return { value: mine, clashes: [] };
  if (same(base, mine)) return { value: theirs, clashes: [] };
  if (!isFields(mine) || !isFields(theirs)) return { value: mine, clashes: [at] };
  const from: Fields = isFields(base) ? base : {};
  const clashes: string[] = [];
  const fields = new Map<string, unknown>();
  const own = (o: Fields, key: string): unknown => (Object.hasOwn(o, key) ? o[key] : undefined);
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const inner = merge(own(from, key), own(mine, key), own(theirs, key), child(at, key));
    clashes.push(...inner.clashes);
    if (inner.value !== undefined) fields.set(key, inner.value);
  }
  // fromEntries defines own properties, so a key such as __proto__ stays a key.
  return { value: Object.fromEntries(fields), clashes };
}
