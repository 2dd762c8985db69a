/** A call of an older-era client: its carrier is the POST it came with, its questions are server requests. */
import { randomUUID } from 'node:crypto';
import type { Obj } from '../../json.js';
import type { Answer, Ask, Exchange, LogLevel, Peer } from '../seam.js';
import { mayAsk } from './may-ask.js';
import type { Reply } from './reply.js';

/** What a call needs of its session. */
export interface Asker {
  readonly peer: Peer;
  readonly capabilities: Obj;
  readonly level: LogLevel | undefined;
  /** Its version of MCP has tasks. */
  readonly tasks: boolean;
  /** Sends a server request and settles with the client's answer, as it came. */
  put(send: (message: Obj) => void, ask: Ask, withdrawn: readonly (AbortSignal | undefined)[]): Promise<Answer>;
  push(message: Obj): void;
  wantsLog(params: Obj): boolean;
}

export class LegacyCall implements Exchange {
  #id: string | undefined;
  readonly #stop = new AbortController();
  readonly rounds = false;
  readonly retry = undefined;
  readonly wants: { progress: boolean; log?: LogLevel };
  #asking = 0;

  constructor(
    private readonly session: Asker,
    private readonly reply: Reply | undefined,
    private readonly progressToken: string | number | undefined,
  ) {
    this.wants =
      session.level === undefined
        ? { progress: progressToken !== undefined }
        : { progress: progressToken !== undefined, log: session.level };
  }

  get id(): string {
    return (this.#id ??= randomUUID());
  }
  get peer(): Peer {
    return this.session.peer;
  }
  get capabilities(): Obj {
    return this.session.capabilities;
  }
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  get tasks(): 'asked' | undefined {
    return this.session.tasks ? 'asked' : undefined;
  }
  get waiting(): boolean {
    return this.#asking > 0;
  }

  cancel(message: string): void {
    this.#stop.abort({ name: 'CANCELLED', message });
  }

  async ask(ask: Ask, withdrawn?: AbortSignal): Promise<Answer> {
    const no = mayAsk(this.capabilities, ask);
    if (no !== undefined) return { error: no };
    this.#asking++;
    try {
      // A question belongs to its call and goes out on its stream; on the standing one where that is not to be had.
      return await this.session.put((m) => this.#say(m), ask, [withdrawn, this.signal]);
    } finally {
      this.#asking--;
    }
  }

  progress(params: Obj): void {
    if (this.progressToken === undefined) return;
    this.#say({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { ...params, progressToken: this.progressToken },
    });
  }

  log(params: Obj): void {
    if (this.session.wantsLog(params)) this.#say({ jsonrpc: '2.0', method: 'notifications/message', params });
  }

  #say(message: Obj): void {
    if (this.reply?.canSend === true) this.reply.send(message);
    else this.session.push(message);
  }
}
