/** One turn with the real `claude`, driven by the Claude Agent SDK: a process of its own, which is gone when the turn is. */
import path from 'node:path';
import {
  startProgram,
  type AgentAdapter,
  type Kernel,
  type StartedProgram,
  type Turn,
  type TurnEvent,
} from '@coffer/kernel';
import { eventsOf, nothingSeen } from './events.js';
import { fetchSdk, loadSdk, sdkFile, type QueryOptions, type Sdk } from './sdk.js';

/** Characters of its complaints that are kept. */
const STDERR_CHARS = 4000;
/** What `claude` has, after it was asked to stop, to write its transcript. */
const STOP_MS = 1500;

export interface Launch {
  command: string;
  env: Record<string, string>;
}

export function claudeAdapter(kernel: Kernel, launch: () => Promise<Launch | undefined>): AgentAdapter {
  const programs: StartedProgram[] = [];
  const endAll = async (): Promise<void> => void (await Promise.all(programs.splice(0).map((p) => p.end())));
  return {
    async *runTurn(turn) {
      const found = await launch();
      if (found === undefined) {
        yield {
          type: 'turn_failed',
          code: 'agent_missing',
          message: 'claude was not found. Install it, then send again.',
        };
        return;
      }
      try {
        const sdk = yield* sdkOf(kernel, turn);
        if (sdk === undefined) return;
        let first = yield* attempt(kernel, sdk, found, turn, programs, turn.sessionId);
        if (first.lost && !turn.signal.aborted) {
          yield { type: 'note', text: 'Claude no longer has the earlier part of this conversation; it began anew.' };
          first = yield* attempt(kernel, sdk, found, turn, programs, undefined);
        }
        if (first.failure !== undefined && !turn.signal.aborted) yield first.failure;
      } finally {
        await endAll();
      }
    },
    dispose: endAll,
  };
}

/** Fetched the first time, which is told; undefined when it cannot be had, which is told too. */
async function* sdkOf(kernel: Kernel, turn: Turn): AsyncGenerator<TurnEvent, Sdk | undefined> {
  const folder = path.join(kernel.paths.home, 'agents', 'claude-code');
  try {
    if (sdkFile(folder) === undefined) {
      yield { type: 'note', text: 'The Claude Agent SDK is fetched, 5 MB, this once.' };
      await fetchSdk(folder, turn.signal);
    }
    return await loadSdk(sdkFile(folder) ?? '');
  } catch (e) {
    if (!turn.signal.aborted)
      yield { type: 'turn_failed', code: 'sdk_missing', message: e instanceof Error ? e.message : String(e) };
    return undefined;
  }
}

interface Ended {
  /** The session that was to be resumed is not there; nothing was said yet. */
  lost: boolean;
  failure?: TurnEvent;
}

async function* attempt(
  kernel: Kernel,
  sdk: Sdk,
  launch: Launch,
  turn: Turn,
  programs: StartedProgram[],
  resume: string | undefined,
): AsyncGenerator<TurnEvent, Ended> {
  if (turn.signal.aborted) return { lost: false };
  let complaints = '';
  let begun = false;
  const seen = nothingSeen();
  const abort = new AbortController();
  const model: unknown = turn.config.model;
  const options: QueryOptions = {
    cwd: turn.cwd,
    env: launch.env,
    pathToClaudeCodeExecutable: launch.command,
    includePartialMessages: true,
    // The owner's own settings and instructions hold, as in a terminal.
    settingSources: ['user', 'project', 'local'],
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    abortController: abort,
    spawnClaudeCodeProcess: ({ command, args, cwd, env }) => {
      const program = startProgram(command, args, {
        cwd: cwd ?? turn.cwd,
        env: Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined)),
        records: kernel.paths.upstreamPids,
        label: 'agent-claude-code',
      });
      programs.push(program);
      program.child.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaints = (complaints + text).slice(-STDERR_CHARS);
      });
      return program.child;
    },
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(resume !== undefined && { resume }),
  };
  const prompt = said(turn.history.at(-1)?.text ?? '', turn.signal);
  const talk = sdk.query({ prompt, options });
  const stop = (): void => {
    // A word first, so that its transcript is whole; then the end.
    void Promise.race([talk.interrupt().catch(() => undefined), pause(STOP_MS)]).then(() => abort.abort());
  };
  turn.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const message of talk) {
      for (const event of eventsOf(message, seen)) {
        if (event.type === 'turn_failed' && resume !== undefined && !begun && isLost(event.message))
          return { lost: true, failure: event };
        if (event.type === 'text_delta' || event.type === 'tool_call') begun = true;
        if (event.type === 'turn_failed') return { lost: false, failure: event };
        yield event;
        if (event.type === 'turn_done') return { lost: false };
      }
    }
    return { lost: false, failure: cut(complaints) };
  } catch (e) {
    const problem = `${e instanceof Error ? e.message : ''} ${complaints}`;
    const lost = resume !== undefined && !begun && isLost(problem);
    if (complaints.trim() !== '' && !turn.signal.aborted)
      kernel.log.warn('claude complained', { stderr: complaints.trim() });
    return { lost, failure: cut(complaints) };
  } finally {
    turn.signal.removeEventListener('abort', stop);
    abort.abort();
  }
}

/** One message; the stream stays open until the turn ends, since closing it would end the agent, and a word to stop needs it. */
async function* said(
  text: string,
  signal: AbortSignal,
): AsyncGenerator<{
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
  session_id: string;
}> {
  yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' };
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function isLost(problem: string): boolean {
  return /No conversation found|session .*not found|No such session/i.test(problem);
}

function cut(complaints: string): TurnEvent {
  const told = complaints.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return {
    type: 'turn_failed',
    code: 'sdk_stream_error',
    message: `claude ended in the middle of its answer${told === '' ? '' : `: ${told}`}. What it had done is kept; send again to go on.`,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
