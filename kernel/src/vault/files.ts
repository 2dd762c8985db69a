import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Writes a file so that a reader sees the old or the new one and a crash leaves no half: unique temporary name, then rename. `before` is
 * called right before the rename; what it throws leaves the file as it was.
 */
export function writeAtomic(file: string, data: string | Uint8Array, mode = 0o600, before?: () => void): void {
  const temp = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const fd = openSync(temp, 'wx', mode);
    try {
      // The mask of the process must not narrow what the caller asked for.
      fchmodSync(fd, mode);
      writeFileSync(fd, data);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    before?.();
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
