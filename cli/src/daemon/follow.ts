/** The end of a file, and what is added to it, across rotation. */
import { closeSync, existsSync, openSync, readSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** At most this much of the end is read to find the last lines. */
const TAIL_BYTES = 2 * 1_048_576;
const POLL_MS = 500;

function readFrom(file: string, from: number, to: number): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(to - from);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, from));
  } finally {
    closeSync(fd);
  }
}

/** The last `n` lines, oldest first; none when there is no file. */
export function tail(file: string, n: number): { lines: string[]; size: number } {
  if (!existsSync(file)) return { lines: [], size: 0 };
  const { size } = statSync(file);
  const text = readFrom(file, Math.max(0, size - TAIL_BYTES), size);
  return {
    lines: text
      .split('\n')
      .filter((l) => l !== '')
      .slice(-n),
    size,
  };
}

/** Hands on each new whole line, for ever. */
export function follow(file: string, from: number, line: (text: string) => void): Promise<never> {
  let at = from;
  let inode = existsSync(file) ? statSync(file).ino : 0;
  let rest = '';
  const look = (): void => {
    if (!existsSync(file)) return;
    const { size, ino } = statSync(file);
    // A new file took the place of the old one.
    if (ino !== inode || size < at) [at, inode, rest] = [0, ino, ''];
    if (size === at) return;
    const lines = (rest + readFrom(file, at, size)).split('\n');
    at = size;
    rest = lines.pop() ?? '';
    for (const l of lines) if (l !== '') line(l);
  };
  setInterval(look, POLL_MS);
  if (existsSync(dirname(file))) watch(dirname(file), look);
  return new Promise(() => undefined);
}
