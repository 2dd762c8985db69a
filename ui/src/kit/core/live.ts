/** The one stream of what happens. Pages listen to topics; nobody polls and nobody opens a stream of their own. */
export interface LiveEvent {
  type: string;
  [field: string]: unknown;
}

type Hear = (event: LiveEvent) => void;
const RETRY_MS = 1500;

class Live {
  #source: EventSource | undefined;
  #hearers = new Map<string, Set<Hear>>();
  #states = new Set<() => void>();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lastId = '';
  #probe: () => Promise<boolean> = () => Promise.resolve(true);
  state: 'connecting' | 'open' | 'lost' = 'connecting';
  /** When the stream was last known to be whole, in ms. */
  since = Date.now();

  /** `probe` tells whether the session still stands, when the stream breaks for good. */
  start(probe: () => Promise<boolean>): void {
    this.#probe = probe;
    this.#open();
  }

  /** Until the next start. What happens meanwhile is a gap. */
  stop(): void {
    this.#close();
    this.#set('lost');
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Calls `hear` with each event of a type (`*`: all); the returned function ends it. `gap` comes after a break that cannot be filled. */
  on(type: string, hear: Hear): () => void {
    let all = this.#hearers.get(type);
    if (all === undefined) this.#hearers.set(type, (all = new Set()));
    all.add(hear);
    return () => void all.delete(hear);
  }

  onState(hear: () => void): () => void {
    this.#states.add(hear);
    return () => void this.#states.delete(hear);
  }

  #set(state: Live['state']): void {
    if (state === this.state) return;
    if (state === 'lost') this.since = Date.now();
    this.state = state;
    for (const hear of this.#states) hear();
  }

  #open(): void {
    this.#close();
    const source = new EventSource(`/api/v1/events${this.#lastId === '' ? '' : `?last_event_id=${this.#lastId}`}`);
    this.#source = source;
    source.onopen = () => {
      const again = this.state === 'lost';
      this.#set('open');
      // A daemon that was restarted remembers nothing: everything is read anew.
      if (again) this.#tell({ type: 'gap' });
    };
    source.onmessage = (e: MessageEvent<string>) => {
      this.#lastId = e.lastEventId;
      this.#tell(JSON.parse(e.data) as LiveEvent);
    };
    source.onerror = () => {
      this.#set('lost');
      source.close();
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => {
        void this.#probe().then((standing) => {
          if (standing) this.#open();
        });
      }, RETRY_MS);
    };
  }

  #tell(event: LiveEvent): void {
    const types = event.type === 'gap' ? [...this.#hearers.keys()] : [event.type, '*'];
    for (const type of types) for (const hear of this.#hearers.get(type) ?? []) hear(event);
  }
}

export const live = new Live();
