import {
  LOG_LEVELS,
  type Honoured,
  type LogLevel,
  type Obj,
  type Outcome,
  type RpcError,
  type Watch,
} from '@coffer/kernel';

/** What a server tells unasked: its log level and the resources watched, kept so that both outlive its session. */
export class Filter {
  #level: LogLevel | undefined;
  readonly #watched = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly server: string,
    private readonly capabilities: () => Obj,
    private readonly send: (method: string, params: Obj) => Promise<Outcome>,
  ) {}

  /** Would lines of this level not be sent as things are? */
  milder(level: LogLevel): boolean {
    if (this.capabilities().logging === undefined) return false;
    return this.#level === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.#level);
  }

  async setLevel(level: LogLevel): Promise<void> {
    if (this.capabilities().logging === undefined || this.#level === level) return;
    this.#level = level;
    await this.send('logging/setLevel', { level });
  }

  /** Changes are made one after the other, or two could undo each other. */
  watch(want: Watch): Promise<Honoured> {
    const done = this.#last.then(() => this.#watch(want));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** A new session of the server knows nothing of it. */
  restore(): void {
    const level = this.#level;
    this.#level = undefined;
    if (level !== undefined) void this.setLevel(level);
    for (const uri of this.#watched) void this.#subscribe(uri);
  }

  async #watch(want: Watch): Promise<Honoured> {
    if (want.log !== undefined) await this.setLevel(want.log);
    const asked = new Set(want.uris ?? []);
    const refused: { uri: string; error: RpcError }[] = [];
    for (const uri of asked) {
      if (this.#watched.has(uri)) continue;
      const error = await this.#subscribe(uri);
      if (error === undefined) this.#watched.add(uri);
      else refused.push({ uri, error });
    }
    for (const uri of this.#watched) {
      if (asked.has(uri)) continue;
      this.#watched.delete(uri);
      await this.send('resources/unsubscribe', { uri });
    }
    const capabilities = this.capabilities();
    const honoured: Honoured = { uris: [...this.#watched] };
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      if (want[kind] && capabilities[kind]?.listChanged === true) honoured[kind] = true;
    if (want.log !== undefined && capabilities.logging !== undefined) honoured.log = want.log;
    if (refused.length > 0) honoured.refused = refused;
    return honoured;
  }

  async #subscribe(uri: string): Promise<RpcError | undefined> {
    if (this.capabilities().resources?.subscribe !== true)
      return { code: -32601, message: `${this.server} does not offer subscriptions` };
    const o = await this.send('resources/subscribe', { uri });
    if (o.kind === 'error') return o.error;
    return o.kind === 'fault' ? { code: -32603, message: o.fault.message } : undefined;
  }
}
