import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { home, readDaemonFile, type Daemon } from './home.js';
import { debug } from './log.js';
import { probe } from './probe.js';

const WAIT_MS = 10_000;
const POLL_MS = 50;
/** A daemon that failed leaves; one started by somebody else gets this long to show itself. */
const AFTER_EXIT_MS = 1000;

/** Starts the daemon apart from this process and waits until it serves. Throws with a plain message when it does not. */
export async function spawnDaemon(): Promise<Daemon> {
  const entry = await daemonEntry();
  if (!entry)
    throw new Error(
      'the daemon program was not found beside coffer-mcp-shim; install Coffer again, or start it with "coffer up"',
    );
  const { spawn } = await import('node:child_process');
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
  const log = openSync(join(home, 'logs', 'daemon.log'), 'a', 0o600);
  const isScript = /\.[cm]?js$/.test(entry);
  const child = spawn(isScript ? process.execPath : entry, isScript ? [entry] : [], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: home,
    // Absolute: from there a relative COFFER_HOME would name another folder.
    env: { ...process.env, COFFER_HOME: home },
    windowsHide: true,
  });
  closeSync(log);
  child.unref();
  debug(`started a daemon, pid ${child.pid}`);

  let failedAt: number | undefined;
  let ended = false;
  child.once('error', () => (failedAt ??= Date.now()));
  child.once('exit', (code) => {
    ended = true;
    // 0 is a daemon that lost the race for the lock: the winner is on its way.
    if (code !== 0) failedAt ??= Date.now();
  });
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(POLL_MS)) {
    const daemon = readDaemonFile();
    if (daemon && (await probe(daemon)) === 'alive') return daemon;
    if (failedAt !== undefined && Date.now() - failedAt > AFTER_EXIT_MS) break;
  }
  if (!ended && child.pid !== undefined) await end(child.pid);
  throw new Error(`the Coffer daemon did not start; see ${join(home, 'logs', 'daemon.log')}`);
}

/** Ends a half-started daemon with its process group. */
async function end(pid: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      return;
    }
    await sleep(300);
  }
}

/** The daemon's program: the one that ran last, else the product's own. This file may be a link from a global install. */
async function daemonEntry(): Promise<string | undefined> {
  const last = readDaemonFile()?.binaryPath;
  if (last && existsSync(last)) return last;
  const self = realpathSync(process.argv[1] ?? '.');
  const sibling = join(dirname(self), '..', '..', 'kernel', 'dist', 'main.js');
  if (existsSync(sibling)) return sibling;
  try {
    const { createRequire } = await import('node:module');
    const main = join(dirname(createRequire(self).resolve('@coffer/kernel/package.json')), 'dist', 'main.js');
    return existsSync(main) ? main : undefined;
  } catch {
    return undefined;
  }
}
