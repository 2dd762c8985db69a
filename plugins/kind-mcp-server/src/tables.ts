import type { Migration } from '@coffer/kernel';

/** Tables of this plugin. A server is named, not numbered; its rows go with it. */
export const migrations: readonly Migration[] = [
  {
    id: 1,
    sql: `
      CREATE TABLE mcp_capability_preferences (
        server TEXT NOT NULL, capability_type TEXT NOT NULL CHECK (capability_type IN ('tool', 'resource', 'prompt')),
        capability_key TEXT NOT NULL, enabled INTEGER NOT NULL, digest TEXT,
        first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL,
        PRIMARY KEY (server, capability_type, capability_key)) WITHOUT ROWID;
      CREATE TABLE mcp_server_health (
        server TEXT PRIMARY KEY, status TEXT NOT NULL CHECK (status IN ('healthy', 'failing', 'unknown')),
        reason TEXT, checked_at TEXT NOT NULL, facts_json TEXT) WITHOUT ROWID;
    `,
  },
  {
    id: 2,
    sql: `
      CREATE TABLE mcp_server_eras (
        target TEXT PRIMARY KEY, modern INTEGER NOT NULL, legacy INTEGER, version TEXT, judged_at TEXT NOT NULL) WITHOUT ROWID;
    `,
  },
];
