/**
 * Converts in a process of its own, with a limit of time and memory: a document may take long or be made to do harm, and must never
 * hold up a call. Plain text needs none of that.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Said, Task } from './child.js';
import { convert } from './convert.js';
import { formatOf, type Format } from './formats.js';
import { Rejected, type Converted } from './types.js';

const LIMIT_MS = 120_000;
const MEMORY_MB = 768;
/** Documents converted at once. */
const AT_ONCE = 2;
/** Beside this module, and of its kind: built, or as it is written. */
const CHILD = fileURLToPath(import.meta.url.replace('apart', 'child'));
const PLAIN: ReadonlySet<Format | undefined> = new Set<Format | undefined>([
  'markdown',
  'text',
  'code',
  'csv',
  undefined,
]);

let running = 0;
const waiting: (() => void)[] = [];

/** Throws Rejected. */
export async function convertApart(bytes: Uint8Array, filename: string): Promise<Converted> {
  if (PLAIN.has(formatOf(filename))) return convert(bytes, filename);
  while (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await inChild({ bytes, filename });
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function inChild(task: Task): Promise<Converted> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [], {
      execArgv: [...process.execArgv.filter((a) => !a.startsWith('--inspect')), `--max-old-space-size=${MEMORY_MB}`],
      // It needs to know nothing of where it runs, least of all what is secret in it.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let said: Said | undefined;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.once('message', (m: Said) => (said = m));
    child.once('error', () => child.kill('SIGKILL'));
    child.once('exit', (_code, signal) => {
      clearTimeout(timer);
      if (said !== undefined && !('reason' in said)) return resolve(said);
      if (said !== undefined) return reject(new Rejected(said.reason, said.message));
      reject(
        late
          ? new Rejected('too_large', `It could not be converted within ${LIMIT_MS / 1000} seconds.`)
          : signal === 'SIGABRT'
            ? new Rejected('too_large', 'It needs more memory to be converted than is given to one document.')
            : new Rejected('damaged', 'It could not be converted.'),
      );
    });
    child.send(task, (e) => e !== null && child.kill('SIGKILL'));
  });
}
