/** One turn with the real `codex app-server`: a process of its own, which is gone when the turn is. */
import {
  isObj,
  startProgram,
  type AgentAdapter,
  type Kernel,
  type Obj,
  type StartedProgram,
  type Turn,
  type TurnEvent,
} from '@coffer/kernel';
import { eventsOf, nothingSeen } from './events.js';
import { RpcError, openRpc, type Rpc } from './rpc.js';

/** From the start of the process to its first answer, in milliseconds. */
const HANDSHAKE_MS = 30_000;
/** Lines of its complaints that go into the log. */
const STDERR_CHARS = 4000;

const FULL = { approvalPolicy: 'never', sandbox: 'danger-full-access' } as const;

export interface Launch {
  command: string;
  env: Record<string, string>;
}

export function codexAdapter(kernel: Kernel, launch: () => Promise<Launch | undefined>): AgentAdapter {
  let program: StartedProgram | undefined;
  return {
    async *runTurn(turn) {
      const found = await launch();
      if (found === undefined) {
        yield {
          type: 'turn_failed',
          code: 'agent_missing',
          message: 'codex was not found. Install it, then send again.',
        };
        return;
      }
      if (turn.signal.aborted) return;
      const started = startProgram(found.command, ['app-server'], {
        cwd: turn.cwd,
        env: found.env,
        records: kernel.paths.upstreamPids,
        label: 'agent-codex',
      });
      program = started;
      const complaints = collect(started, kernel);
      try {
        yield* talk(kernel, started, turn, complaints);
      } finally {
        await started.end();
      }
    },
    async dispose() {
      await program?.end();
    },
  };
}

async function* talk(
  kernel: Kernel,
  program: StartedProgram,
  turn: Turn,
  complaints: () => string,
): AsyncGenerator<TurnEvent, void> {
  // Codex asks for approvals in spite of the policy in a few cases; the owner's pairing is the gate, so they are given.
  const rpc = openRpc(program, (method) => (method.endsWith('/requestApproval') ? { decision: 'accept' } : undefined));
  let place: Place | undefined;
  const stop = (): void => void interrupt(rpc, place, program);
  turn.signal.addEventListener('abort', stop, { once: true });
  try {
    const opened = await open(kernel, rpc, turn);
    place = { threadId: opened.threadId, turnId: undefined };
    yield { type: 'session', session_id: opened.threadId };
    if (opened.note !== undefined) yield { type: 'note', text: opened.note };
    if (opened.model !== undefined) yield { type: 'usage', model: opened.model };
    const begun = await rpc.request('turn/start', {
      threadId: opened.threadId,
      input: [{ type: 'text', text: turn.history.at(-1)?.text ?? '', text_elements: [] }],
    });
    place.turnId = isObj(begun.turn) ? String(begun.turn.id) : undefined;
    yield* listen(rpc, place);
  } catch (e) {
    if (!turn.signal.aborted) yield failure(e);
  } finally {
    turn.signal.removeEventListener('abort', stop);
  }
  function failure(e: unknown): TurnEvent {
    const said = e instanceof RpcError ? e.message : 'codex ended before it answered';
    const told = complaints();
    return { type: 'turn_failed', code: 'codex_error', message: told === '' ? `${said}.` : `${said}: ${told}` };
  }
}

interface Place {
  threadId: string;
  turnId: string | undefined;
}

/** The thread to go on in: the one of the last turn, or, where that is gone, a new one with a word about it. */
async function open(
  kernel: Kernel,
  rpc: Rpc,
  turn: Turn,
): Promise<{ threadId: string; model?: string; note?: string }> {
  await inTime(
    kernel,
    rpc.request('initialize', {
      clientInfo: { name: 'coffer', title: 'Coffer', version: kernel.version },
      capabilities: { experimentalApi: true },
    }),
  );
  rpc.notify('initialized');
  const model: unknown = turn.config.model;
  const wish = { cwd: turn.cwd, ...FULL, ...(typeof model === 'string' && model !== '' && { model }) };
  if (turn.sessionId === undefined) return threadOf(await rpc.request('thread/start', wish));
  try {
    const own = await ownModel(rpc, turn.cwd);
    return threadOf(
      await rpc.request('thread/resume', { threadId: turn.sessionId, excludeTurns: true, ...own, ...wish }),
    );
  } catch (e) {
    if (!(e instanceof RpcError)) throw e;
    const fresh = threadOf(await rpc.request('thread/start', wish));
    return { ...fresh, note: 'Codex no longer has the earlier part of this conversation; it began anew.' };
  }
}

/** What codex's own config says now: a thread would otherwise keep the model and provider it ran on last, whatever was chosen since. */
async function ownModel(rpc: Rpc, cwd: string): Promise<Obj> {
  try {
    const { config } = await rpc.request('config/read', { cwd });
    const { model, model_provider }: Obj = isObj(config) ? config : {};
    return {
      ...(typeof model === 'string' && { model }),
      ...(typeof model_provider === 'string' && { modelProvider: model_provider }),
    };
  } catch (e) {
    // An older codex does not tell.
    if (e instanceof RpcError) return {};
    throw e;
  }
}

function threadOf(answer: Obj): { threadId: string; model?: string } {
  const thread: unknown = answer.thread;
  if (!isObj(thread)) throw new RpcError(0, 'codex did not open a thread');
  return { threadId: String(thread.id), ...(typeof answer.model === 'string' && { model: answer.model }) };
}

async function* listen(rpc: Rpc, place: Place): AsyncGenerator<TurnEvent, void> {
  const seen = nothingSeen();
  let problem = '';
  for await (const { method, params } of rpc.notifications()) {
    if (params.threadId !== undefined && params.threadId !== place.threadId) continue;
    if (method === 'turn/started' && isObj(params.turn)) place.turnId = String(params.turn.id);
    yield* eventsOf(method, params, seen);
    if (method === 'error' && params.willRetry !== true) problem = messageOf(params.error) || problem;
    if (method === 'turn/completed') {
      const { status, error } = isObj(params.turn) ? params.turn : ({} as Obj);
      if (status === 'failed')
        yield { type: 'turn_failed', code: 'codex_error', message: messageOf(error) || problem || 'codex failed.' };
      else yield { type: 'turn_done', stop_reason: status === 'interrupted' ? 'interrupted' : 'end_turn' };
      return;
    }
  }
  // The process ended in the middle: a cut answer is no success.
  yield {
    type: 'turn_failed',
    code: 'codex_stream_error',
    message: problem || 'codex ended in the middle of its answer. What it had done is kept; send again to go on.',
  };
}

/** A word to codex, so that its transcript is whole; it has a second to obey before it is ended. */
async function interrupt(rpc: Rpc, place: Place | undefined, program: StartedProgram): Promise<void> {
  if (place?.turnId !== undefined) {
    const { threadId, turnId } = place;
    const obeyed = rpc.request('turn/interrupt', { threadId, turnId }).catch(() => undefined);
    await Promise.race([obeyed, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
  }
  await program.end();
}

function inTime<T>(kernel: Kernel, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = kernel.clock.setTimeout(
      () => reject(new RpcError(0, `codex did not answer within ${HANDSHAKE_MS / 1000} s`)),
      HANDSHAKE_MS,
    );
    work.then(resolve, reject).finally(() => timer.clear());
  });
}

/** What it writes on standard error goes to the log; the last line of it explains an early end. */
function collect(program: StartedProgram, kernel: Kernel): () => string {
  let text = '';
  program.child.stderr.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(-STDERR_CHARS)));
  void program.exited.then(({ code, error }) => {
    if (error !== undefined) text += `\n${(error as NodeJS.ErrnoException).code ?? error.name}`;
    if (code !== 0 && text.trim() !== '') kernel.log.warn('codex complained', { code, stderr: text.trim() });
  });
  return () => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}

function messageOf(error: unknown): string {
  if (!isObj(error) || typeof error.message !== 'string') return '';
  // Codex passes on what the service answered as JSON inside the message.
  try {
    const inner: unknown = JSON.parse(error.message);
    if (isObj(inner) && isObj(inner.error) && typeof inner.error.message === 'string') return inner.error.message;
  } catch {
    // It is plain text then.
  }
  return error.message;
}
