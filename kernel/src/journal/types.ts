import type { Obj } from '../json.js';
import type { Actor } from '../resources/types.js';

export interface AuditEvent {
  event_type: string;
  resource_kind?: string | null;
  resource_name?: string | null;
  actor: Actor;
  details?: Obj;
}

export interface Audit {
  /** Written at once, in the transaction that is open if there is one. Details must hold no secret. */
  write(event: AuditEvent): void;
}

/** A log that grows: pruned by age under a policy of its own. */
export interface RetentionTable {
  table: string;
  /** ISO 8601 text column. */
  timestampColumn: string;
  displayName: string;
  description: string;
  /** 1 to 3650. */
  defaultDays: number;
  /** What pruning does instead of deleting rows older than `before` (ISO 8601); answers how many it was done to. */
  prune?(before: string): number | Promise<number>;
}
export interface RetentionCollector {
  add(table: RetentionTable): void;
}
