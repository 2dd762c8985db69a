import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { live } from './live.js';

/** News that come in a burst are one reload. */
const BURST_MS = 120;

/**
 * Something the server knows, shared by all who show it: read when first asked for, read anew when a live event of its topics
 * comes, kept on screen while that happens.
 */
export class Source<T> {
  value: T | undefined;
  error: unknown;
  #hosts = new Set<() => void>();
  #ends: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly topics: readonly string[],
  ) {}

  join(update: () => void): () => void {
    this.#hosts.add(update);
    if (this.#hosts.size === 1) {
      this.#ends = this.topics.map((topic) => live.on(topic, () => this.#soon()));
      void this.load();
    }
    return () => {
      this.#hosts.delete(update);
      if (this.#hosts.size > 0) return;
      for (const end of this.#ends.splice(0)) end();
      clearTimeout(this.#timer);
    };
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.load();
    }, BURST_MS);
  }

  /** Never throws: the error is kept beside the last good value. */
  async load(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const value = await this.read();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = undefined;
    } catch (e) {
      if (turn !== this.#turn) return;
      this.error = e;
    }
    this.changed();
  }

  /** Tells the hosts after `value` was changed in place, as an optimistic switch does. */
  changed(): void {
    for (const update of this.#hosts) update();
  }
}

/** Ties a {@link Source} to an element for as long as it is on the page. */
export class Use<T> implements ReactiveController {
  #leave: (() => void) | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private source: Source<T> | undefined,
  ) {
    host.addController(this);
  }

  get value(): T | undefined {
    return this.source?.value;
  }
  get error(): unknown {
    return this.source?.error;
  }

  /** Another source, when what is shown changes. */
  point(source: Source<T>): void {
    this.hostDisconnected();
    this.source = source;
    this.hostConnected();
  }

  reload(): Promise<void> {
    return this.source?.load() ?? Promise.resolve();
  }

  hostConnected(): void {
    this.#leave ??= this.source?.join(() => this.host.requestUpdate());
  }
  hostDisconnected(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}
