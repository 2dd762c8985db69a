/**
 * What a conversation does next: one turn at a time, first come first served, held back after an interrupt. Pure; `actor.ts` does
 * what it says.
 */
import type { Item } from './types.js';

export interface Course {
  /** `ending`: the turn is over for everybody, the agent still cleans up; the next one waits for it. */
  readonly phase: 'idle' | 'running' | 'ending';
  readonly pending: readonly Item[];
  readonly paused: boolean;
  /** Of `pending` and `paused`. */
  readonly revision: number;
}

export type Happening =
  /** The owner sends: at the tail, and whatever was held back goes on. */
  | { type: 'send'; item: Item }
  /** The owner replaces the queue: drops, reorders, resumes. */
  | { type: 'replace'; items: readonly Item[] }
  | { type: 'interrupt' }
  /** The turn ended for everybody. */
  | { type: 'ended' }
  /** The agent has cleaned up. */
  | { type: 'free' }
  /** A turn could not begin: its message goes back to the head and waits for the owner. */
  | { type: 'unable'; item: Item };

export type Doing = { type: 'start'; item: Item } | { type: 'stop' } | { type: 'tell' };

export const IDLE: Course = { phase: 'idle', pending: [], paused: false, revision: 0 };

export function step(course: Course, what: Happening): { course: Course; doing: Doing[] } {
  switch (what.type) {
    case 'send':
      return go({ ...course, pending: [...course.pending, what.item], paused: false }, course);
    case 'replace':
      return go({ ...course, pending: what.items, paused: false }, course);
    case 'interrupt': {
      // Also between two turns: what waits would begin in a moment, and that is not what a Stop asks for.
      if (course.phase === 'idle') return { course, doing: [] };
      const { course: held, doing } = go({ ...course, paused: course.pending.length > 0 }, course);
      return { course: held, doing: [...(course.phase === 'running' ? [{ type: 'stop' } as const] : []), ...doing] };
    }
    case 'ended':
      return { course: course.phase === 'running' ? { ...course, phase: 'ending' } : course, doing: [] };
    case 'free':
      return go({ ...course, phase: 'idle' }, course);
    case 'unable':
      return go({ ...course, phase: 'idle', pending: [what.item, ...course.pending], paused: true }, course);
  }
}

/** Starts the head when nothing runs and nothing holds it back; tells when the queue looks different from before. */
function go(next: Course, before: Course): { course: Course; doing: Doing[] } {
  const [head, ...rest] = next.pending;
  const starts = next.phase === 'idle' && !next.paused && head !== undefined;
  const course: Course = starts ? { ...next, phase: 'running', pending: rest } : next;
  const differs = !same(course.pending, before.pending) || course.paused !== before.paused;
  return {
    course: differs ? { ...course, revision: before.revision + 1 } : course,
    doing: [
      ...(differs ? [{ type: 'tell' } as const] : []),
      ...(starts ? [{ type: 'start', item: head } as const] : []),
    ],
  };
}

function same(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
