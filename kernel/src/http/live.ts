/** What happens, for whoever watches: a bus with a short memory, so that a browser that reconnects misses nothing. */
import type { LiveEvent } from '../plugin/contract.js';
import type { ServerEvent } from './route.js';

/** How many events a reconnecting watcher may ask for again. */
const MEMORY = 500;
/** A watcher that falls further behind than this is told to read everything anew. */
const QUEUE = 1000;

export interface Live {
  emit(event: LiveEvent): void;
  /** Events after `lastId` that are still remembered, then whatever comes, until the signal aborts. */
  watch(signal: AbortSignal, lastId?: number): AsyncIterable<ServerEvent>;
  /** Calls `hear` with each event; the returned function ends it. */
  listen(hear: (event: LiveEvent) => void): () => void;
  readonly watchers: number;
}

export function createLive(): Live {
  let id = 0;
  const memory: { id: number; event: LiveEvent }[] = [];
  const watchers = new Set<(entry: { id: number; event: LiveEvent }) => void>();
  return {
    get watchers() {
      return watchers.size;
    },
    emit(event) {
      const entry = { id: ++id, event };
      memory.push(entry);
      if (memory.length > MEMORY) memory.shift();
      for (const w of watchers) w(entry);
    },
    listen(hear) {
      const add = ({ event }: { event: LiveEvent }): void => hear(event);
      watchers.add(add);
      return () => void watchers.delete(add);
    },
    async *watch(signal, lastId) {
      const queue = lastId === undefined ? [] : memory.filter((m) => m.id > lastId);
      let wake: () => void = () => undefined;
      const add = (entry: { id: number; event: LiveEvent }): void => {
        if (queue.length >= QUEUE) queue.splice(0, queue.length, { id: entry.id, event: { type: 'gap' } });
        else queue.push(entry);
        wake();
      };
      const stop = (): void => wake();
      watchers.add(add);
      signal.addEventListener('abort', stop);
      try {
        // A gap before the memory begins cannot be filled: the watcher reads everything anew.
        // An id from the future was given by an earlier daemon.
        if (lastId !== undefined && (lastId > id || (memory[0]?.id ?? id + 1) > lastId + 1) && lastId !== id)
          yield { id: String(id), data: { type: 'gap' } };
        while (!signal.aborted) {
          const next = queue.shift();
          if (next !== undefined) yield { id: String(next.id), data: next.event };
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        watchers.delete(add);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
