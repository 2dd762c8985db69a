/** Knows what in some folders may have changed, so that a search need not look at every file. */
import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

/** However quiet it was, a look is due after this, in milliseconds: not every disk tells of changes. */
const LOOK_MS = 30_000;

export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  /** Everything may have. */
  #changed = true;
  /** Or only these files. */
  readonly #names = new Set<string>();
  #lookedAt = 0;
  #whole = false;

  constructor(
    private readonly root: string,
    private readonly now: () => number,
    /** Something changed, for whoever shows it. */
    private readonly told: () => void,
  ) {}

  /** What may be otherwise than when {@link FolderWatch.looking} was called last: everything, or these files, perhaps none. */
  async changes(): Promise<'all' | readonly string[]> {
    // What was written before this was asked is told by the system at once, but read when the loop polls. Asked from within a poll,
    // the first of these turns comes before the next one.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    return this.#changed || !this.#whole || this.now() - this.#lookedAt > LOOK_MS ? 'all' : [...this.#names];
  }

  /** A look at these begins; what changes from here on counts. */
  looking(at: 'all' | readonly string[]): void {
    if (at === 'all') {
      this.#changed = false;
      this.#lookedAt = this.now();
      this.#names.clear();
    } else for (const name of at) this.#names.delete(name);
  }

  /** A folder that is about to be looked into: what changes in it from now on is told, so that nothing falls between. */
  entering(at: string): void {
    if (!this.#watchers.has(at)) this.#add(at);
  }

  /** The look is over; these are the folders there are. */
  looked(all: readonly string[]): void {
    const there = new Set(all);
    for (const [at, w] of this.#watchers) if (!there.has(at)) this.#drop(at, w);
    // Without a watcher for each folder, and where there is no folder yet, every search looks for itself.
    this.#whole = all.length > 0 && all.every((at) => this.#watchers.has(at));
  }

  close(): void {
    for (const [at, w] of this.#watchers) this.#drop(at, w);
    this.#whole = false;
  }

  #add(at: string): void {
    try {
      const w = watch(path.join(this.root, at), { persistent: false }, (_event, name) => {
        if (name === null) this.#changed = true;
        else if (!name.startsWith('.')) this.#names.add(at === '' ? name : `${at}/${name}`);
        this.told();
      });
      w.on('error', () => this.#drop(at, w));
      this.#watchers.set(at, w);
    } catch {
      // No more watchers to be had, or the folder is not there.
    }
  }

  #drop(at: string, w: FSWatcher): void {
    w.close();
    this.#watchers.delete(at);
    this.#changed = true;
  }
}
