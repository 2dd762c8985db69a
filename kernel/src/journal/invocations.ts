/** The invocation log: what was called, when, how long, how it ended. No column for arguments or results exists. */
import type { Invocation } from '../gateway/types.js';
import type { LiveEvent } from '../plugin/contract.js';
import type { Db } from '../vault/database.js';
import { instant, page } from './page.js';

export interface InvocationFilter {
  server?: string;
  status?: string;
  type?: string;
  since?: string;
  limit: number;
  cursor?: number;
}

export interface InvocationRow {
  id: number;
  timestamp: string;
  server: string;
  capability_type: string;
  capability_key: string;
  duration_ms: number;
  status: string;
  error_message: string | null;
  session_id: string | null;
  agent: string | null;
  rounds: number;
}

export interface InvocationLog {
  /** Kept at once, written a moment later together with what else ended in it. */
  add(invocation: Invocation): void;
  flush(): void;
  list(filter: InvocationFilter): { invocations: InvocationRow[]; next: number | null };
}

/** Rows are written behind the answers: a transaction for each call would cost as much as the rest of its road. In ms. */
const DELAY_MS = 25;
const BATCH = 500;

export function openInvocations(db: Db, emit: (e: LiveEvent) => void, failed: (e: unknown) => void): InvocationLog {
  const insert = db.prepare(
    'INSERT INTO mcp_invocations (timestamp, server, capability_type, capability_key, duration_ms, status, error_message, session_id, agent, rounds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  let waiting: Invocation[] = [];
  const put = (i: Invocation): number =>
    Number(
      insert.run(i.timestamp, i.server, i.type, i.key, i.durationMs, i.status, i.error, i.sessionId, i.agent, i.rounds)
        .lastInsertRowid,
    );
  const together = db.transaction((rows: Invocation[]) => rows.map(put));
  const tell = (i: Invocation, id: number): void =>
    emit({
      type: 'invocation',
      id,
      timestamp: i.timestamp,
      server: i.server,
      capability_type: i.type,
      capability_key: i.key,
      duration_ms: i.durationMs,
      status: i.status,
      error_message: i.error,
      session_id: i.sessionId,
      agent: i.agent,
    });
  /** Rows of a batch that failed, one by one: a row that cannot be written must not take the others along. */
  const apart = (rows: Invocation[]): void => {
    for (const i of rows) {
      try {
        tell(i, put(i));
      } catch (e) {
        failed(e);
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    const rows = waiting;
    if (rows.length === 0) return;
    waiting = [];
    let ids: number[];
    try {
      ids = together(rows);
    } catch {
      return apart(rows);
    }
    // Told only of what is in the log for good.
    ids.forEach((id, n) => tell(rows[n] as Invocation, id));
  };
  return {
    add(i) {
      const n = waiting.push(i);
      if (n === 1) timer = setTimeout(flush, DELAY_MS);
      else if (n >= BATCH) flush();
    },
    flush,
    list(f) {
      flush();
      const { rows, next } = page<InvocationRow>(
        db,
        'mcp_invocations',
        [
          ['server = ?', f.server],
          ['status = ?', f.status],
          ['capability_type = ?', f.type],
          ['timestamp >= ?', instant(f.since)],
          ['id < ?', f.cursor],
        ],
        f.limit,
      );
      return { invocations: rows, next };
    },
  };
}
