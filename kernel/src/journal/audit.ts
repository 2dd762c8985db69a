/** The audit log: one row for each change, with its actor and never a secret. */
import { iso } from '../clock.js';
import type { Obj } from '../json.js';
import type { Clock, LiveEvent } from '../plugin/contract.js';
import type { Db } from '../vault/database.js';
import { instant, page } from './page.js';
import type { Audit } from './types.js';

export interface AuditFilter {
  kind?: string;
  name?: string;
  event_type?: string;
  actor?: string;
  /** ISO 8601. */
  since?: string;
  limit: number;
  /** Rows older than this id. */
  cursor?: number;
}

export interface AuditEntry {
  id: number;
  timestamp: string;
  event_type: string;
  resource_kind: string | null;
  resource_name: string | null;
  actor: string;
  details: Obj | null;
}

export interface AuditLog extends Audit {
  list(filter: AuditFilter): { entries: AuditEntry[]; next: number | null };
}

export function openAudit(db: Db, clock: Clock, emit: (e: LiveEvent) => void): AuditLog {
  const insert = db.prepare(
    'INSERT INTO audit_log (timestamp, event_type, resource_kind, resource_name, actor, details_json) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return {
    write(e) {
      const timestamp = iso(clock);
      const details = e.details === undefined ? null : JSON.stringify(e.details);
      const { lastInsertRowid } = insert.run(
        timestamp,
        e.event_type,
        e.resource_kind ?? null,
        e.resource_name ?? null,
        e.actor,
        details,
      );
      emit({
        type: 'audit',
        id: Number(lastInsertRowid),
        timestamp,
        event_type: e.event_type,
        resource_kind: e.resource_kind ?? null,
        resource_name: e.resource_name ?? null,
        actor: e.actor,
        details: e.details ?? null,
      });
    },
    list(f) {
      const { rows, next } = page<Omit<AuditEntry, 'details'> & { details_json: string | null }>(
        db,
        'audit_log',
        [
          ['resource_kind = ?', f.kind],
          ['resource_name = ?', f.name],
          ['event_type = ?', f.event_type],
          ['actor = ?', f.actor],
          ['timestamp >= ?', instant(f.since)],
          ['id < ?', f.cursor],
        ],
        f.limit,
      );
      return {
        entries: rows.map(({ details_json, ...row }) => ({
          ...row,
          details: details_json === null ? null : (JSON.parse(details_json) as Obj),
        })),
        next,
      };
    },
  };
}
