import type { Migration } from './types.js';

/** Tables of the kernel itself. */
export const KERNEL_MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    sql: `
      CREATE TABLE resources (
        kind TEXT NOT NULL, name TEXT NOT NULL, description TEXT, config_json TEXT NOT NULL,
        enabled INTEGER NOT NULL DEFAULT 1, scope_json TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
        PRIMARY KEY (kind, name));
      CREATE TABLE audit_log (
        id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL, event_type TEXT NOT NULL, resource_kind TEXT, resource_name TEXT,
        actor TEXT NOT NULL, details_json TEXT);
      CREATE INDEX audit_by_resource ON audit_log (resource_kind, resource_name, timestamp);
      CREATE INDEX audit_by_time ON audit_log (timestamp);
      CREATE INDEX audit_by_event ON audit_log (event_type, timestamp);
      CREATE TABLE mcp_invocations (
        id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL, server TEXT NOT NULL, capability_type TEXT NOT NULL,
        capability_key TEXT NOT NULL, duration_ms REAL NOT NULL, status TEXT NOT NULL, error_message TEXT, session_id TEXT,
        agent TEXT, rounds INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX invocations_by_server ON mcp_invocations (server, timestamp);
      CREATE INDEX invocations_by_time ON mcp_invocations (timestamp);
      CREATE TABLE retention_policies (
        table_name TEXT PRIMARY KEY, retention_days INTEGER CHECK (retention_days IS NULL OR retention_days > 0),
        last_pruned_at TEXT, last_pruned_rows INTEGER, updated_at TEXT NOT NULL);
      CREATE TABLE credentials (ref TEXT PRIMARY KEY, token TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
      CREATE TABLE settings (key TEXT PRIMARY KEY, value_json TEXT NOT NULL);
      CREATE TABLE machines (id TEXT PRIMARY KEY, display_name TEXT NOT NULL, this_machine INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE plugins (name TEXT PRIMARY KEY, enabled INTEGER NOT NULL);
    `,
  },
];
