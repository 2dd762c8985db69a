/** Tasks that a server still works at, though the calls that began them were answered. */
import type { Clock, Exchange, Obj } from '@coffer/kernel';

const ENDED = new Set(['completed', 'failed', 'cancelled']);
/** One that says nothing of how long it lives is taken as gone after this, in milliseconds. */
const FORGOTTEN_MS = 3_600_000;
/** The most that are followed; what is begun beyond that runs all the same. */
const MOST = 1000;

interface OpenTask {
  until: number;
  /** Where tasks report progress: the token of the call, which goes on being good. */
  progress: { x: Exchange; token: number } | undefined;
}

export class OpenTasks {
  readonly #tasks = new Map<string, OpenTask>();

  constructor(private readonly clock: Clock) {}

  /** How many are under way: a server that has some is not idle. */
  get size(): number {
    const now = this.clock.now();
    for (const [id, t] of this.#tasks) if (t.until <= now) this.#tasks.delete(id);
    return this.#tasks.size;
  }

  began(task: Obj, progress?: { x: Exchange; token: number }): void {
    if (this.#tasks.size < MOST) this.#tasks.set(String(task.taskId), { progress, until: this.#end(task) });
    this.seen(task);
  }

  /** How a task stands, however that was learnt. */
  seen(task: Obj): void {
    const id = String(task.taskId);
    const open = this.#tasks.get(id);
    if (open === undefined) return;
    if (ENDED.has(String(task.status))) this.#tasks.delete(id);
    else open.until = this.#end(task);
  }

  /** Its result was fetched, or there is no such task. */
  over(id: unknown): void {
    this.#tasks.delete(String(id));
  }

  /** The call whose progress this is. */
  byToken(token: unknown): Exchange | undefined {
    for (const { progress } of this.#tasks.values()) if (progress?.token === token) return progress?.x;
    return undefined;
  }

  #end(task: Obj): number {
    const ttl: unknown = task.ttl ?? task.ttlMs;
    return this.clock.now() + (typeof ttl === 'number' && ttl >= 0 ? Math.min(ttl, FORGOTTEN_MS) : FORGOTTEN_MS);
  }
}

/** A task as a result holds it, or nothing. */
export function isTask(value: unknown): value is Obj {
  return typeof value === 'object' && value !== null && 'taskId' in value && typeof value.taskId === 'string';
}
