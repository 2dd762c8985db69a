/**
 * What happens in one conversation, for any number of screens. Whoever comes in the middle of a turn first gets all of it so far;
 * whoever comes back with the id of its last event gets what it missed.
 */
import type { ServerEvent } from '@coffer/kernel';
import type { Attached, ChatEvent, Queue } from './types.js';

/** An event, or a run of neighbouring text that was folded into one. */
interface Entry {
  first: number;
  last: number;
  event: ChatEvent;
}

type Delta = Extract<ChatEvent, { type: 'text_delta' | 'thinking_delta' }>;

export interface Bus {
  publish(event: ChatEvent): void;
  /** From now until the signal aborts or the bus is closed. */
  watch(signal: AbortSignal, lastId?: string): AsyncIterable<ServerEvent>;
  /** Ends every stream. */
  close(): void;
  readonly watchers: number;
}

/** `era` is new with each start: ids of an earlier one mean nothing. `queue` answers the queue as it is. */
export function createBus(era: string, queue: () => Queue): Bus {
  let count = 0;
  /** The turn that runs, else empty: what is over is in the messages. */
  let turn: Entry[] = [];
  let turnId: string | null = null;
  let closed = false;
  const watchers = new Set<(entry: Entry) => void>();
  const stops = new Set<() => void>();
  const idOf = (n: number): string => `${era}-${n}`;

  /** What of the running turn comes after an id; undefined when that cannot be told. */
  const missed = (lastId: string | undefined): Entry[] | undefined => {
    if (lastId === undefined || !lastId.startsWith(`${era}-`)) return undefined;
    const seen = Number(lastId.slice(era.length + 1));
    if (seen === count) return [];
    const begin = turn[0]?.first;
    const inside = turn.some((e) => e.first <= seen && seen < e.last);
    return begin === undefined || inside || seen > count || seen + 1 < begin
      ? undefined
      : turn.filter((e) => e.first > seen);
  };

  return {
    get watchers() {
      return watchers.size;
    },
    publish(event) {
      const entry: Entry = { first: ++count, last: count, event };
      if (event.type === 'turn_start') {
        turn = [];
        turnId = event.turn_id;
      }
      const over = event.type === 'turn_done' || event.type === 'turn_error';
      if (over) {
        turn = [];
        turnId = null;
      } else if (turnId !== null && event.type !== 'queue_changed') append(turn, entry);
      for (const tell of watchers) tell(entry);
    },
    async *watch(signal, lastId) {
      const rest = missed(lastId);
      const attached: Attached = { type: 'attached', turn_id: turnId, resumed: rest !== undefined };
      const waiting: Entry[] = (rest ?? turn).map((e) => ({ ...e }));
      let wake = (): void => undefined;
      const add = (entry: Entry): void => {
        append(waiting, entry);
        wake();
      };
      const stop = (): void => wake();
      // Before the first yield: nothing that happens from here on is missed.
      const start: ServerEvent[] = [
        { event: 'attached', data: attached },
        { event: 'queue_changed', data: { type: 'queue_changed', ...queue() } },
      ];
      watchers.add(add);
      stops.add(stop);
      signal.addEventListener('abort', stop);
      try {
        yield* start;
        while (!signal.aborted) {
          const next = waiting.shift();
          if (next !== undefined) yield { event: next.event.type, id: idOf(next.last), data: next.event };
          else if (closed) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        watchers.delete(add);
        stops.delete(stop);
        signal.removeEventListener('abort', stop);
      }
    },
    close() {
      closed = true;
      for (const stop of stops) stop();
    },
  };
}

/** Text that waits grows as one event, so that neither a slow reader nor a long turn piles up thousands. */
function append(entries: Entry[], entry: Entry): void {
  const last = entries.at(-1);
  if (
    last !== undefined &&
    isDelta(last.event) &&
    last.event.type === entry.event.type &&
    last.last + 1 === entry.first
  ) {
    last.event = { type: last.event.type, text: last.event.text + entry.event.text };
    last.last = entry.last;
  } else entries.push({ ...entry });
}

function isDelta(event: ChatEvent): event is Delta {
  return event.type === 'text_delta' || event.type === 'thinking_delta';
}
