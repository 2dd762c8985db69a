/** Finds the files of a store. Follows no link, so nothing outside the folder is reached and nothing goes round in circles. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';

export interface FoundFile {
  /** Relative, with `/`. */
  path: string;
  bytes: number;
  modified: number;
  /** Differs from what it was when the file was written to or replaced, also by one of the same size with its old time put back. */
  stamp: string;
}

export interface Scanned {
  files: FoundFile[];
  /** Every folder that was looked into, relative; `''` is the store's own. */
  folders: string[];
}

/** A store with more files than this is not one a person keeps by hand; the rest is not indexed. */
export const MOST_FILES = 200_000;
const DEPTH = 32;
/** Files looked at between two turns of the event loop: asking one by one without waiting is many times faster. */
const TURN = 500;

/** `entering` is told of each folder before it is looked into. */
export async function scan(
  folder: string,
  includes: (path: string) => boolean,
  entering: (folder: string) => void = () => undefined,
): Promise<Scanned> {
  const files: FoundFile[] = [];
  const folders: string[] = [];
  let looked = 0;
  const walk = async (at: string, depth: number): Promise<void> => {
    entering(at);
    const entries = attempt(() => readdirSync(path.join(folder, at), { withFileTypes: true }));
    if (entries === undefined) return;
    folders.push(at);
    for (const e of entries) {
      if (e.name.startsWith('.')) continue;
      const one = at === '' ? e.name : `${at}/${e.name}`;
      if (e.isDirectory()) {
        if (depth < DEPTH) await walk(one, depth + 1);
      } else if (e.isFile() && includes(one) && files.length < MOST_FILES) {
        const stat = attempt(() => lstatSync(path.join(folder, one)));
        if (stat !== undefined) files.push(found(one, stat));
        if (++looked % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  await walk('', 0);
  // The order of a folder is whatever its disk likes; the same files should make the same index.
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, folders };
}

/** Some files by name. Undefined: one of the names is, or was, no plain file of the store, so that only a whole look will do. */
export function look(
  folder: string,
  names: readonly string[],
  includes: (path: string) => boolean,
  known: (path: string) => boolean,
): FoundFile[] | undefined {
  const files: FoundFile[] = [];
  for (const name of names) {
    const stat = attempt(() => lstatSync(path.join(folder, name)));
    if (stat?.isDirectory() === true) return undefined;
    if (!includes(name)) {
      // A folder that went has a name like any other; temporary files of editors come and go.
      if (stat === undefined && known(name)) return undefined;
    } else if (stat?.isFile() === true) files.push(found(name, stat));
  }
  return files;
}

function found(at: string, { size, mtimeMs, ctimeMs, ino }: Stats): FoundFile {
  return { path: at, bytes: size, modified: mtimeMs, stamp: `${size}:${mtimeMs}:${ctimeMs}:${ino}` };
}

/** What is not there, or goes while we look, is nothing. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (e) {
    if (isGone(e)) return undefined;
    throw e;
  }
}

export function isGone(e: unknown): boolean {
  const code = (e as { code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
