/** How long each log is kept, and the worker that prunes. */
import { CofferError } from '../errors.js';
import { iso } from '../clock.js';
import type { Clock, Logger } from '../plugin/contract.js';
import type { Actor } from '../resources/types.js';
import type { Db } from '../vault/database.js';
import type { Audit, RetentionTable } from './types.js';

const DAY = 86_400_000;
const EVERY = 6 * 3_600_000;
/** Rows deleted in one go; between two goes other work may run. */
const BATCH = 2000;

export const KERNEL_TABLES: readonly RetentionTable[] = [
  {
    table: 'audit_log',
    timestampColumn: 'timestamp',
    displayName: 'Audit log',
    description: 'Every change to a resource, capability or credential, with its actor.',
    defaultDays: 365,
  },
  {
    table: 'mcp_invocations',
    timestampColumn: 'timestamp',
    displayName: 'Invocations',
    description: 'Every call through the gateway, without arguments or results.',
    defaultDays: 30,
  },
];

export interface RetentionPolicy {
  table_name: string;
  display_name: string;
  description: string;
  default_retention_days: number;
  /** Null: kept for ever. */
  retention_days: number | null;
  last_pruned_at: string | null;
  last_pruned_rows: number | null;
}

export interface Retention {
  /** Writes the defaults of tables that have no policy yet. */
  seed(tables: readonly RetentionTable[]): void;
  list(): RetentionPolicy[];
  set(table: string, days: number | null, actor: Actor): RetentionPolicy;
  /** Prunes one table or all; resolves to the rows deleted in each. */
  prune(table?: string): Promise<Record<string, number>>;
  /** Prunes now and every six hours; the returned function ends it. */
  work(): () => void;
}

export function openRetention(db: Db, audit: Audit, clock: Clock, log: Logger): Retention {
  const tables = new Map<string, RetentionTable>();
  const known = (name: string): RetentionTable => {
    const t = tables.get(name);
    if (t === undefined)
      throw new CofferError('UNKNOWN_PRUNABLE_TABLE', `There is no such log. Logs: ${[...tables.keys()].join(', ')}.`);
    return t;
  };
  type Row = { retention_days: number | null; last_pruned_at: string | null; last_pruned_rows: number | null };
  const row = (name: string): Row | undefined =>
    db.prepare('SELECT * FROM retention_policies WHERE table_name = ?').get(name) as Row | undefined;
  const policy = (t: RetentionTable): RetentionPolicy => {
    const r = row(t.table);
    return {
      table_name: t.table,
      display_name: t.displayName,
      description: t.description,
      default_retention_days: t.defaultDays,
      retention_days: r === undefined ? t.defaultDays : r.retention_days,
      last_pruned_at: r?.last_pruned_at ?? null,
      last_pruned_rows: r?.last_pruned_rows ?? null,
    };
  };

  const pruneOne = async (t: RetentionTable): Promise<number> => {
    const { retention_days } = policy(t);
    if (retention_days === null) return 0;
    const before = new Date(clock.now() - retention_days * DAY).toISOString();
    const total = t.prune === undefined ? await dropOlder(t, before) : await t.prune(before);
    db.prepare('UPDATE retention_policies SET last_pruned_at = ?, last_pruned_rows = ? WHERE table_name = ?').run(
      iso(clock),
      total,
      t.table,
    );
    return total;
  };

  const dropOlder = async (t: RetentionTable, before: string): Promise<number> => {
    // Table and column come from the plugin's declaration, never from a request.
    const drop = db.prepare(
      `DELETE FROM ${t.table} WHERE rowid IN (SELECT rowid FROM ${t.table} WHERE ${t.timestampColumn} < ? LIMIT ${BATCH})`,
    );
    let total = 0;
    for (let n = BATCH; n === BATCH;) {
      n = drop.run(before).changes;
      total += n;
      if (n === BATCH) await new Promise((resolve) => setImmediate(resolve));
    }
    return total;
  };

  const retention: Retention = {
    seed(list) {
      for (const t of list) {
        tables.set(t.table, t);
        db.prepare(
          'INSERT OR IGNORE INTO retention_policies (table_name, retention_days, updated_at) VALUES (?, ?, ?)',
        ).run(t.table, t.defaultDays, iso(clock));
      }
    },
    list: () => [...tables.values()].map(policy),
    set(name, days, actor) {
      const t = known(name);
      const before = policy(t).retention_days;
      db.transaction(() => {
        db.prepare('UPDATE retention_policies SET retention_days = ?, updated_at = ? WHERE table_name = ?').run(
          days,
          iso(clock),
          name,
        );
        audit.write({ event_type: 'retention_updated', actor, details: { table: name, from: before, to: days } });
      })();
      return policy(t);
    },
    async prune(name) {
      const done: Record<string, number> = {};
      for (const t of name === undefined ? tables.values() : [known(name)]) done[t.table] = await pruneOne(t);
      return done;
    },
    work() {
      const run = (): void => {
        // Each table by itself: one that fails must not keep the others from being pruned.
        for (const table of tables.keys())
          retention
            .prune(table)
            .catch((e: unknown) =>
              log.error('pruning failed; it is tried again in 6 hours', { table, error: String(e) }),
            );
      };
      run();
      const timer = clock.setInterval(run, EVERY);
      return () => timer.clear();
    },
  };
  return retention;
}
