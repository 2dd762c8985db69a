/** The one standing request by which a server of the newer era tells what changes. It is reopened when it ends. */
import { isObj, type Clock, type Honoured, type Obj, type Outcome, type Watch, type WatchEvent } from '@coffer/kernel';

type Kind = 'tools' | 'prompts' | 'resources';
const KINDS = ['tools', 'prompts', 'resources'] as const;
/** How long a server may take to say what it will tell. */
const ACKNOWLEDGE_MS = 10_000;
const BACKOFF = { first: 250, most: 30_000 };
/** A stream that lived this long makes the waits short again. */
const LIVED_MS = 10_000;
/** Answers that asking again does not change: no such method, or not with these params. */
const FINAL = new Set([-32601, -32602]);

export interface ListenHost {
  readonly server: string;
  readonly clock: Clock;
  capabilities(): Obj;
  /** Sends the request; its end is the end of the stream. */
  open(params: Obj): { id: number; ended: Promise<Outcome> };
  stop(id: number): void;
  told(e: WatchEvent): void;
}

interface Filter {
  kinds: readonly Kind[];
  uris: readonly string[];
  tasks: readonly string[];
}
const NOTHING: Filter = { kinds: [], uris: [], tasks: [] };

interface Stream {
  readonly id: number;
  readonly asked: Filter;
  /** What the server said it will tell; undefined when it did not say in time, or the stream ended first. */
  readonly acknowledged: Promise<Filter | undefined>;
  honoured: Filter | undefined;
  acknowledge(f: Filter): void;
  since: number;
}

export class Listen {
  readonly #streams = new Map<number, Stream>();
  #current: Stream | undefined;
  /** What is to be heard, also while no stream is open. */
  #asked: Filter = NOTHING;
  #again: { clear(): void } | undefined;
  #failures = 0;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: ListenHost) {}

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** Will a change of this kind of list be told? */
  guards(kind: Kind): boolean {
    return this.#current?.honoured?.kinds.includes(kind) === true;
  }

  /** Changes are made one after the other. */
  watch(want: Watch): Promise<Honoured> {
    const done = this.#last.then(() => this.#watch(want));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** A notification that bears this stream's id or came on it. */
  heard(id: unknown, method: string, params: Obj): void {
    const stream = this.#streams.get(id as number); // an id of another type finds nothing
    if (stream === undefined) return;
    if (method === 'notifications/subscriptions/acknowledged') {
      const told: unknown = params.notifications;
      stream.acknowledge(isObj(told) ? filterOf(told) : NOTHING);
    } else if (method === 'notifications/resources/updated') {
      const { _meta, ...rest } = params;
      if (typeof params.uri !== 'string') return;
      const meta = ownMeta(_meta);
      this.host.told({ kind: 'uri', uri: params.uri, params: { ...rest, ...(meta && { _meta: meta }) } });
    } else if (method === 'notifications/tasks') {
      const { _meta, ...task } = params;
      const meta = ownMeta(_meta);
      this.host.told({ kind: 'task', params: { ...task, ...(meta && { _meta: meta }) } });
    } else if (method === 'notifications/cancelled') this.host.stop(stream.id);
    else {
      const kind = KINDS.find((k) => method === `notifications/${k}/list_changed`);
      if (kind !== undefined) this.host.told({ kind });
    }
  }

  close(): void {
    this.#closed = true;
    this.#again?.clear();
    this.#current = undefined;
    for (const id of this.#streams.keys()) this.host.stop(id);
  }

  async #watch(want: Watch): Promise<Honoured> {
    const capabilities = this.host.capabilities();
    const uris = [...new Set(want.uris ?? [])];
    const asked: Filter = {
      kinds: KINDS.filter((kind) => want[kind] === true && capabilities[kind]?.listChanged === true),
      uris: capabilities.resources?.subscribe === true ? uris : [],
      tasks: want.tasks === undefined || want.tasks === true ? [] : [...new Set(want.tasks)],
    };
    const same = JSON.stringify(asked) === JSON.stringify(this.#asked);
    this.#asked = asked;
    if (!same || this.#current?.honoured === undefined) await this.#replace();
    const honoured = this.#current?.honoured;
    const told: Honoured = { uris: uris.filter((uri) => honoured?.uris.includes(uri) === true) };
    for (const kind of asked.kinds) if (honoured?.kinds.includes(kind) === true) told[kind] = true;
    if (asked.tasks.length > 0) told.tasks = asked.tasks.filter((id) => honoured?.tasks.includes(id) === true);
    if (want.log !== undefined && capabilities.logging !== undefined) told.log = want.log;
    const refused = uris.filter((uri) => told.uris?.includes(uri) !== true);
    if (refused.length > 0)
      told.refused = refused.map((uri) => ({
        uri,
        error: { code: -32602, message: `${this.host.server} does not tell of this resource` },
      }));
    return told;
  }

  /** The new stream is heard before the old one ends, so nothing falls between them. */
  async #replace(): Promise<boolean> {
    this.#again?.clear();
    if (this.#closed) return false;
    const old = this.#current;
    if (this.#asked.kinds.length === 0 && this.#asked.uris.length === 0 && this.#asked.tasks.length === 0) {
      this.#current = undefined;
      if (old !== undefined) this.host.stop(old.id);
      return true;
    }
    const stream = this.#open(this.#asked);
    if ((await stream.acknowledged) === undefined || this.#closed) {
      this.host.stop(stream.id);
      return false;
    }
    this.#current = stream;
    if (old !== undefined) this.host.stop(old.id);
    return true;
  }

  #open(asked: Filter): Stream {
    const notifications: Obj = {};
    for (const kind of asked.kinds) notifications[`${kind}ListChanged`] = true;
    if (asked.uris.length > 0) notifications.resourceSubscriptions = asked.uris;
    if (asked.tasks.length > 0) notifications.taskIds = asked.tasks;
    const { id, ended } = this.host.open({ notifications });
    let settle!: (f: Filter | undefined) => void;
    const acknowledged = new Promise<Filter | undefined>((resolve) => (settle = resolve));
    const timer = this.host.clock.setTimeout(() => settle(undefined), ACKNOWLEDGE_MS);
    const stream: Stream = {
      id,
      asked,
      acknowledged,
      honoured: undefined,
      since: this.host.clock.now(),
      acknowledge: (f) => {
        timer.clear();
        stream.honoured = f;
        settle(f);
      },
    };
    this.#streams.set(id, stream);
    void ended.then((outcome) => {
      timer.clear();
      settle(undefined);
      this.#streams.delete(id);
      if (this.#current !== stream) return;
      this.#current = undefined;
      if (this.host.clock.now() - stream.since >= LIVED_MS) this.#failures = 0;
      this.#reopen(outcome);
    });
    return stream;
  }

  #reopen(why: Outcome): void {
    if (this.#closed || (why.kind === 'error' && FINAL.has(why.error.code))) return;
    const pause = Math.min(BACKOFF.first * 2 ** this.#failures++, BACKOFF.most);
    this.#again = this.host.clock.setTimeout(() => {
      this.#last = this.#last.then(async () => {
        if (this.#closed || this.#current !== undefined) return;
        if (await this.#replace()) this.#gap();
        else this.#reopen(why);
      });
    }, pause);
  }

  /** What changed while nobody listened was not told: it may be anything. */
  #gap(): void {
    for (const kind of this.#current?.honoured?.kinds ?? []) this.host.told({ kind });
    for (const uri of this.#current?.honoured?.uris ?? []) this.host.told({ kind: 'uri', uri, params: { uri } });
  }
}

function filterOf(told: Obj): Filter {
  const texts = (list: unknown): string[] => (Array.isArray(list) ? list.filter((t) => typeof t === 'string') : []);
  return {
    kinds: KINDS.filter((kind) => told[`${kind}ListChanged`] === true),
    uris: texts(told.resourceSubscriptions),
    tasks: texts(told.taskIds),
  };
}

/** The subscription's id is between the server and Coffer. */
function ownMeta(meta: unknown): Obj | undefined {
  if (!isObj(meta)) return undefined;
  const own = Object.entries(meta).filter(([key]) => !key.startsWith('io.modelcontextprotocol/'));
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}
