import './quiet.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from './args.js';
import { splitLines } from './lines.js';
import { complain } from './log.js';
import { errorLine, readLine, type Line } from './message.js';
import { openOut } from './out.js';
import { createRelay } from './relay.js';

/** Put in by the build, from package.json. */
declare const SHIM_VERSION: string;

const LINE_LIMIT = 64 * 1024 * 1024;
const DRAIN_MS = 5000;
/** A client writes its first request as it starts us; it gets an answer even when there is no daemon. */
const FIRST_LINE_MS = 500;

const command = parseArgs(process.argv.slice(2), SHIM_VERSION);
if ('print' in command) {
  process[command.code === 0 ? 'stdout' : 'stderr'].write(command.print, () => process.exit(command.code));
} else {
  const fatal = (error: unknown): void => {
    complain(`internal error: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);

  let heard: () => void;
  const firstLine = new Promise<void>((done) => (heard = done));
  const out = openOut(() => void leave(false));
  const relay = createRelay(command.run, out, (why) => void unreachable(why));
  const lines = splitLines(
    LINE_LIMIT,
    (bytes) => {
      let line: Line;
      try {
        if (bytes.toString('latin1', 0, 64).trim() === '' && bytes.toString('utf8').trim() === '') return;
        line = readLine(bytes);
      } catch {
        return out.write(errorLine(null, -32700, 'Parse error: the line is not valid JSON'));
      }
      relay.accept(line);
      heard();
    },
    () => out.write(errorLine(null, -32600, 'The line is longer than 64 MiB; it was skipped')),
  );

  process.stdin.on('data', (chunk: Buffer) => lines.push(chunk));
  process.stdin.on('end', () => {
    lines.end();
    heard();
    void leave(true);
  });
  process.stdin.on('error', () => void leave(true));
  process.once('SIGTERM', () => void leave(false));
  process.once('SIGINT', () => void leave(false));
  relay.warmUp();

  let leaving = false;
  let exitCode = 0;
  /** Drains, ends the session and exits. Patient: a daemon that is just being started may answer first. */
  async function leave(patient: boolean): Promise<void> {
    if (leaving) return;
    leaving = true;
    process.stdin.pause();
    await relay.drain(DRAIN_MS, patient);
    await relay.leave();
    await Promise.race([out.flushed(), sleep(DRAIN_MS)]);
    process.exit(exitCode);
  }

  async function unreachable(why: string): Promise<void> {
    exitCode = 3;
    complain(why);
    await Promise.race([firstLine, sleep(FIRST_LINE_MS)]);
    await Promise.race([out.flushed(), sleep(DRAIN_MS)]);
    process.exit(exitCode);
  }
}
