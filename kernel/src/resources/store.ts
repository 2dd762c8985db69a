/** The rows of resources; reads are answered from memory, since the gateway asks on every list. */
import type { Obj } from '../json.js';
import type { Scope } from '../scope/types.js';
import type { Db } from '../vault/database.js';
import type { Resource } from './types.js';

export interface ResourceStore {
  all(): Resource[];
  find(kind: string, name: string): Resource | undefined;
  /** Writes the row; memory follows with {@link ResourceStore.remember} once the transaction is through. */
  put(resource: Resource): void;
  remove(kind: string, name: string): void;
  remember(resource: Resource): void;
  forget(ref: string): void;
}

interface Row {
  kind: string;
  name: string;
  description: string | null;
  config_json: string;
  enabled: number;
  scope_json: string | null;
  created_at: string;
  updated_at: string;
}

export function openResourceStore(db: Db): ResourceStore {
  const upsert =
    db.prepare(`INSERT INTO resources (kind, name, description, config_json, enabled, scope_json, created_at, updated_at)
    VALUES (@kind, @name, @description, @config, @enabled, @scope, @created_at, @updated_at)
    ON CONFLICT (kind, name) DO UPDATE SET description = @description, config_json = @config, enabled = @enabled, scope_json = @scope, updated_at = @updated_at`);
  const drop = db.prepare('DELETE FROM resources WHERE kind = ? AND name = ?');
  const cache = new Map<string, Resource>();
  for (const r of db.prepare('SELECT * FROM resources').all() as Row[]) {
    const resource = fromRow(r);
    cache.set(resource.ref, resource);
  }
  return {
    all: () => [...cache.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    find: (kind, name) => cache.get(`${kind}:${name}`),
    put(r) {
      upsert.run({
        kind: r.kind,
        name: r.name,
        description: r.description,
        config: JSON.stringify(r.config),
        enabled: r.enabled ? 1 : 0,
        scope: r.scope === null ? null : JSON.stringify(r.scope),
        created_at: r.created_at,
        updated_at: r.updated_at,
      });
    },
    remove: (kind, name) => void drop.run(kind, name),
    remember: (r) => void cache.set(r.ref, r),
    forget: (ref) => void cache.delete(ref),
  };
}

function fromRow(r: Row): Resource {
  return {
    ref: `${r.kind}:${r.name}`,
    kind: r.kind,
    name: r.name,
    description: r.description,
    config: JSON.parse(r.config_json) as Obj,
    enabled: r.enabled === 1,
    scope: r.scope_json === null ? null : (JSON.parse(r.scope_json) as Scope),
    created_at: r.created_at,
    updated_at: r.updated_at,
  };
}
