import {
  type Exchange,
  type Facts,
  type Honoured,
  type ListType,
  type Obj,
  type Outcome,
  type Source,
  type Watch,
  type WatchEvent,
} from '@coffer/kernel';
import { declarationOf } from './declaration.js';
import { Run } from './run.js';
import type { SourceHost } from './source-host.js';

/** Connections of one client to one server of the older era, for requests that declare different capabilities. */
const MOST_RUNS = 4;

/**
 * One server for one client. A client that declares its capabilities with each request may need several connections to a server
 * that hears them only at the start; any other has one.
 */
export class ServerSource implements Source {
  readonly #main: Run;
  /** Further ones, by what their client declared. */
  readonly #more = new Map<string, Run>();
  #closing: Promise<void> | undefined;

  constructor(private readonly host: SourceHost) {
    this.#main = new Run(host);
  }

  known(): Facts | undefined {
    return this.#main.facts ?? this.host.known();
  }

  state(): 'idle' | 'starting' | 'ready' | 'failing' {
    return this.#main.state();
  }

  list(type: ListType, x: Exchange): Promise<readonly Obj[]> {
    return this.#use(x, (run) => run.list(type, x));
  }

  freshMs(type: ListType): number | undefined {
    return this.#main.freshMs(type);
  }

  call(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    return x.rounds ? this.#use(x, (run) => run.call(method, params, x)) : this.#main.call(method, params, x);
  }

  rootsChanged(): void {
    // A server whose client never declared this is not told of it.
    for (const run of this.#runs()) run.rootsChanged();
  }

  watch(want: Watch, sink: (e: WatchEvent) => void, x?: Exchange): Promise<Honoured> {
    return this.#main.watch(want, sink, x);
  }

  close(options: { drain?: boolean } = {}): Promise<void> {
    return (this.#closing ??= Promise.all([...this.#runs()].map((run) => run.close(options))).then(() =>
      this.host.closed(),
    ));
  }

  *#runs(): Iterable<Run> {
    yield this.#main;
    yield* this.#more.values();
  }

  /** Whether one connection serves all is known when there is one: until then the first who comes opens it and the others wait. */
  #use<T>(x: Exchange, use: (run: Run) => Promise<T>): Promise<T> {
    if (!x.rounds || this.#closing !== undefined) return use(this.#main);
    const starting = this.#main.starting;
    if (starting !== undefined) return starting.then(() => this.#use(x, use));
    return use(this.#runFor(declarationOf(x)));
  }

  #runFor(declaration: string): Run {
    const suits = this.#main.suits(declaration);
    if (suits === true) return this.#main;
    const other = this.#more.get(declaration);
    if (other !== undefined) return other;
    if (suits === undefined) return this.#main;
    this.#makeRoom();
    const run = new Run(this.host);
    this.#more.set(declaration, run);
    return run;
  }

  /** The longest unused one ends; its open calls end on it. */
  #makeRoom(): void {
    if (this.#more.size < MOST_RUNS - 1) return;
    const [key, run] = [...this.#more].find(([, r]) => r.open === 0) ?? [...this.#more][0] ?? [];
    if (key === undefined || run === undefined) return;
    this.#more.delete(key);
    void run.close({ drain: true });
  }
}
