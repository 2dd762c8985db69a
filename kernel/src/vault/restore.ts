/**
 * Restore of a vault. Everything is first copied beside it, then swapped by renames, the database last: where it is, the restore is
 * done. A process that is killed on the way leaves its two folders, and whoever opens the vault next puts the old state back.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { checkBackup, TREES } from './backup.js';
import { writeAtomic } from './files.js';
import { unwritable } from './paths.js';
import type { Paths } from './types.js';

const INCOMING = '.restore-';
const OUTGOING = '.replaced-';
const DB = 'coffer.db';
/** Names of what comes in, in the folder it comes from. */
const NAMES = 'restore.json';

/** Is there something a restore would replace? */
export function isPopulated(paths: Paths): boolean {
  return existsSync(paths.db);
}

/** Replaces database and trees by those of a backup, wholly or not at all. No daemon may run. */
export function restoreVault(paths: Paths, src: string): { trees: string[]; master_key: boolean } {
  checkBackup(src);
  recoverRestore(paths);
  const stamp = `${process.pid}-${Date.now()}`;
  const incoming = path.join(paths.home, INCOMING + stamp);
  const outgoing = path.join(paths.home, OUTGOING + stamp);
  const trees = readdirSync(src, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name);
  const key = existsSync(path.join(src, 'master.key')) ? ['master.key'] : [];
  const names = [...trees, ...key, DB];
  try {
    mkdirSync(outgoing, { recursive: true, mode: 0o700 });
    mkdirSync(incoming, { recursive: true, mode: 0o700 });
    // The database first: from here on its place in this folder says that the restore is not done.
    for (const name of [DB, ...trees, ...key]) {
      const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
      cpSync(path.join(src, name), path.join(incoming, name), options);
    }
    writeAtomic(path.join(incoming, NAMES), JSON.stringify(names));
    // Write-ahead files of the old database must not be read with the new one.
    for (const name of [`${DB}-wal`, `${DB}-shm`, ...new Set([...TREES, ...names])]) {
      const old = path.join(paths.home, name);
      if (existsSync(old)) renameSync(old, path.join(outgoing, name));
    }
    for (const name of names) renameSync(path.join(incoming, name), path.join(paths.home, name));
  } catch (e) {
    recoverRestore(paths);
    throw unwritable(paths.home, e);
  }
  recoverRestore(paths);
  return { trees, master_key: key.length > 0 };
}

/** Ends a restore that was cut off: forward when its database is in place, else back to what was. Only under the vault's lock. */
export function recoverRestore(paths: Paths): void {
  if (!existsSync(paths.home)) return;
  for (const folder of readdirSync(paths.home).filter((n) => n.startsWith(INCOMING))) {
    const incoming = path.join(paths.home, folder);
    const outgoing = path.join(paths.home, OUTGOING + folder.slice(INCOMING.length));
    if (existsSync(path.join(incoming, DB))) back(paths, incoming, outgoing);
    rmSync(outgoing, { recursive: true, force: true });
    rmSync(incoming, { recursive: true, force: true });
  }
}

function back(paths: Paths, incoming: string, outgoing: string): void {
  const list = path.join(incoming, NAMES);
  const names = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : [];
  for (const name of names) {
    // What is no longer in the folder was moved in.
    if (!existsSync(path.join(incoming, name))) rmSync(path.join(paths.home, name), { recursive: true, force: true });
  }
  if (!existsSync(outgoing)) return;
  for (const name of readdirSync(outgoing)) renameSync(path.join(outgoing, name), path.join(paths.home, name));
}
