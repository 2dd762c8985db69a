import { pathToFileURL } from 'node:url';
import path from 'node:path';
import type { Answer, Ask, Clock, Exchange, Obj } from '@coffer/kernel';

/** A call that may carry a question to its client. */
export interface Carrier {
  readonly id: number;
  readonly method: string;
  readonly x: Exchange | undefined;
}

export interface QuestionHost {
  readonly server: string;
  /** Whose capabilities the server was told at the handshake. */
  readonly starter: Exchange;
  readonly clock: Clock;
  readonly lateMs: number;
  /** Open calls, oldest first. */
  carriers(): Iterable<Carrier>;
  reply(id: number | string, answer: Obj): void;
  hold(): void;
  release(): void;
}

type RequestId = number | string;

/** Questions a server may put, and the capability a client declares for each. */
export const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
]);
/** Requests made for what a client of the newer era lets carry a question; the result of a task is fetched for a call. */
const CARRY = new Set(['tools/call', 'prompts/get', 'resources/read', 'tasks/result']);

/** Puts a server's questions to the client: finds a call that carries each, moves it when that call ends. */
export class Questions {
  readonly #open = new Map<RequestId, AbortController>();
  readonly #arrivals = new Set<() => void>();
  #roots: Obj | undefined;

  constructor(private readonly host: QuestionHost) {}

  /** `tie`: the call on whose own stream it came. */
  put(id: RequestId, method: string, params: Obj | undefined, tie: number | undefined): void {
    const gone = new AbortController();
    this.#open.set(id, gone);
    this.host.hold();
    const done = (answer: Answer | undefined): void => {
      this.#open.delete(id);
      this.host.release();
      if (answer === undefined || gone.signal.aborted || 'moved' in answer) return;
      if (method === 'roots/list' && 'result' in answer) this.#roots = answer.result;
      this.host.reply(id, answer);
    };
    this.#settle({ method, params: withoutToken(params) }, tie, gone.signal).then(done, () =>
      done({ error: { code: -32603, message: 'The client could not be asked' } }),
    );
  }

  /** The server takes a question back. */
  withdraw(id: RequestId): void {
    this.#open.get(id)?.abort();
  }

  /** A call has come that may carry what waits. */
  arrived(): void {
    if (this.#arrivals.size === 0) return;
    for (const wake of [...this.#arrivals]) wake();
  }

  forgetRoots(): void {
    this.#roots = undefined;
  }

  /** The server is gone: nobody wants the answers. */
  end(): void {
    for (const q of this.#open.values()) q.abort();
    this.arrived();
  }

  async #settle(ask: Ask, tie: number | undefined, gone: AbortSignal): Promise<Answer | undefined> {
    const until = this.host.clock.now() + this.host.lateMs;
    const left = new Set<Exchange>();
    while (!gone.aborted) {
      const x = this.#carrier(tie, left);
      if (x !== undefined) {
        const answer = await x.ask(ask, gone);
        if (!('moved' in answer)) return answer;
        // That call has ended; asking it again would go round in circles.
        left.add(x);
        tie = undefined;
        continue;
      }
      if (this.host.starter.capabilities[QUESTIONS.get(ask.method) ?? ''] === undefined)
        return { error: { code: -32601, message: `The client does not offer ${ask.method}` } };
      if (ask.method === 'roots/list') {
        const roots = this.#roots ?? this.#workingFolder();
        if (roots !== undefined) return { result: roots };
      }
      const wait = until - this.host.clock.now();
      if (wait <= 0)
        return { error: { code: -32603, message: 'No call of this client came that could carry the question' } };
      await this.#arrival(wait, gone);
    }
    return undefined;
  }

  /**
   * stdio does not say which call a question belongs to. All calls here are one client's, so any can carry it: the youngest
   * that carries none, else the youngest.
   */
  #carrier(tie: number | undefined, left: ReadonlySet<Exchange>): Exchange | undefined {
    let free: Exchange | undefined;
    let any: Exchange | undefined;
    for (const { id, method, x } of this.host.carriers()) {
      if (x === undefined || x.signal.aborted || left.has(x) || (x.rounds && !CARRY.has(method))) continue;
      if (id === tie) return x;
      any = x;
      if (!x.waiting) free = x;
    }
    return free ?? any;
  }

  #workingFolder(): Obj | undefined {
    const cwd = this.host.starter.peer.cwd;
    if (cwd === undefined || !path.isAbsolute(cwd)) return undefined;
    return { roots: [{ uri: pathToFileURL(cwd).href, name: path.basename(cwd) }] };
  }

  #arrival(ms: number, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.clear();
        this.#arrivals.delete(wake);
        gone.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.host.clock.setTimeout(wake, ms);
      this.#arrivals.add(wake);
      gone.addEventListener('abort', wake);
    });
  }
}

/** An asker's own progress token is about its question and means nothing to the client. */
function withoutToken(params: Obj | undefined): Obj | undefined {
  if (params?._meta?.progressToken === undefined) return params;
  const { _meta, ...rest } = params;
  const { progressToken: _, ...meta } = _meta as Obj; // it has the token, so it is an object
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}
