/** Backup of a vault. The database is copied with SQLite's own backup, so a daemon may write meanwhile. */
import Database from 'better-sqlite3';
import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CofferError } from '../errors.js';
import { makeFolder } from './files.js';
import { unwritable } from './paths.js';
import type { Db } from './database.js';
import type { Paths } from './types.js';

/** The trees that are truth; plugins add theirs through `backup.trees`. */
export const TREES: readonly string[] = ['knowledge', 'memory', 'skills'];

export interface BackupReport {
  path: string;
  size_bytes: number;
  trees: string[];
  includes_master_key: boolean;
}

export interface BackupOptions {
  trees: readonly string[];
  includeMasterKey: boolean;
  now: Date;
  version: string;
}

/** Writes a new folder, whole or not at all. `db` is the daemon's open database; without it the file is opened read-only. */
export async function backupVault(paths: Paths, dest: string, options: BackupOptions, db?: Db): Promise<BackupReport> {
  if (!existsSync(paths.db))
    throw new CofferError('NOT_FOUND', `There is no vault at ${paths.home} yet: nothing to back up.`, {
      path: paths.home,
    });
  const target = path.resolve(dest);
  if (existsSync(target) && (!statSync(target).isDirectory() || readdirSync(target).length > 0)) {
    throw new CofferError('BACKUP_INVALID', `${target} exists and is not an empty folder. Choose a new one.`, {
      path: target,
    });
  }
  if (
    (target + path.sep).startsWith(paths.home + path.sep) &&
    options.trees.some((t) => (target + path.sep).startsWith(path.join(paths.home, t) + path.sep))
  ) {
    throw new CofferError(
      'BACKUP_INVALID',
      'A backup cannot lie inside a tree that it copies. Choose a folder outside the vault.',
    );
  }
  const work = `${target}.part-${process.pid}`;
  try {
    makeFolder(work);
    const source = db ?? new Database(paths.db, { readonly: true, fileMustExist: true });
    try {
      await source.backup(path.join(work, 'coffer.db'));
      chmodSync(path.join(work, 'coffer.db'), 0o600);
    } finally {
      if (db === undefined) source.close();
    }
    const trees = options.trees.filter((t) => existsSync(path.join(paths.home, t)));
    for (const tree of trees)
      cpSync(path.join(paths.home, tree), path.join(work, tree), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      });
    const includesKey = options.includeMasterKey && existsSync(paths.masterKey);
    if (includesKey) cpSync(paths.masterKey, path.join(work, 'master.key'));
    writeFileSync(
      path.join(work, 'backup.json'),
      JSON.stringify(
        {
          version: 1,
          created_at: options.now.toISOString(),
          coffer: options.version,
          trees,
          includes_master_key: includesKey,
        },
        null,
        2,
      ) + '\n',
      { mode: 0o600 },
    );
    if (existsSync(target)) rmSync(target, { recursive: true });
    renameSync(work, target);
    return { path: target, size_bytes: sizeOf(target), trees, includes_master_key: includesKey };
  } catch (e) {
    // Under what is no folder even removing nothing fails.
    if (existsSync(work)) rmSync(work, { recursive: true, force: true });
    throw e instanceof CofferError ? e : unwritable(target, e);
  }
}

/** Throws BACKUP_INVALID for a folder that holds no whole backup. */
export function checkBackup(src: string): void {
  const file = path.join(src, 'coffer.db');
  if (!existsSync(src) || !statSync(src).isDirectory() || !existsSync(file))
    throw new CofferError('BACKUP_INVALID', `${src} is no backup: it has no coffer.db.`, { path: src });
  try {
    const db = new Database(file, { readonly: true });
    const [row] = db.pragma('quick_check(1)') as { quick_check: string }[];
    const tables = db
      .prepare("SELECT count(*) AS n FROM sqlite_master WHERE name IN ('resources', 'schema_migrations')")
      .get() as { n: number };
    db.close();
    if (row?.quick_check !== 'ok' || tables.n !== 2) throw new Error('not a vault');
  } catch (e) {
    throw new CofferError(
      'BACKUP_INVALID',
      `${file} is damaged or no Coffer vault; nothing was changed.`,
      { path: file },
      { cause: e },
    );
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (n, e) => (e.isFile() ? n + statSync(path.join(e.parentPath, e.name)).size : n),
    0,
  );
}
