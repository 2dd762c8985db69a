/** The daemon's log: JSON lines in `logs/daemon.log`, rotated, with the trace id of the request where one failed. */
import { mkdirSync } from 'node:fs';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Env } from './env.js';
import type { Logger } from './plugin/contract.js';

export interface Log {
  logger: Logger;
  child(fields: Record<string, unknown>): Logger;
  close(): Promise<void>;
}

export function openLog(folder: string, level: Env['logLevel'], mirror?: NodeJS.WritableStream): Log {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = createStream('daemon.log', { path: folder, size: '5M', maxFiles: 5, mode: 0o600 });
  // A full disk costs log lines, never the daemon.
  file.on('error', () => undefined);
  let open = true;
  const out = {
    write(line: string): void {
      if (open) file.write(line);
      mirror?.write(line);
    },
  };
  const root = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    out,
  );
  const wrap = (p: typeof root): Logger => ({
    debug: (m, f) => p.debug(f ?? {}, m),
    info: (m, f) => p.info(f ?? {}, m),
    warn: (m, f) => p.warn(f ?? {}, m),
    error: (m, f) => p.error(f ?? {}, m),
  });
  return {
    logger: wrap(root),
    child: (fields) => wrap(root.child(fields)),
    close: () => {
      open = false;
      return new Promise((resolve) => file.end(() => resolve()));
    },
  };
}
