/** The line to one conversation: events in order, bounded reconnecting, nothing while nobody looks. */
import type { ChatEvent } from './types.js';

const TYPES = [
  'attached',
  'turn_start',
  'text_delta',
  'thinking_delta',
  'note',
  'tool_call',
  'tool_result',
  'turn_done',
  'turn_error',
  'queue_changed',
] as const;
/** Waits between attempts, in milliseconds; after the last it is up to the person, or to the page becoming visible again. */
const WAITS = [300, 600, 1200, 2500, 5000, 10_000, 20_000];

export type LineState = 'open' | 'lost' | 'given up';

export interface Line {
  /** Tries again at once. */
  again(): void;
  close(): void;
}

/** `hear` gets every event; `turned` is told how the line is. A browser has few lines to one host, so a hidden page holds none. */
export function openLine(path: string, hear: (event: ChatEvent) => void, turned: (state: LineState) => void): Line {
  let source: EventSource | undefined;
  let lastId = '';
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const drop = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const open = (): void => {
    drop();
    if (document.hidden) return;
    const line = new EventSource(
      `/api/v1${path}${lastId === '' ? '' : `?last_event_id=${encodeURIComponent(lastId)}`}`,
    );
    source = line;
    for (const type of TYPES)
      line.addEventListener(type, (e: MessageEvent<string>) => {
        if (e.lastEventId !== '') lastId = e.lastEventId;
        hear(JSON.parse(e.data) as ChatEvent);
        if (type !== 'attached') return;
        tries = 0;
        turned('open');
      });
    line.onerror = () => {
      drop();
      const wait = WAITS[tries++];
      turned(wait === undefined ? 'given up' : 'lost');
      if (wait !== undefined) timer = setTimeout(open, wait);
    };
  };
  const looked = (): void => {
    if (document.hidden) drop();
    else if (source === undefined) again();
  };
  const again = (): void => {
    tries = 0;
    open();
  };

  document.addEventListener('visibilitychange', looked);
  open();
  return {
    again,
    close() {
      document.removeEventListener('visibilitychange', looked);
      drop();
    },
  };
}
