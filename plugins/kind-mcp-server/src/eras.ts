import type { Clock, Kernel } from '@coffer/kernel';
import { digest, type HttpTransport, type StdioTransport } from './config.js';

type Db = ReturnType<Kernel['database']>;

/** How long a verdict holds: a server that learns the newer era on an upgrade never fails loudly in the older one. */
export const HOLDS_MS = 86_400_000;

/** Which eras of MCP a server spoke when it was last asked. */
export interface Verdict {
  modern: boolean;
  /** Undefined: not tried, since it spoke the newer one. */
  legacy?: boolean;
  /** The server's own version then; another one needs another look. */
  version?: string;
}

/** Verdicts by command line or URL. */
export interface Eras {
  of(target: string): Verdict | undefined;
  note(target: string, verdict: Verdict): void;
  forget(target: string): void;
}

/** What a verdict is kept by. A digest, since both may hold what should not lie in a table. */
export function targetOf(t: StdioTransport | HttpTransport): string {
  return digest(t.type === 'http' ? [t.url] : [t.command, t.args]);
}

/** Verdicts that survive a restart. */
export class RememberedEras implements Eras {
  readonly #known = new Map<string, Verdict & { at: number }>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {
    const rows = db.prepare('SELECT target, modern, legacy, version, judged_at FROM mcp_server_eras');
    for (const r of rows.iterate() as Iterable<{
      target: string;
      modern: number;
      legacy: number | null;
      version: string | null;
      judged_at: string;
    }>)
      this.#known.set(r.target, {
        modern: r.modern === 1,
        at: Date.parse(r.judged_at),
        ...(r.legacy !== null && { legacy: r.legacy === 1 }),
        ...(r.version !== null && { version: r.version }),
      });
  }

  /** `at`: when the server was asked, in milliseconds since 1970. */
  of(target: string): (Verdict & { at: number }) | undefined {
    const known = this.#known.get(target);
    return known !== undefined && this.clock.now() - known.at < HOLDS_MS ? known : undefined;
  }

  note(target: string, verdict: Verdict): void {
    const at = this.clock.now();
    this.#known.set(target, { ...verdict, at });
    const { modern, legacy, version } = verdict;
    this.db
      .prepare(
        `INSERT INTO mcp_server_eras (target, modern, legacy, version, judged_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET modern = excluded.modern, legacy = excluded.legacy, version = excluded.version, judged_at = excluded.judged_at`,
      )
      .run(
        target,
        modern ? 1 : 0,
        legacy === undefined ? null : legacy ? 1 : 0,
        version ?? null,
        new Date(at).toISOString(),
      );
    // Servers come and go; what no longer holds is of no use to anybody.
    this.db.prepare('DELETE FROM mcp_server_eras WHERE judged_at < ?').run(new Date(at - HOLDS_MS).toISOString());
  }

  forget(target: string): void {
    this.#known.delete(target);
    this.db.prepare('DELETE FROM mcp_server_eras WHERE target = ?').run(target);
  }
}
