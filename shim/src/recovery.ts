import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, type End } from './attempt.js';
import { readDaemonFile, sameRun, type Daemon } from './home.js';
import { debug } from './log.js';
import { parseMessage, type Line, type Obj } from './message.js';
import { probe } from './probe.js';
import { openSession, sessionHeaders, type Session } from './session.js';

const SEARCH_MS = 5000;
const FIRST_SEARCH_MS = 1000;
/** A daemon that starts or stops gets as long as one that we start. */
const PASSING_MS = 10_000;
const POLL_MS = 75;
const REPLAY_MS = 10_000;

/** What went wrong, as the one who asks for recovery saw it. */
export interface Trouble {
  /** The daemon that was spoken to. */
  daemon: Daemon | undefined;
  /** The daemon does not know this session. */
  session?: string;
  /** The daemon refused the token. */
  token?: boolean;
  /** Nobody waits for it: look once, start nothing. */
  background?: boolean;
  /** No daemon has answered this process yet, so there is none to come back. */
  first?: boolean;
}

export interface Recovery {
  readonly daemon: Daemon | undefined;
  /** Finds or starts a daemon and opens the session again. Returns why that failed, in plain words. */
  recover(trouble: Trouble): Promise<string | undefined>;
  /** Resolves when no recovery runs. */
  settled(): Promise<void>;
  readonly running: boolean;
}

export interface RecoveryHooks {
  session: Session;
  identity: OutgoingHttpHeaders;
  /** The session was replaced by a new one. */
  renewed: () => void;
  /** The session is lost. */
  lose: () => void;
}

const NO_SPAWN = process.env.COFFER_NO_SPAWN === '1';

/** One recovery at a time: whoever comes meanwhile waits for it and profits from it. */
export function createRecovery({ session, identity, renewed, lose }: RecoveryHooks): Recovery {
  let daemon = readDaemonFile();
  let running: Promise<string | undefined> | undefined;
  let current: Trouble = { daemon };

  const solved = (trouble: Trouble): boolean =>
    daemon !== trouble.daemon && daemon !== undefined && !session.gone
      ? true
      : trouble.session !== undefined && !session.gone && session.id !== trouble.session;

  async function recover(trouble: Trouble): Promise<string | undefined> {
    while (running) {
      const { background } = current;
      const failed = await running;
      // What was only a look in passing did not try all that a waiting call may ask for.
      if (failed !== undefined && !background) return failed;
    }
    if (solved(trouble)) return undefined;
    current = trouble;
    running = work(trouble)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .finally(() => (running = undefined));
    return running;
  }

  async function work(trouble: Trouble): Promise<string | undefined> {
    const before = daemon;
    const found = await findDaemon(trouble);
    if (typeof found === 'string') return found;
    daemon = found;
    const moved = before !== undefined && !sameRun(before, found);
    debug(`recovery: daemon pid ${found.pid} port ${found.port}${moved ? ', another one than before' : ''}`);
    if (moved || trouble.session !== undefined) lose();
    return session.gone ? replay(found) : undefined;
  }

  /** Opens the session again as the client opened it; the client sees nothing of it but that lists may have changed. */
  async function replay(at: Daemon): Promise<string | undefined> {
    const { opening } = session;
    if (!opening) return undefined;
    const reply = await ask(at, opening, identity);
    if (reply.end.how !== 'done' || !openSession(session, reply.answer, reply.headers)) {
      return 'the Coffer daemon did not open the session again';
    }
    const settings = [session.initialized, session.level, ...session.subscriptions.values()];
    for (const line of settings) if (line) await ask(at, line, { ...identity, ...sessionHeaders(session) });
    debug('recovery: session opened again');
    renewed();
    return undefined;
  }

  return {
    get daemon() {
      return daemon;
    },
    get running() {
      return running !== undefined;
    },
    recover,
    async settled() {
      while (running) await running;
    },
  };
}

/** Looks for a living daemon for up to 5 s, and starts one when there is none. A string says why there is none. */
async function findDaemon(trouble: Trouble): Promise<Daemon | string> {
  const began = Date.now();
  for (;;) {
    const file = readDaemonFile();
    const state = file ? await probe(file) : 'dead';
    const stale = trouble.token === true && file?.token === trouble.daemon?.token;
    if (file && state === 'alive' && !stale) return file;
    if (trouble.background) return 'no other daemon yet';
    if (state === 'dead' && !NO_SPAWN) return (await import('./spawn.js')).spawnDaemon();
    if (trouble.first && !file) break;
    const patience = state === 'passing' ? PASSING_MS : trouble.first ? FIRST_SEARCH_MS : SEARCH_MS;
    if (Date.now() - began > patience) {
      if (stale && state === 'alive')
        return 'the Coffer daemon refuses the token in daemon.json; restart it with "coffer daemon restart"';
      break;
    }
    await sleep(POLL_MS);
  }
  return NO_SPAWN
    ? 'no Coffer daemon is running, and COFFER_NO_SPAWN=1 forbids starting one; start it with "coffer up"'
    : 'the Coffer daemon is busy starting or stopping; try again in a moment';
}

/** POSTs a line whose answer is not for the client. */
async function ask(
  daemon: Daemon,
  line: Line,
  headers: OutgoingHttpHeaders,
): Promise<{ end: End; answer?: Obj; headers: IncomingHttpHeaders }> {
  let answer: Obj | undefined;
  let opened: IncomingHttpHeaders = {};
  const { sent, end } = attempt(daemon, line, headers, {
    message: (data, what) => {
      if (what.kind === 'answer') answer = what.message ?? parseMessage(data);
    },
    attach: () => undefined,
    opened: (got) => (opened = got),
  });
  const timer = setTimeout(() => sent.request.destroy(), REPLAY_MS);
  const how = await end;
  clearTimeout(timer);
  return { end: how, ...(answer ? { answer } : {}), headers: opened };
}
