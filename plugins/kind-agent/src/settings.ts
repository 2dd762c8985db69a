/** Settings of agents: read when they are asked for, changed in place, and put back exactly as they were. */
import { isDeepStrictEqual } from 'node:util';
import {
  CofferError,
  editForeign,
  isCofferError,
  readForeign,
  type ForeignChange,
  type ForeignEdit,
  type ForeignFile,
  type Obj,
} from '@coffer/kernel';
import { changeDocument, parseDocument, valueAt, type Change, type Format } from './edit/document.js';
import { markOf, revert } from './edit/splice.js';
import type { Made, Marks } from './marks.js';

/** A file of settings at its place on this machine. */
export interface Place {
  format: Format;
  file: string;
}

type Path = Change['path'];

/** A group of settings that Coffer makes and takes back as one, found again by its word. */
export interface Own {
  what: string;
  /**
   * Whatever stands there is Coffer's, also without a record of it. Otherwise what has no record is the person's own, and stays.
   */
  wholly: boolean;
}

export class Settings {
  constructor(private readonly marks: Marks) {}

  /** Throws AGENT_FILE_INVALID, FILE_UNREADABLE, each naming the file. */
  read({ format, file }: Place): { file: ForeignFile; value: Obj } {
    const found = readForeign(file);
    return { file: found, value: naming(file, () => parseDocument(format, found.text)) };
  }

  /** Changes settings for good. Throws as {@link read}, AGENT_FILE_UNEDITABLE, and what the kernel's `editForeign` does. */
  change({ format, file }: Place, changes: readonly Change[], options?: ForeignEdit): ForeignChange {
    return editForeign(file, (text) => naming(file, () => changeDocument(format, text, changes)), options);
  }

  /** Changes settings on behalf of Coffer. Again: as if it had not been done before. Throws as {@link change}. */
  put(place: Place, own: Own, changes: readonly Change[]): ForeignChange {
    const existed = readForeign(place.file).exists;
    let marks: Made[] = [];
    const done = editForeign(place.file, (text) => {
      const made = this.#made(place, own, text, changes);
      marks = made.marks;
      return made.text;
    });
    const created = this.marks.get(place.file, own.what)?.created ?? !existed;
    this.marks.set(place.file, own.what, { marks, created });
    return done;
  }

  /** What {@link put} would do. */
  wouldPut(place: Place, own: Own, changes: readonly Change[]): ForeignChange {
    const { text } = readForeign(place.file);
    return { path: place.file, before: text, after: this.#made(place, own, text, changes).text };
  }

  /** Takes Coffer's settings out: the file is what it would be without them, byte for byte unless its program rewrote it. */
  takeBack(place: Place, own: Own, paths: readonly Path[]): ForeignChange {
    const done = editForeign(place.file, (text) => this.#without(place, own, text, paths));
    this.marks.drop(place.file, own.what);
    return done;
  }

  /** What {@link takeBack} would do. */
  wouldTakeBack(place: Place, own: Own, paths: readonly Path[]): ForeignChange {
    const { text } = readForeign(place.file);
    return { path: place.file, before: text, after: this.#without(place, own, text, paths) ?? '' };
  }

  #made(place: Place, own: Own, text: string, changes: readonly Change[]): { text: string; marks: Made[] } {
    const { format, file } = place;
    const paths = changes.map((c) => c.path);
    let now = this.#clean(place, own, text, paths);
    const marks = changes.map((change) => {
      const before = now;
      const was = naming(file, () => parseDocument(format, before));
      const earlier = valueAt(was, change.path);
      now = naming(file, () => changeDocument(format, before, [change]));
      const kept = mayKeep(change.path, earlier);
      const piece = earlier === undefined ? markOf(before, now) : { inserted: '', removed: '' };
      const there = change.path.findIndex((_, i) => valueAt(was, change.path.slice(0, i + 1)) === undefined);
      return {
        ...piece,
        path: change.path,
        there: there < 0 ? change.path.length : there,
        ...(kept && earlier !== undefined && { earlier }),
      };
    });
    return { text: now, marks };
  }

  #without(place: Place, own: Own, text: string, paths: readonly Path[]): string | undefined {
    const mark = this.marks.get(place.file, own.what);
    if (text === '') return undefined;
    const clean = this.#clean(place, own, text, paths);
    const empty = clean.trim() === '' || (place.format === 'json' && clean.replace(/\s/g, '') === '{}');
    return mark?.created === true && empty ? undefined : clean;
  }

  /** The text as it was before Coffer's settings. */
  #clean({ format, file }: Place, own: Own, text: string, paths: readonly Path[]): string {
    const mark = this.marks.get(file, own.what);
    if (mark === undefined && !own.wholly) return text;
    const [only, ...more] = mark?.marks ?? [];
    const [path, ...further] = paths;
    // A single setting is where its caller has found it now: in a list it may have moved.
    const single = only !== undefined && path !== undefined && more.length === 0 && further.length === 0;
    const made = single ? [{ ...only, path }] : (mark?.marks ?? []);
    const others = paths.filter((p) => !made.some((m) => isDeepStrictEqual(m.path, p)));
    return naming(file, () => {
      const without = [...made].reverse().reduce((now, m) => undone(format, now, m), text);
      return changeDocument(
        format,
        without,
        others.map((p) => ({ path: p, value: undefined })),
      );
    });
  }
}

/** One setting taken back: the earlier value in its place, else the very piece that was put in, else the setting. */
function undone(format: Format, text: string, made: Made): string {
  if (made.earlier !== undefined) return changeDocument(format, text, [{ path: made.path, value: made.earlier }]);
  const bare = withoutEmpty(format, changeDocument(format, text, [{ path: made.path, value: undefined }]), made);
  const reverted = revert(text, made);
  return reverted !== undefined && agree(format, reverted, bare) ? reverted : bare;
}

/** Groups that were made for a setting go with it, unless something else is in them by now. */
function withoutEmpty(format: Format, text: string, { path, there }: Made): string {
  let now = text;
  for (let n = path.length - 1; n > there; n--) {
    const group = valueAt(parseDocument(format, now), path.slice(0, n));
    const empty = typeof group === 'object' && group !== null && Object.keys(group).length === 0;
    if (empty) now = changeDocument(format, now, [{ path: path.slice(0, n), value: undefined }]);
  }
  return now;
}

/** A piece may be found by chance, or have changed inside of what it seems to be: both ways must come to the same. */
function agree(format: Format, one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(pruned(parseDocument(format, one)), pruned(parseDocument(format, other)));
  } catch {
    return false;
  }
}

/** Taking the last setting out of a group may leave the empty group. */
function pruned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return value;
  const kept = Object.entries(value).map(([k, v]) => [k, pruned(v)] as const);
  return Object.fromEntries(kept.filter(([, v]) => v !== undefined && !isDeepStrictEqual(v, {})));
}

/** An earlier value goes into the vault's database as it is: it may be none that could be a secret. */
function mayKeep(path: Path, earlier: unknown): boolean {
  if (earlier === undefined || typeof earlier === 'boolean') return true;
  return (
    typeof earlier === 'string' &&
    !/key|token|secret|passw|auth/i.test(String(path.at(-1))) &&
    /^[\w.:/-]{0,200}$/.test(earlier)
  );
}

/** The same error, with the file it is about. */
function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (e) {
    if (!isCofferError(e) || 'path' in e.details) throw e;
    throw new CofferError(e.code, `${file}: ${e.message}`, { ...e.details, path: file }, { cause: e });
  }
}
