/** Reciprocal rank fusion (Cormack et al. 2009): lists of different measures made one, by rank alone. Pure. */
const K = 60;

export function fuse<T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): { item: T; score: number }[] {
  const all = new Map<string, { item: T; score: number }>();
  for (const list of lists) {
    for (const [rank, item] of list.entries()) {
      const key = keyOf(item);
      const known = all.get(key);
      if (known === undefined) all.set(key, { item, score: 1 / (K + rank) });
      else known.score += 1 / (K + rank);
    }
  }
  // Sorting is stable: of equals the one seen first comes first.
  return [...all.values()].sort((a, b) => b.score - a.score);
}
