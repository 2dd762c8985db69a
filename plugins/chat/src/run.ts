/** Drives an agent through one turn: whatever it does, the turn ends, once, and what it started is given time to end too. */
import { className, type AgentAdapter, type Clock, type Turn, type TurnEvent } from '@coffer/kernel';

/** An agent that says nothing for this long is taken for stuck. */
export const SILENCE_MS = 300_000;
/** While a tool of its runs, silence is work: builds and tests take their time. */
export const TOOL_SILENCE_MS = 3_600_000;
/** What an agent has, after a turn was stopped, to end what it started; then the conversation goes on without it. */
export const CLEANUP_MS = 10_000;

export type Outcome =
  | { kind: 'done'; stop_reason: string }
  | { kind: 'failed'; code: string; message: string }
  /** Stopped from outside. */
  | { kind: 'stopped' };

export interface Run {
  /** Ends the turn at once, with what was said so far. */
  stop(): void;
  /** Ends it as a failure. */
  fail(code: string, message: string): void;
  /** How it ended; never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Once the agent has cleaned up, or was given up on. */
  readonly free: Promise<void>;
}

export interface RunParts {
  clock: Clock;
  turn: Omit<Turn, 'signal'>;
  /** Sees every event that is no end, in order, until the turn is over. */
  hear: (event: TurnEvent) => void;
  /** True while a tool of the agent runs. */
  busy: () => boolean;
  /** The agent's own exception, for the log. */
  threw: (error: unknown) => void;
}

export function run(adapter: AgentAdapter, { clock, turn, hear, busy, threw }: RunParts): Run {
  const abort = new AbortController();
  let over = false;
  let settle: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  let watchdog = { clear: (): void => undefined };
  let heard = clock.now();

  const finish = (how: Outcome): void => {
    if (over) return;
    over = true;
    watchdog.clear();
    settle(how);
    abort.abort();
  };
  const watch = (): void => {
    watchdog = clock.setTimeout(() => {
      const silent = clock.now() - heard;
      if (silent >= (busy() ? TOOL_SILENCE_MS : SILENCE_MS))
        finish({
          kind: 'failed',
          code: 'turn_timeout',
          message: `The agent said nothing for ${Math.round(silent / 60_000)} minutes and was ended. What it had done is kept; send again to go on.`,
        });
      else watch();
    }, SILENCE_MS);
  };

  const drive = async (): Promise<void> => {
    let events: AsyncIterator<TurnEvent> | undefined;
    try {
      events = adapter.runTurn({ ...turn, signal: abort.signal })[Symbol.asyncIterator]();
      for (let n = 1; ; n++) {
        // An agent that floods never lets go of the loop by itself; others want their turn too.
        if (n % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
        const next = await events.next();
        if (over) break;
        heard = clock.now();
        if (next.done === true)
          finish({
            kind: 'failed',
            code: 'agent_ended_early',
            message: 'The agent ended without finishing its answer. What it had done is kept; send again to go on.',
          });
        else if (next.value.type === 'turn_done') finish({ kind: 'done', stop_reason: next.value.stop_reason });
        else if (next.value.type === 'turn_failed')
          finish({ kind: 'failed', code: next.value.code, message: next.value.message });
        else hear(next.value);
        if (over) break;
      }
    } catch (e) {
      // An agent that was told to stop may say so by throwing.
      if (!over) {
        threw(e);
        finish({
          kind: 'failed',
          code: 'agent_failed',
          message: `The agent failed (${className(e)}). What it had done is kept; the log of Coffer says more.`,
        });
      }
    }
    await ended(async () => events?.return?.(), threw);
    await ended(async () => adapter.dispose?.(), threw);
  };

  watch();
  const driven = drive();
  const free = outcome.then(() => within(driven, CLEANUP_MS, clock));
  return {
    outcome,
    free,
    stop: () => finish({ kind: 'stopped' }),
    fail: (code, message) => finish({ kind: 'failed', code, message }),
  };
}

async function ended(end: () => Promise<unknown>, threw: (error: unknown) => void): Promise<void> {
  try {
    await end();
  } catch (e) {
    threw(e);
  }
}

function within(work: Promise<void>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    void work.then(() => {
      timer.clear();
      resolve();
    });
  });
}
