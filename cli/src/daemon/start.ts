/** Starts the daemon apart from this process and waits until it serves. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Obj } from '@coffer/kernel';
import { statusOf } from '../api.js';
import { Failure } from '../failure.js';
import { home, recorded } from '../home.js';
import { daemonProgram } from '../product.js';
import { readable } from './log-lines.js';

const WAIT_MS = 10_000;
const POLL_MS = 40;
const END_MS = 2000;
/** A start that lost the race exits with 0: the winner gets this long to show itself. */
const WINNER_MS = 3000;

/** The status of the running daemon, or undefined. */
export async function runningStatus(): Promise<Obj | undefined> {
  const daemon = recorded();
  return daemon === undefined ? undefined : statusOf(daemon);
}

/** Detect or spawn. Throws DAEMON_UNREACHABLE under `COFFER_NO_SPAWN=1`, else the reason that the daemon gave. */
export async function ensureDaemon(): Promise<{ status: Obj; started: boolean }> {
  const there = await runningStatus();
  if (there !== undefined) return { status: there, started: false };
  checkMaySpawn();
  return { status: await start(), started: true };
}

/** Asked before a running daemon is stopped to be started again, too: it must not stay away. */
export function checkMaySpawn(): void {
  if (process.env.COFFER_NO_SPAWN !== '1') return;
  throw new Failure(
    'DAEMON_UNREACHABLE',
    'the Coffer daemon is not running here, and COFFER_NO_SPAWN=1 forbids to start it.',
  );
}

async function start(): Promise<Obj> {
  const logs = join(home(), 'logs');
  const file = join(logs, 'daemon.log');
  let log: number;
  try {
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    log = openSync(file, 'a', 0o600);
  } catch (e) {
    throw new Failure(
      'VAULT_UNWRITABLE',
      `cannot write ${file} (${(e as { code?: string }).code ?? 'error'}). Make the folder writable for this user, or set COFFER_HOME to another one.`,
    );
  }
  const from = fstatSync(log).size;
  const child = spawn(process.execPath, [daemonProgram()], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: home(),
    // Absolute: from there a relative COFFER_HOME would name another folder.
    env: { ...process.env, COFFER_HOME: home() },
    windowsHide: true,
  });
  closeSync(log);
  // A Ctrl-C while waiting must not leave a half-started daemon.
  const abandon = (): void => kill(child, 'SIGTERM');
  process.once('exit', abandon);
  try {
    return await wait(child, () => readFileSync(file, 'utf8').slice(from));
  } finally {
    process.off('exit', abandon);
    child.unref();
  }
}

async function wait(child: ChildProcess, said: () => string): Promise<Obj> {
  let exit: number | string | undefined;
  child.once('error', (e) => (exit = e.message));
  child.once('exit', (code, signal) => (exit = signal ?? code ?? 1));
  let until = Date.now() + WAIT_MS;
  let lost = false;
  while (Date.now() < until) {
    const status = await runningStatus();
    if (status?.status === 'ready') return status;
    if (exit === 0 && !lost) {
      lost = true;
      until = Date.now() + WINNER_MS;
    } else if (exit !== undefined && exit !== 0) break;
    await sleep(POLL_MS);
  }
  const ended = exit;
  // First a signal that lets it release the vault's lock.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    kill(child, signal);
    for (const end = Date.now() + END_MS; exit === undefined && Date.now() < end;) await sleep(POLL_MS);
  }
  throw reasonOf(ended, said());
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
  } catch {
    // it is gone
  }
}

function reasonOf(exit: number | string | undefined, output: string): Failure {
  const lines = output.split('\n').filter((l) => l.trim() !== '');
  // The daemon names its own reason on its last line.
  const own = lines.map((l) => /^([A-Z]+(?:_[A-Z]+)+): (.*)$/.exec(l)).findLast((m) => m !== null);
  if (own?.[1] && own[2]) {
    return new Failure(own[1], `the daemon did not start. ${own[2]}`, typeof exit === 'number' ? { exit } : {});
  }
  const how = exit === undefined ? `not ready within ${WAIT_MS / 1000} s` : `it ended with ${exit}`;
  const last = lines.slice(-8).map((l) => `  ${readable(l)}`);
  return new Failure(
    'DAEMON_FAILED',
    [`the daemon did not start: ${how}.`, ...last, 'More: coffer daemon logs'].join('\n'),
  );
}
