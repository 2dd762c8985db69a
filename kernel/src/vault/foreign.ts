/** Editing files that belong to another program, which may write them at any moment, and whose owner keeps them as they like. */
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { CofferError } from '../errors.js';
import { writeAtomic } from './files.js';

/** Settings of other programs are small; what is bigger is something else. In bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
const LINKS = 40;

/** A file of another program as it is now. */
export interface ForeignFile {
  /** As it was named. */
  readonly path: string;
  /** Where it really lies, links followed. */
  readonly real: string;
  readonly exists: boolean;
  /** Empty when there is no file. */
  readonly text: string;
  /** SHA-256 of the text, in hex; empty when there is no file. */
  readonly fingerprint: string;
}

/** One file before and after. Empty text: it does not exist. */
export interface ForeignChange {
  path: string;
  before: string;
  after: string;
}

export interface ForeignEdit {
  /** Refused with FILE_CHANGED when the file is another one. */
  fingerprint?: string;
  /** The backup's text, when the file's own must not be kept: an adopted secret, say. Default: the file as it was. */
  backup?: (text: string) => string;
}

/**
 * Reads it, links followed. Throws FILE_UNREADABLE: no plain file, too big, no UTF-8, or the system refuses.
 */
export function readForeign(file: string): ForeignFile {
  const real = follow(file);
  let bytes: Buffer;
  try {
    const stat = statSync(real);
    if (!stat.isFile()) throw unreadable(file, 'it is no plain file');
    if (stat.size > MOST_BYTES) throw unreadable(file, `it is bigger than ${MOST_BYTES / 1024 / 1024} MiB`);
    bytes = readFileSync(real);
  } catch (e) {
    const { code } = e as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { path: file, real, exists: false, text: '', fingerprint: '' };
    if (e instanceof CofferError) throw e;
    throw unreadable(file, code === 'ENOTDIR' ? 'a folder of its path is a file' : `the system says ${code}`, e);
  }
  try {
    // A mark at its beginning is part of the file and stays.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: file, real, exists: true, text, fingerprint: hash(text) };
  } catch (e) {
    throw unreadable(file, 'it is not UTF-8', e);
  }
}

/**
 * Replaces a file by what `change` makes of it: links are followed, its mode stays, one generation is kept as `<path>.bak`, a reader sees
 * the old or the new one. Undefined from `change` deletes the file; the text it got leaves everything as it was. What somebody else wrote
 * meanwhile is never lost: FILE_CHANGED. Throws also FILE_READ_ONLY, FILE_UNREADABLE, and whatever `change` throws, before anything is written.
 */
export function editForeign(
  file: string,
  change: (text: string) => string | undefined,
  { fingerprint, backup = (text) => text }: ForeignEdit = {},
): ForeignChange {
  const before = readForeign(file);
  if (fingerprint !== undefined && fingerprint !== before.fingerprint) throw changed(file);
  const after = change(before.text);
  const done = { path: file, before: before.text, after: after ?? '' };
  if (after === (before.exists ? before.text : undefined)) return done;
  if (!before.exists && (after === undefined || after === '')) return done;
  const mode = before.exists ? refuseReadOnly(file, before.real) : 0o600;
  try {
    mkdirSync(path.dirname(before.real), { recursive: true, mode: 0o700 });
    const same = (): void => {
      if (readForeign(file).fingerprint !== before.fingerprint) throw changed(file);
    };
    if (before.exists) {
      same();
      writeAtomic(`${file}.bak`, backup(before.text), mode);
    }
    if (after === undefined) {
      same();
      rmSync(before.real);
    } else writeAtomic(before.real, after, mode, same);
  } catch (e) {
    if (e instanceof CofferError) throw e;
    throw readOnly(file, `the system says ${(e as NodeJS.ErrnoException).code ?? 'no'}`, e);
  }
  return done;
}

/** Where a path really leads, also when nothing is there yet: a dotfile may be a link to a file that its owner has not made. */
function follow(file: string): string {
  let at = path.resolve(file);
  for (let i = 0; i < LINKS; i++) {
    try {
      return realpathSync(at);
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'ENOENT')
        throw unreadable(file, `the system says ${(e as NodeJS.ErrnoException).code}`, e);
    }
    try {
      if (!lstatSync(at).isSymbolicLink()) return at;
      at = path.resolve(path.dirname(at), readlinkSync(at));
    } catch {
      // Nothing of that name: its folder may be a link all the same, and the system follows that by itself.
      return at;
    }
  }
  throw unreadable(file, 'its links lead in a circle');
}

/** The superuser may write everything; what its owner has locked stays locked all the same. Returns the file's mode. */
function refuseReadOnly(file: string, real: string): number {
  const { mode, uid } = statSync(real);
  if ((mode & 0o222) === 0) throw readOnly(file, 'it is write-protected');
  // A new file takes the old one's place: it would be ours, and its owner could not read it any more.
  if (process.geteuid !== undefined && uid !== process.geteuid()) throw readOnly(file, 'it belongs to another user');
  try {
    accessSync(real, constants.W_OK);
    accessSync(path.dirname(real), constants.W_OK);
  } catch (e) {
    throw readOnly(file, `the system says ${(e as NodeJS.ErrnoException).code}`, e);
  }
  return mode & 0o777;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

function unreadable(file: string, why: string, cause?: unknown): CofferError {
  return new CofferError('FILE_UNREADABLE', `${file} cannot be read: ${why}.`, { path: file }, { cause });
}
function readOnly(file: string, why: string, cause?: unknown): CofferError {
  return new CofferError(
    'FILE_READ_ONLY',
    `${file} cannot be written: ${why}. Nothing was changed; make it writable and try again.`,
    { path: file },
    { cause },
  );
}
function changed(file: string): CofferError {
  return new CofferError(
    'FILE_CHANGED',
    `${file} was changed by somebody else meanwhile. Nothing was written; look at it again and repeat.`,
    { path: file },
  );
}
