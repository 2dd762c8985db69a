/** Connections that keep nothing of a client between its calls, and so may serve several: one for each agent and config. */
import type { Exchange, Facts, Honoured, ListType, Obj, Outcome, Watch, WatchEvent } from '@coffer/kernel';
import type { Connection, ConnectionEvents, Page } from './wire/connection.js';

type Dial = (events: ConnectionEvents) => Promise<Connection>;

export class SharedConnections {
  readonly #trunks = new Map<string, Trunk>();

  /** A share of the connection with this key, or one of the caller's own when the server is of a kind that cannot be shared. */
  async take(key: string, events: ConnectionEvents, dial: Dial): Promise<Connection> {
    const open = this.#trunks.get(key);
    if (open !== undefined) {
      const share = await open.join(events);
      return share ?? dial(events);
    }
    const trunk = new Trunk(() => {
      if (this.#trunks.get(key) === trunk) this.#trunks.delete(key);
    });
    this.#trunks.set(key, trunk);
    return trunk.open(events, dial);
  }
}

/** One connection and those who use it. */
class Trunk {
  readonly #shares = new Set<Share>();
  #connection: Connection | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(private readonly ended: () => void) {}

  async open(events: ConnectionEvents, dial: Dial): Promise<Connection> {
    const first = new Share(this, events);
    this.#shares.add(first);
    const starting = dial({
      watched: (e) => {
        for (const s of this.#shares) s.hear(e);
      },
      odd: (reason) => {
        for (const s of this.#shares) s.events.odd(reason);
      },
      down: (reason) => {
        this.#end();
        for (const s of [...this.#shares]) s.events.down(reason);
      },
    });
    this.#starting = starting;
    let connection: Connection;
    try {
      connection = await starting;
    } catch (e) {
      this.#end();
      throw e;
    }
    if (connection.fixed) {
      this.#end();
      return connection;
    }
    this.#connection = connection;
    return first.over(connection);
  }

  /** Undefined: there is nothing to share. */
  async join(events: ConnectionEvents): Promise<Connection | undefined> {
    await this.#starting.catch(() => undefined);
    if (this.#connection === undefined || this.#over) return undefined;
    const share = new Share(this, events);
    this.#shares.add(share);
    return share.over(this.#connection);
  }

  async leave(share: Share): Promise<void> {
    if (!this.#shares.delete(share)) return;
    if (this.#shares.size > 0) {
      void this.watch();
      return;
    }
    this.#end();
    await this.#connection?.close();
  }

  /** The server hears what any of them wants. */
  async watch(): Promise<Honoured> {
    const wants = [...this.#shares].map((s) => s.want);
    const honoured = await this.#connection?.watch({
      tools: wants.some((w) => w.tools === true),
      prompts: wants.some((w) => w.prompts === true),
      resources: wants.some((w) => w.resources === true),
      uris: [...new Set(wants.flatMap((w) => w.uris ?? []))],
      tasks: [...new Set(wants.flatMap(tasksOf))],
    });
    return honoured ?? {};
  }

  #end(): void {
    this.#over = true;
    this.ended();
  }
}

/** The connection as one of them has it. */
class Share implements Connection {
  readonly fixed = false;
  want: Watch = {};
  #own = 0;
  #connection!: Connection;

  constructor(
    private readonly trunk: Trunk,
    readonly events: ConnectionEvents,
  ) {}

  over(connection: Connection): this {
    this.#connection = connection;
    return this;
  }

  get facts(): Facts {
    return this.#connection.facts;
  }
  get open(): number {
    return this.#own;
  }
  get tasks(): number {
    return this.#connection.tasks ?? 0;
  }

  async call(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    this.#own++;
    try {
      return await this.#connection.call(method, params, x);
    } finally {
      this.#own--;
    }
  }
  ask(method: string, params: Obj, x?: Exchange): Promise<Page> {
    return this.#connection.ask(method, params, x);
  }
  unusable(tool: string): string | undefined {
    return this.#connection.unusable?.(tool);
  }
  freshMs(type: ListType): number | undefined {
    return this.#connection.freshMs?.(type);
  }
  rootsChanged(): void {}

  async watch(want: Watch): Promise<Honoured> {
    this.want = want;
    const all = await this.trunk.watch();
    const honoured: Honoured = {};
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      if (want[kind] === true && all[kind] === true) honoured[kind] = true;
    const mine = (uri: string): boolean => want.uris?.includes(uri) === true;
    honoured.uris = (all.uris ?? []).filter(mine);
    const refused = (all.refused ?? []).filter((r) => mine(r.uri));
    if (refused.length > 0) honoured.refused = refused;
    const told = all.tasks;
    if (want.tasks !== undefined && told !== undefined)
      honoured.tasks = tasksOf(want).filter((id) => told === true || told.includes(id));
    // Lines of a call come with the call; there are no others.
    if (want.log !== undefined && this.facts.capabilities.logging !== undefined) honoured.log = want.log;
    return honoured;
  }

  hear(e: WatchEvent): void {
    if (e.kind === 'uri' && this.want.uris?.includes(e.uri) !== true) return;
    if (e.kind === 'task' && !tasksOf(this.want).includes(e.params.taskId as string)) return; // any other type is in no list
    this.events.watched(e);
  }

  close(): Promise<void> {
    return this.trunk.leave(this);
  }
}

/** Tasks that are named one by one: a server of the newer era tells of no others. */
function tasksOf({ tasks }: Watch): readonly string[] {
  return tasks === undefined || tasks === true ? [] : tasks;
}
