/**
 * A tapable hook with a name and a policy. Plugins never hold the raw hook: tapable has no untap, an unknown `before` goes
 * first, `null` ends a bail hook and a tap's error names nobody. `kernel.tap` goes through {@link Hook.add}, which sees to
 * all that.
 */
import {
  AsyncParallelHook,
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from 'tapable';
import { CofferError, className, isCofferError } from './errors.js';

/** What becomes of a tap that throws. */
export type OnError =
  | 'refuse' // the error refuses the change; nothing was written yet
  | 'isolate' // logged, the plugin is degraded, the others go on
  | 'fail' // the plugin has failed
  | 'closed'; // the tap guards something: what it guards is hidden or refused

/** How the taps of a hook are run and their results made one. */
export type Mode = 'sync' | 'bail' | 'waterfall' | 'series' | 'series-bail' | 'parallel';

export interface HookInfo {
  readonly name: string;
  readonly mode: Mode;
  readonly onError: OnError;
  /** When it is called, in a sentence. */
  readonly when: string;
  /** Who typically taps it. */
  readonly who: string;
}

/** Stages order the taps of one hook; within a stage the order is that in which plugins were registered. */
export const STAGE = { early: -100, normal: 0, late: 100 } as const;
export type Stage = keyof typeof STAGE;

/** One tap, as `coffer plugin list --verbose` shows it. */
export interface TapRecord {
  readonly hook: string;
  readonly plugin: string;
  readonly stage: Stage;
  calls: number;
  errors: number;
  /** Total time inside it, in milliseconds (for an asynchronous tap: until it settled). */
  ms: number;
  /** False once its plugin was disposed: the tap stays in tapable and does nothing. */
  active: boolean;
}

/** Told of a tap that threw where the policy does not pass the error on to the caller. */
export type Report = (tap: TapRecord, error: unknown) => void;

/** The part of tapable's hooks that is used here, whatever the class. */
interface Raw {
  tap(options: { name: string; stage: number }, fn: (...args: unknown[]) => unknown): void;
  tapPromise(options: { name: string; stage: number }, fn: (...args: unknown[]) => Promise<unknown>): void;
  call(...args: unknown[]): unknown;
  promise(...args: unknown[]): Promise<unknown>;
  isUsed(): boolean;
}

const CLASSES = {
  sync: SyncHook,
  bail: SyncBailHook,
  waterfall: SyncWaterfallHook,
  series: AsyncSeriesHook,
  'series-bail': AsyncSeriesBailHook,
  parallel: AsyncParallelHook,
} as const;

/** `A`: the arguments; `R`: what a tap returns (a promise of it where the mode is asynchronous). */
export class Hook<A extends unknown[], R = void> {
  readonly #raw: Raw;
  readonly #async: boolean;
  readonly taps: TapRecord[] = [];

  /** `closed` gives the safe result for a tap that threw under the policy `closed`. */
  constructor(
    readonly info: HookInfo,
    args: readonly string[],
    readonly closed?: (...args: A) => R,
  ) {
    // tapable types its arguments as a tuple of the same length as the names; here both come from the declaration.
    const Class = CLASSES[info.mode] as unknown as new (args: readonly string[]) => Raw;
    this.#raw = new Class(args);
    this.#async = info.mode === 'series' || info.mode === 'series-bail' || info.mode === 'parallel';
  }

  add(plugin: string, fn: (...args: A) => R | Promise<R>, stage: Stage, report: Report): TapRecord {
    const tap: TapRecord = { hook: this.info.name, plugin, stage, calls: 0, errors: 0, ms: 0, active: true };
    this.taps.push(tap);
    this.taps.sort((a, b) => STAGE[a.stage] - STAGE[b.stage]);
    const options = { name: plugin, stage: STAGE[stage] };
    const failed = (error: unknown, args: A): R | undefined => {
      tap.errors++;
      if (this.info.onError === 'refuse') throw named(tap, error);
      report(tap, error);
      return this.info.onError === 'closed' ? this.closed?.(...args) : undefined;
    };
    if (this.#async) {
      this.#raw.tapPromise(options, async (...args) => {
        if (!tap.active) return undefined;
        tap.calls++;
        const from = performance.now();
        try {
          return (await fn(...(args as A))) ?? undefined;
        } catch (e) {
          return failed(e, args as A);
        } finally {
          tap.ms += performance.now() - from;
        }
      });
    } else {
      this.#raw.tap(options, (...args) => {
        if (!tap.active) return undefined;
        tap.calls++;
        const from = performance.now();
        try {
          const result = fn(...(args as A));
          if (result instanceof Promise) {
            result.catch(() => undefined);
            throw new CofferError('PLUGIN_INVALID', `${this.info.name} is synchronous: its taps return no promise`);
          }
          return result ?? undefined;
        } catch (e) {
          return failed(e, args as A);
        } finally {
          tap.ms += performance.now() - from;
        }
      });
    }
    return tap;
  }

  get used(): boolean {
    return this.taps.some((t) => t.active);
  }

  /** For the modes sync, bail and waterfall. A waterfall returns its first argument when nobody changed it. */
  call(...args: A): R | undefined {
    return this.#raw.call(...args) as R | undefined;
  }

  /** For the modes series, series-bail and parallel. */
  promise(...args: A): Promise<R | undefined> {
    return this.#raw.promise(...args) as Promise<R | undefined>;
  }
}

/** What may be added to a hook: a function of its arguments, or of the first few of them. */
export type TapOf<H> = H extends Hook<infer A, infer R> ? (...args: A) => R | Promise<R> : never;

/** One hook for each key (a kind), made when first asked for. */
export class HookMap<A extends unknown[], R = void> {
  readonly #byKey = new Map<string, Hook<A, R>>();
  constructor(
    readonly info: HookInfo,
    readonly args: readonly string[],
    readonly closed?: (...args: A) => R,
  ) {}

  for(key: string): Hook<A, R> {
    let hook = this.#byKey.get(key);
    if (hook === undefined) {
      hook = new Hook<A, R>({ ...this.info, name: `${this.info.name}(${key})` }, this.args, this.closed);
      this.#byKey.set(key, hook);
    }
    return hook;
  }

  get hooks(): Hook<A, R>[] {
    return [...this.#byKey.values()];
  }
}

function named(tap: TapRecord, error: unknown): CofferError {
  if (isCofferError(error)) return error;
  return new CofferError(
    'INTERNAL_ERROR',
    `Plugin ${tap.plugin} failed in ${tap.hook} (${className(error)}). See the daemon log for the trace.`,
    { plugin: tap.plugin, hook: tap.hook },
    { cause: error },
  );
}
