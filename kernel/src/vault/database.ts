/** The one database of the vault. The daemon is its only writer; each plugin owns the tables of its prefix. */
import Database from 'better-sqlite3';
import { existsSync, statSync } from 'node:fs';
import { CofferError } from '../errors.js';
import { unwritable } from './paths.js';
import type { Migration } from './types.js';

export type Db = Database.Database;

/** Opens the database; `kernel` are the kernel's own migrations. A vault newer than the program is refused untouched. */
export function openDatabase(file: string, kernel: readonly Migration[]): Db {
  const known = existsSync(file);
  // SQLite takes an empty file for a new database: everything would be gone without a word.
  if (known && statSync(file).size === 0) throw damaged(file);
  let db: Db | undefined;
  try {
    db = new Database(file);
    // Before anything is written: is this vault one we understand?
    if (known) refuseNewer(db, 'kernel', kernel);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('busy_timeout = 5000');
    db.pragma('foreign_keys = ON');
    db.exec(
      'CREATE TABLE IF NOT EXISTS schema_migrations (plugin TEXT NOT NULL, id INTEGER NOT NULL, applied_at TEXT NOT NULL, PRIMARY KEY (plugin, id)) WITHOUT ROWID',
    );
    migrate(db, 'kernel', kernel);
    return db;
  } catch (e) {
    db?.close();
    if (e instanceof CofferError) throw e;
    const code = (e as { code?: string }).code ?? '';
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') throw damaged(file, e);
    // Anything else (a native module that does not load, say) is not the vault's fault and must not be called so.
    if (!code.startsWith('SQLITE_')) throw e;
    throw unwritable(file, e);
  }
}

function damaged(file: string, cause?: unknown): CofferError {
  return new CofferError(
    'VAULT_DAMAGED',
    `${file} is damaged or no Coffer vault. Restore a backup with: coffer restore SRC. Without one, move the file away to begin anew.`,
    { path: file },
    { cause },
  );
}

/** Applies what is missing, each step in a transaction of its own. Forward only. */
export function migrate(db: Db, plugin: string, migrations: readonly Migration[]): void {
  refuseNewer(db, plugin, migrations);
  const applied = appliedTo(db, plugin);
  for (const m of [...migrations].sort((a, b) => a.id - b.id)) {
    if (m.id <= applied) continue;
    db.transaction(() => {
      db.exec(m.sql);
      db.prepare('INSERT INTO schema_migrations (plugin, id, applied_at) VALUES (?, ?, ?)').run(
        plugin,
        m.id,
        new Date().toISOString(),
      );
    })();
  }
}

function appliedTo(db: Db, plugin: string): number {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'").get();
  if (table === undefined) return 0;
  const row = db.prepare('SELECT max(id) AS id FROM schema_migrations WHERE plugin = ?').get(plugin) as {
    id: number | null;
  };
  return row.id ?? 0;
}

function refuseNewer(db: Db, plugin: string, migrations: readonly Migration[]): void {
  const applied = appliedTo(db, plugin);
  const newest = Math.max(0, ...migrations.map((m) => m.id));
  if (applied <= newest) return;
  throw new CofferError(
    'DB_SCHEMA_TOO_NEW',
    `This vault was written by a newer Coffer (${plugin} schema ${applied}, this program knows ${newest}). Update Coffer; nothing was changed.`,
    { plugin, found: applied, known: newest },
  );
}
