/** Deletions that can still be taken back. Only in memory: what was deleted is not kept on disk behind its owner's back. */
import type { Clock } from '../plugin/contract.js';
import type { DefinedKind } from './kinds.js';
import type { Resource, Undo } from './types.js';

/** Longer than any page offers it. */
const LIVES_MS = 5 * 60_000;
/** So that deleting thousands in a row keeps no thousands. */
const MOST = 100;

interface Deletion {
  readonly resource: Resource;
  /** As it was defined then: steps of a plugin that was stopped since would write past the one that runs now. */
  readonly kind: DefinedKind;
  readonly at: number;
  readonly steps: (() => void | Promise<void>)[];
}

export interface Deletions {
  /** Remembers it; what taps of `resource.deleted` drop, they put back through the returned. */
  keep(resource: Resource, kind: DefinedKind): Undo;
  find(ref: string): Deletion | undefined;
  drop(ref: string): void;
}

/** For a deletion that is for good: what would put it back is forgotten at once. */
export const FOR_GOOD: Undo = { putBack: () => undefined };

export function createDeletions(clock: Clock): Deletions {
  const kept = new Map<string, Deletion>();
  const prune = (): void => {
    for (const [ref, { at }] of kept) if (kept.size > MOST || clock.now() - at >= LIVES_MS) kept.delete(ref);
  };
  return {
    keep(resource, kind) {
      const deletion: Deletion = { resource, kind, at: clock.now(), steps: [] };
      // The newest last, also when the name was deleted before.
      kept.delete(resource.ref);
      kept.set(resource.ref, deletion);
      prune();
      return { putBack: (step) => void deletion.steps.push(step) };
    },
    find(ref) {
      prune();
      return kept.get(ref);
    },
    drop: (ref) => void kept.delete(ref),
  };
}
