import { appendFileSync, mkdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { home } from './home.js';

const wanted = process.env.COFFER_LOG_LEVEL === 'debug';

/** One line in `logs/shim.log`, only at debug level. Callers pass methods, codes and states, never arguments or tokens. */
export function debug(what: string): void {
  if (!wanted) return;
  try {
    mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
    appendFileSync(join(home, 'logs', 'shim.log'), `${new Date().toISOString()} ${process.pid} ${what}\n`, {
      mode: 0o600,
    });
  } catch {
    // Diagnostics that cannot be written must not end the client's session.
  }
}

/** One line on stderr, at once: the process may be about to exit. */
export function complain(what: string): void {
  debug(what);
  try {
    writeSync(2, `coffer-mcp-shim: ${what}\n`);
  } catch {
    // Nobody reads stderr.
  }
}
