import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { messageOf, stores, t, worded, type PaletteEntry } from '../kit/index.js';
import { loadModule } from '../kit/core/modules.js';
import { paletteSource } from '../kit/core/palette.js';

/** Nobody reads what a word's first letters find: a source is asked when the typing rests. */
const REST_MS = 80;
/** Of one source; whoever wants more types more. */
const MOST = 8;

export interface Found {
  /** The heading, in the manifest's words. */
  group: string;
  entries: readonly PaletteEntry[];
  /** Why it could not be searched. */
  error: string;
}

/**
 * What plugins find for the palette. Each is asked for itself: one that is slow, or that throws, keeps no other from answering,
 * and says so in its own place.
 */
export class PaletteSearch implements ReactiveController {
  #found = new Map<string, Found>();
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get found(): readonly Found[] {
    return [...this.#found.values()];
  }

  /** Asks for another text; empty forgets all. */
  ask(text: string): void {
    const wanted = text.trim();
    if (wanted === this.#text) return;
    this.#text = wanted;
    clearTimeout(this.#timer);
    this.#asking?.abort();
    // What an earlier text found must not be opened by an Enter that means this one.
    this.#found.clear();
    if (wanted !== '') this.#timer = setTimeout(() => this.#ask(wanted), REST_MS);
  }

  hostDisconnected(): void {
    this.ask('');
  }

  #ask(text: string): void {
    const { signal } = (this.#asking = new AbortController());
    for (const plugin of stores.plugins.value ?? [])
      for (const { id, label } of plugin.ui?.search ?? [])
        void this.#one(plugin.ui?.module ?? '', id, text, signal).then(({ entries, error }) => {
          if (signal.aborted || (entries.length === 0 && error === '')) return;
          this.#found.set(id, { group: worded(label), entries, error });
          this.host.requestUpdate();
        });
  }

  async #one(module: string, id: string, text: string, signal: AbortSignal): Promise<Omit<Found, 'group'>> {
    try {
      await loadModule(module);
      const source = paletteSource(id);
      if (source === undefined) throw new Error(t('Its module adds no palette source {id}.', { id }));
      return { entries: (await source.search(text, signal)).slice(0, MOST), error: '' };
    } catch (e) {
      return { entries: [], error: messageOf(e) };
    }
  }
}
