#!/usr/bin/env node
/** The daemon's program. It is started detached by whoever needs it, or in the foreground by `coffer daemon start --foreground`. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AlreadyRunning, startDaemon, type Daemon } from './daemon/daemon.js';
import { ERRORS, isCofferError } from './errors.js';
import { readEnv } from './env.js';

// SQLite makes the database, its write-ahead files and backups with the process's own mask.
process.umask(0o077);

let daemon: Daemon | undefined;
const early: string[] = [];
// One plugin's stray error must not end the daemon of all others, nor its start: it is logged, and the rest goes on.
const stray = (error: unknown): void => {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (daemon !== undefined) daemon.services.log.logger.error('an error reached nobody', { stack });
  else if (early.length < 20) early.push(stack);
};
process.on('uncaughtException', stray);
process.on('unhandledRejection', stray);

/** The next daemon, on the port that clients and open pages know. In the background: whoever asked is not at this terminal. */
function startAgain(port: number): void {
  const program = fileURLToPath(import.meta.url);
  const env = { ...process.env, COFFER_PORT: String(port) };
  spawn(process.execPath, [...process.execArgv, program], { detached: true, stdio: 'ignore', env }).unref();
}

try {
  daemon = await startDaemon({
    env: readEnv(process.env),
    binaryPath: fileURLToPath(import.meta.url),
    ...(process.stderr.isTTY ? { mirror: process.stderr } : {}),
  });
  const running = daemon;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void running.stop());
  for (const stack of early.splice(0)) daemon.services.log.logger.error('an error reached nobody', { stack });
  await running.ended;
  if (running.again) startAgain(running.port);
  process.exit(0);
} catch (e) {
  // Another start was faster: the daemon that was wanted is there.
  if (e instanceof AlreadyRunning) {
    process.stderr.write(`${e.message}\n`);
    process.exit(0);
  }
  if (!isCofferError(e)) {
    // Throwing on would reach the handler above, and the process would not end.
    for (const stack of early) process.stderr.write(`${stack}\n`);
    process.stderr.write(`${e instanceof Error ? (e.stack ?? e.message) : String(e)}\n`);
    process.exit(1);
  }
  process.stderr.write(`${e.code}: ${e.message}\n`);
  process.exit(ERRORS[e.code].exit);
}
