import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Writes a file so that a reader sees the old or the new one and a crash leaves no half: unique temporary name, then rename. */
export function writeAtomic(file: string, data: string | Uint8Array, mode = 0o600): void {
  const temp = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const fd = openSync(temp, 'wx', mode);
    try {
      writeSync(fd, data as string);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
  } catch (e) {
    rmSync(temp, { force: true });
    throw e;
  }
}

/**
 * Makes a folder that a person named, with those above it. Not by Node's own `recursive`: where a file system says of a folder in it that
 * it cannot be (`/proc`), that tries for ever.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.push(at);
  for (const at of missing.reverse()) mkdirSync(at, { mode });
}
