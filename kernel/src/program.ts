#!/usr/bin/env node
/** The daemon's program. It is started detached by whoever needs it, or in the foreground by `coffer daemon start --foreground`. */
import { fileURLToPath } from 'node:url';
import { AlreadyRunning, startDaemon } from './daemon/daemon.js';
import { ERRORS, isCofferError } from './errors.js';
import { readEnv } from './env.js';

try {
  const daemon = await startDaemon({
    env: readEnv(process.env),
    binaryPath: fileURLToPath(import.meta.url),
    ...(process.stderr.isTTY ? { mirror: process.stderr } : {}),
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void daemon.stop());
  // One plugin's stray error must not end the daemon of all others: it is logged, and the rest goes on.
  const stray = (error: unknown): void =>
    daemon.services.log.logger.error('an error reached nobody', {
      stack: error instanceof Error ? error.stack : String(error),
    });
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  await daemon.ended;
  process.exit(0);
} catch (e) {
  // Another start was faster: the daemon that was wanted is there.
  if (e instanceof AlreadyRunning) {
    process.stderr.write(`${e.message}\n`);
    process.exit(0);
  }
  if (!isCofferError(e)) throw e;
  process.stderr.write(`${e.code}: ${e.message}\n`);
  process.exit(ERRORS[e.code].exit);
}
