/** Ends the daemon of this vault, and never any other process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, statusOf } from '../api.js';
import { Failure } from '../failure.js';
import { recorded, type Recorded } from '../home.js';
import { commandLine, isRunning } from './process.js';

const DRAIN_MS = 20_000;
const SIGNAL_MS = 5000;

export type Stopped = 'stopped' | 'not running' | 'stale record';

/** Asks the daemon to end; one that hangs is signalled, after its command line was found to be that of a Coffer daemon. */
export async function stopDaemon(): Promise<Stopped> {
  const daemon = recorded();
  if (daemon === undefined) return 'not running';
  const alive = (await statusOf(daemon)) !== undefined;
  if (!alive && !isOurs(daemon)) return 'stale record';
  if (alive) {
    try {
      await (await connect()).post('/daemon/shutdown');
      if (await gone(daemon.pid, DRAIN_MS)) return 'stopped';
    } catch (e) {
      // A record with a wrong token, or a daemon that went meanwhile: the signal below is the other way.
      if (!(e instanceof Failure)) throw e;
    }
  }
  if (!isRunning(daemon.pid)) return 'stopped';
  if (!isOurs(daemon))
    throw new Failure(
      'DAEMON_FAILED',
      `process ${daemon.pid} does not look like a Coffer daemon, so it was left alone. Stop it yourself if it is one.`,
    );
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(daemon.pid, signal);
    } catch {
      return 'stopped';
    }
    if (await gone(daemon.pid, SIGNAL_MS)) return 'stopped';
  }
  throw new Failure('DAEMON_FAILED', `the daemon (process ${daemon.pid}) does not end.`);
}

/** A pid may belong to someone else by now: only a command line that runs a daemon counts. */
function isOurs(daemon: Recorded): boolean {
  if (!isRunning(daemon.pid)) return false;
  const line = commandLine(daemon.pid);
  if (line === undefined) return false;
  return (
    (daemon.binaryPath !== '' && line.includes(daemon.binaryPath)) ||
    /coffer(\.js)? daemon start --foreground$/.test(line)
  );
}

async function gone(pid: number, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(30)) if (!isRunning(pid)) return true;
  return !isRunning(pid);
}
