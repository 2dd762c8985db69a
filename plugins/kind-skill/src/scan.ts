/** What lies in a folder, looked at without following links and with an end: a skill may come from anywhere. */
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { LIMITS } from './config.js';
import type { Problem } from './frontmatter.js';

/** In a folder that is a copy, made where links cannot be: whose copy it is, and its hash when it was made. */
export const COPY_MARK = '.coffer-copy.json';
/** Written by desktops, by git or by Coffer itself, never part of a skill. */
export const JUNK: ReadonlySet<string> = new Set(['.DS_Store', '__MACOSX', '.git', COPY_MARK]);

export interface Entry {
  /** Relative, with `/`. */
  path: string;
  type: 'file' | 'folder' | 'link';
  size: number;
  executable: boolean;
  /** Changes whenever the entry does. */
  stamp: string;
  /** Of a link: where it points, as written. */
  target?: string;
}

export interface Scan {
  /** Folders before what is in them, by name. */
  entries: Entry[];
  files: number;
  bytes: number;
  problem: Problem | undefined;
}

/** Stops at the first thing that no skill may have; `entries` then ends there. */
export async function scan(root: string): Promise<Scan> {
  const out: Scan = { entries: [], files: 0, bytes: 0, problem: undefined };
  const fault = (file: string, reason: string): void => void (out.problem ??= { file, line: null, reason });
  const walk = async (relative: string): Promise<void> => {
    const names = (await readdir(path.join(root, relative))).filter((n) => !JUNK.has(n)).sort();
    for (const name of names) {
      if (out.problem !== undefined) return;
      const at = relative === '' ? name : `${relative}/${name}`;
      const s = await lstat(path.join(root, at));
      const stamp = `${s.ino}:${s.size}:${s.mtimeMs}:${s.ctimeMs}`;
      if (s.isDirectory()) {
        out.entries.push({ path: at, type: 'folder', size: 0, executable: false, stamp });
        // Folders count too: a million empty ones are no skill either.
        if (out.entries.length > 2 * LIMITS.files) return fault(at, `the skill has more than ${LIMITS.files} files`);
        await walk(at);
        continue;
      }
      if (++out.files > LIMITS.files) return fault(at, `the skill has more than ${LIMITS.files} files`);
      if (s.isSymbolicLink()) {
        const target = await readlink(path.join(root, at));
        const wrong = linkFault(at, target) ?? (await leadsOut(root, at));
        if (wrong !== undefined) return fault(at, wrong);
        out.entries.push({ path: at, type: 'link', size: 0, executable: false, stamp, target });
        continue;
      }
      if (!s.isFile()) return fault(at, 'is neither a file nor a folder');
      out.bytes += s.size;
      if (out.bytes > LIMITS.bytes) return fault(at, `makes the skill larger than ${LIMITS.bytes / 1_048_576} MB`);
      out.entries.push({ path: at, type: 'file', size: s.size, executable: (s.mode & 0o100) !== 0, stamp });
    }
  };
  try {
    await walk('');
  } catch (e) {
    // Somebody is at work in it; or its name is no text.
    const { code = 'error', path: where = root } = e as NodeJS.ErrnoException;
    fault(path.relative(root, where) || '.', `cannot be read (${code})`);
  }
  return out;
}

/** A link of a skill stays inside it wherever the folder lies; undefined when it does. */
export function linkFault(at: string, target: string): string | undefined {
  if (path.isAbsolute(target) || /^[A-Za-z]:|^\\/.test(target)) return 'is a link to an absolute place';
  const resolved = path.posix.normalize(path.posix.join(path.posix.dirname(at), target.replaceAll('\\', '/')));
  return resolved === '..' || resolved.startsWith('../') ? 'is a link that leads out of the skill' : undefined;
}

/** What the words of a link do not show: links that go through other links, and round in circles. */
async function leadsOut(root: string, at: string): Promise<string | undefined> {
  try {
    const [base, real] = await Promise.all([realpath(root), realpath(path.join(root, at))]);
    return (real + path.sep).startsWith(base + path.sep) ? undefined : 'is a link that leads out of the skill';
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'ELOOP' ? 'is a link that leads round in a circle' : undefined;
  }
}

/** SHA-256 over names, kinds and contents; the same folder elsewhere has the same. Throws when a file cannot be read. */
export async function contentHash(root: string, entries: readonly Entry[]): Promise<string> {
  const hash = createHash('sha256');
  for (const e of entries) {
    if (e.type === 'folder') continue;
    hash.update(`${e.type}\0${e.path}\0${e.executable ? 'x' : '-'}\0${e.type === 'link' ? e.target : e.size}\0`);
    if (e.type === 'file')
      for await (const chunk of createReadStream(path.join(root, e.path))) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

/** At most `limit` bytes of a regular file; never waits on a pipe and never follows a link at the end of the path. */
export async function readLimited(file: string, limit: number): Promise<{ bytes: Buffer; size: number }> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const s = await handle.stat();
    if (!s.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
    const buffer = Buffer.alloc(Math.min(limit, s.size));
    let got = 0;
    while (got < buffer.length) {
      const { bytesRead } = await handle.read(buffer, got, buffer.length - got, got);
      if (bytesRead === 0) break;
      got += bytesRead;
    }
    return { bytes: buffer.subarray(0, got), size: s.size };
  } finally {
    await handle.close();
  }
}
