import type { Clock, Facts, Kernel } from '@coffer/kernel';

type Db = ReturnType<Kernel['database']>;

export interface HealthRecord {
  status: 'healthy' | 'failing' | 'unknown';
  reason?: string;
  /** ISO 8601. */
  checkedAt?: string;
  /** What the server said of itself when it was last reached. */
  facts?: Facts;
}

/** How each server was when it was last spoken to. Survives a restart, so that a cold daemon can tell without starting one. */
export class Health {
  readonly #records = new Map<string, HealthRecord>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly changed: (server: string, health: HealthRecord) => void,
  ) {
    const rows = db.prepare('SELECT server, status, reason, checked_at, facts_json FROM mcp_server_health');
    for (const r of rows.iterate() as Iterable<{
      server: string;
      status: HealthRecord['status'];
      reason: string | null;
      checked_at: string;
      facts_json: string | null;
    }>)
      this.#records.set(r.server, {
        status: r.status,
        checkedAt: r.checked_at,
        ...(r.reason !== null && { reason: r.reason }),
        ...(r.facts_json !== null && { facts: JSON.parse(r.facts_json) as Facts }), // written by #write
      });
  }

  of(server: string): HealthRecord {
    return this.#records.get(server) ?? { status: 'unknown', reason: 'Not spoken to yet' };
  }

  healthy(server: string, facts: Facts): void {
    this.#write(server, { status: 'healthy', facts });
  }

  failing(server: string, reason: string): void {
    const facts = this.#records.get(server)?.facts;
    this.#write(server, { status: 'failing', reason, ...(facts && { facts }) });
  }

  /** Its config changed: what was known of it no longer says anything. */
  unknown(server: string): void {
    this.#write(server, { status: 'unknown', reason: 'Not spoken to since its config changed' });
  }

  forget(server: string): void {
    this.db.prepare('DELETE FROM mcp_server_health WHERE server = ?').run(server);
    this.#records.delete(server);
  }

  #write(server: string, record: HealthRecord): void {
    const before = this.#records.get(server);
    const checkedAt = new Date(this.clock.now()).toISOString();
    this.db
      .prepare(
        `INSERT INTO mcp_server_health (server, status, reason, checked_at, facts_json) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET status = excluded.status, reason = excluded.reason, checked_at = excluded.checked_at, facts_json = excluded.facts_json`,
      )
      .run(
        server,
        record.status,
        record.reason ?? null,
        checkedAt,
        record.facts === undefined ? null : JSON.stringify(record.facts),
      );
    this.#records.set(server, { ...record, checkedAt });
    if (before?.status !== record.status || before.reason !== record.reason) this.changed(server, record);
  }
}
