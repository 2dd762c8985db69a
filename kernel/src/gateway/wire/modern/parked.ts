/** A call of a newer-era client, kept alive between its rounds. It knows no HTTP: a carrier is whatever can take notifications now. */
import { randomUUID } from 'node:crypto';
import type { Obj } from '../../../json.js';
import type { Clock } from '../../../plugin/contract.js';
import {
  LOG_LEVELS,
  type Answer,
  type Ask,
  type Exchange,
  type Fault,
  type LogLevel,
  type Outcome,
  type Peer,
} from '../../seam.js';
import type { HangUp } from '../hang-up.js';
import { mayAsk } from '../may-ask.js';

/** What a round rides on: one HTTP response. */
export interface Carrier {
  readonly progressToken: string | number | undefined;
  readonly log: LogLevel | undefined;
  notify(method: string, params: Obj): void;
  readonly hangUp: Pick<HangUp, 'tell'>;
}

export interface Limits {
  /** How long questions wait for their answers, in milliseconds. */
  readonly parkMs: number;
  /** How long the reply to a retry is kept for the same retry, in milliseconds. */
  readonly replayMs: number;
  readonly rounds: number;
  /** Parked calls of one client. */
  readonly perPeer: number;
  /** Questions asked within this time go out together, in milliseconds. */
  readonly settleMs: number;
}
/** docs/protocol.md tells people of these. */
export const LIMITS: Limits = { parkMs: 600_000, replayMs: 60_000, rounds: 16, perPeer: 32, settleMs: 5 };

export interface Question {
  readonly ask: Ask;
  settle(answer: Answer): void;
}

export class Parked implements Exchange {
  readonly rounds = true;
  readonly wants: { readonly progress: boolean; readonly log?: LogLevel };
  /** Questions that are open, by the key the client answers them under. */
  readonly open = new Map<string, Question>();
  /** What each round was answered with and what came of it: a repeated retry is answered and not run again. */
  readonly replies = new Map<number, { answers: string; outcome: Promise<Outcome> }>();
  round = 0;
  done: Outcome | undefined;
  lapse: { clear(): void } | undefined;
  readonly #stop = new AbortController();
  #asked = 0;
  #call: string | undefined;
  #id: string | undefined;
  #carrier: Carrier | undefined;
  #wake: (() => void) | undefined;

  constructor(
    readonly peer: Peer,
    readonly capabilities: Obj,
    /** Digest of the call, that a retry must repeat. Most calls are never parked. */
    private readonly digestOf: () => string,
    carrier: Carrier,
    private readonly limits: Limits,
    private readonly clock: Clock,
    readonly retry: Exchange['retry'],
    readonly tasks: Exchange['tasks'],
  ) {
    this.wants = {
      progress: carrier.progressToken !== undefined,
      ...(carrier.log === undefined ? {} : { log: carrier.log }),
    };
    this.ride(carrier);
  }

  get id(): string {
    return (this.#id ??= randomUUID());
  }
  get call(): string {
    return (this.#call ??= this.digestOf());
  }
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  get waiting(): boolean {
    return this.open.size > 0;
  }

  /** A new request carries the call from here on. */
  ride(carrier: Carrier): void {
    this.#carrier = carrier;
    carrier.hangUp.tell(() => {
      // Between rounds nobody is connected: that is no hang-up.
      if (this.#carrier === carrier) this.cancel({ name: 'CANCELLED', message: 'The client went away' }, true);
    });
  }
  release(): void {
    this.#carrier = undefined;
  }

  /** `others`: the client is still there, only this call is not, so its questions may go to another call. */
  cancel(reason: Fault, others = false): void {
    if (this.signal.aborted) return;
    this.#stop.abort(reason);
    for (const [key, q] of this.open) {
      this.open.delete(key);
      q.settle(others ? { moved: true } : lapsed(q.ask, reason));
    }
    this.#wake?.();
  }

  /** The call has its outcome: what it carried for others goes to another call. */
  move(): void {
    for (const [key, q] of this.open) {
      this.open.delete(key);
      q.settle({ moved: true });
    }
  }

  ask(ask: Ask, withdrawn?: AbortSignal): Promise<Answer> {
    const no = mayAsk(this.capabilities, ask);
    if (no !== undefined) return Promise.resolve({ error: no });
    if (this.signal.aborted || this.done !== undefined) return Promise.resolve({ moved: true });
    if (this.round >= this.limits.rounds) {
      const reason: Fault = {
        name: 'INTERNAL',
        message: `More than ${this.limits.rounds} rounds of questions in one call`,
      };
      this.cancel(reason);
      return Promise.resolve(lapsed(ask, reason));
    }
    return new Promise((resolve) => {
      const key = `q${++this.#asked}`;
      this.open.set(key, { ask, settle: resolve });
      withdrawn?.addEventListener(
        'abort',
        () => {
          if (this.open.delete(key)) resolve({ error: { code: -32800, message: 'The question was taken back' } });
        },
        { once: true },
      );
      this.clock.setTimeout(() => this.#wake?.(), this.limits.settleMs);
    });
  }

  progress(params: Obj): void {
    const c = this.#carrier;
    if (c?.progressToken !== undefined)
      c.notify('notifications/progress', { ...params, progressToken: c.progressToken });
  }

  log(params: Obj): void {
    const c = this.#carrier;
    if (c?.log === undefined) return;
    if (LOG_LEVELS.indexOf(params['level'] as LogLevel) >= LOG_LEVELS.indexOf(c.log))
      c.notify('notifications/message', params);
  }

  /** The end of this round: the call's outcome, or the questions that are open now. */
  async turn(running: Promise<Outcome>): Promise<Outcome | 'questions'> {
    for (;;) {
      const first = await new Promise<Outcome | 'asked'>((resolve, reject) => {
        this.#wake = () => resolve('asked');
        if (this.open.size > 0) this.clock.setTimeout(() => this.#wake?.(), this.limits.settleMs);
        running.then(resolve, reject);
      });
      if (first !== 'asked') return first;
      if (this.signal.aborted) return { kind: 'fault', fault: this.signal.reason as Fault };
      if (this.open.size > 0) return 'questions';
    }
  }
}

/** An elicitation that lapses has a word of its own in the protocol; the others can only fail. */
export function lapsed(ask: Ask, reason: Fault): Answer {
  if (ask.method === 'elicitation/create') return { result: { action: 'cancel' } };
  return { error: { code: -32603, message: `No answer from the client: ${reason.message}` } };
}
