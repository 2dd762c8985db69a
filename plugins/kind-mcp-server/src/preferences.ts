import type { Audit, CallInfo, CapabilityType, Clock, Kernel, Listing, ListType, Obj, Refusal } from '@coffer/kernel';
import { CofferError, type Actor } from '@coffer/kernel';
import { digest, KIND } from './config.js';
import { templateMatcher } from './uri-template.js';

type Db = ReturnType<Kernel['database']>;

interface Row {
  enabled: boolean;
  digest: string | null;
}
type Rows = Map<string, Row>;
type ByType = Record<CapabilityType, Rows>;

/** Under which type and field each list is curated. Templates are resources to their users. */
const CURATED: Readonly<Record<ListType, { type: CapabilityType; key: string }>> = {
  tools: { type: 'tool', key: 'name' },
  prompts: { type: 'prompt', key: 'name' },
  resources: { type: 'resource', key: 'uri' },
  resourceTemplates: { type: 'resource', key: 'uriTemplate' },
};

/**
 * Which capabilities are on. The table is the truth, a copy in memory answers. No row means enabled, except where the server's
 * policy is that new capabilities wait for approval.
 */
export class Preferences {
  readonly #servers = new Map<string, ByType>();
  /** Servers whose new capabilities start disabled. */
  readonly #strict = new Set<string>();

  constructor(
    private readonly db: Db,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {
    const rows = db.prepare(
      'SELECT server, capability_type AS type, capability_key AS key, enabled, digest FROM mcp_capability_preferences',
    );
    for (const r of rows.iterate() as Iterable<{
      server: string;
      type: CapabilityType;
      key: string;
      enabled: number;
      digest: string | null;
    }>)
      this.#rows(r.server, r.type).set(r.key, { enabled: r.enabled === 1, digest: r.digest });
  }

  /** How capabilities of this server that were never seen are taken. */
  policy(server: string, autoEnable: boolean): void {
    if (autoEnable) this.#strict.delete(server);
    else this.#strict.add(server);
  }

  enabled(server: string, type: CapabilityType, key: string): boolean {
    return this.#servers.get(server)?.[type].get(key)?.enabled ?? !this.#strict.has(server);
  }

  /**
   * Tools whose name has every word, as their servers last told them; the shortest names first. Nobody is asked, so this is as quick
   * with servers that sleep. A tool that its server has dropped meanwhile may be among them.
   */
  findTools(text: string, limit: number): { server: string; name: string; enabled: boolean }[] {
    const words = text.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...this.#servers].flatMap(([server, { tool }]) =>
      [...tool]
        .filter(([name]) => {
          const whole = `${server}__${name}`.toLowerCase();
          return words.every((w) => whole.includes(w));
        })
        .map(([name, { enabled }]) => ({ server, name, enabled })),
    );
    return found.sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }

  /** Tap of `gateway.listed`. */
  filter(listing: Listing): Listing {
    if (!listing.ref.startsWith(`${KIND}:`)) return listing;
    const { type, key } = CURATED[listing.type];
    const items = listing.items.filter(
      (item) => typeof item[key] === 'string' && this.enabled(listing.server, type, item[key]),
    );
    return items.length === listing.items.length ? listing : { ...listing, items };
  }

  /** Tap of `gateway.admit`: a look into a Map. */
  refuse(call: CallInfo): Refusal | undefined {
    if (!call.ref.startsWith(`${KIND}:`)) return undefined;
    const row = this.#servers.get(call.server)?.[call.type].get(call.key);
    const allowed =
      row?.enabled ??
      (call.type === 'resource' ? this.#byTemplate(call.server, call.key) : !this.#strict.has(call.server));
    if (allowed) return undefined;
    return {
      name: 'DISABLED',
      message: `The ${call.type} ${call.key} of ${call.server} is disabled. Enable it with: coffer mcp ${call.type} enable ${call.server} ${call.key}`,
    };
  }

  /**
   * Takes note of a list that a server has just given: new capabilities, the day they were last seen, descriptions that
   * changed. One transaction.
   */
  reconcile(server: string, type: ListType, items: readonly Obj[]): void {
    const { type: capability, key: field } = CURATED[type];
    const rows = this.#rows(server, capability);
    const now = new Date(this.clock.now()).toISOString();
    const upsert = this.db.prepare(
      `INSERT INTO mcp_capability_preferences (server, capability_type, capability_key, enabled, digest, first_seen_at, last_seen_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET last_seen_at = excluded.last_seen_at, digest = coalesce(excluded.digest, digest)`,
    );
    const event = (event_type: string, details: Obj): void =>
      this.audit.write({
        event_type,
        resource_kind: KIND,
        resource_name: server,
        actor: 'system',
        details: { capability_type: capability, ...details },
      });
    const seen: [string, Row][] = [];
    this.db.transaction(() => {
      for (const item of items) {
        const key: unknown = item[field];
        if (typeof key !== 'string') continue;
        const before = rows.get(key);
        const mark = type === 'tools' ? digest([item.description, item.inputSchema]) : null;
        const enabled = before?.enabled ?? !this.#strict.has(server);
        upsert.run(server, capability, key, enabled ? 1 : 0, mark, now, now);
        if (before === undefined) event('capability_first_seen', { capability_key: key, enabled });
        else if (before.digest !== null && mark !== null && before.digest !== mark)
          event('capability_changed', { capability_key: key, digest_before: before.digest, digest_after: mark });
        seen.push([key, { enabled, digest: mark ?? before?.digest ?? null }]);
      }
    })();
    // Only what was committed is remembered.
    for (const [key, row] of seen) rows.set(key, row);
  }

  /** Throws CAPABILITY_NOT_FOUND for a key that was never seen. False: it was so already. */
  set(server: string, type: CapabilityType, key: string, enabled: boolean, actor: Actor): boolean {
    const row = this.#servers.get(server)?.[type].get(key);
    if (row === undefined)
      throw new CofferError(
        'CAPABILITY_NOT_FOUND',
        `${server} has no such ${type}. See what it has with: coffer mcp ${type} list ${server}`,
        { capability_type: type },
      );
    if (row.enabled === enabled) return false;
    this.db.transaction(() => {
      this.db
        .prepare(
          'UPDATE mcp_capability_preferences SET enabled = ? WHERE server = ? AND capability_type = ? AND capability_key = ?',
        )
        .run(enabled ? 1 : 0, server, type, key);
      this.audit.write({
        event_type: enabled ? 'capability_enabled' : 'capability_disabled',
        resource_kind: KIND,
        resource_name: server,
        actor,
        details: { capability_type: type, capability_key: key },
      });
    })();
    row.enabled = enabled;
    return true;
  }

  /** What it returns puts back what the owner had decided. */
  forget(server: string): () => void {
    const rows = this.db.prepare('SELECT * FROM mcp_capability_preferences WHERE server = ?').all(server) as Obj[];
    this.db.prepare('DELETE FROM mcp_capability_preferences WHERE server = ?').run(server);
    this.#servers.delete(server);
    this.#strict.delete(server);
    return () => {
      const insert = this.db.prepare(
        `INSERT OR REPLACE INTO mcp_capability_preferences (server, capability_type, capability_key, enabled, digest, first_seen_at, last_seen_at)
         VALUES (@server, @capability_type, @capability_key, @enabled, @digest, @first_seen_at, @last_seen_at)`,
      );
      this.db.transaction(() => rows.forEach((row) => insert.run(row)))();
      for (const row of rows)
        this.#rows(server, row.capability_type as CapabilityType).set(row.capability_key as string, {
          enabled: row.enabled === 1,
          digest: row.digest as string | null,
        });
    };
  }

  /** A URI without a row of its own follows the templates that make it: one that is on lets it through. */
  #byTemplate(server: string, uri: string): boolean {
    let disabled = false;
    for (const [key, row] of this.#servers.get(server)?.resource ?? []) {
      if (!key.includes('{') || !templateMatcher(key)(uri)) continue;
      if (row.enabled) return true;
      disabled = true;
    }
    return !disabled && !this.#strict.has(server);
  }

  #rows(server: string, type: CapabilityType): Rows {
    let all = this.#servers.get(server);
    if (all === undefined)
      this.#servers.set(server, (all = { tool: new Map(), prompt: new Map(), resource: new Map() }));
    return all[type];
  }
}
