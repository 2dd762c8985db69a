/** The tables of chat. SQLite is the record of conversations; they are no resources. */
import type { Migration } from '@coffer/kernel';

export const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    sql: `
      CREATE TABLE chat_conversations (
        id TEXT PRIMARY KEY, agent_key TEXT NOT NULL, title TEXT NOT NULL, title_folded TEXT NOT NULL,
        titled INTEGER NOT NULL DEFAULT 0, agent_config_json TEXT NOT NULL, session_id TEXT, channel_name TEXT,
        peer_chat_id TEXT, archived_at TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
      CREATE INDEX chat_by_activity ON chat_conversations (updated_at);
      CREATE INDEX chat_by_archiving ON chat_conversations (archived_at);
      CREATE TABLE chat_messages (
        id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL, role TEXT NOT NULL CHECK (role IN ('user', 'assistant')), content_json TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('complete', 'streaming', 'failed')), model_id TEXT, prompt_tokens INTEGER,
        completion_tokens INTEGER, stop_reason TEXT, error_code TEXT, error_message TEXT, created_at TEXT NOT NULL,
        UNIQUE (conversation_id, seq));
      CREATE INDEX chat_streaming ON chat_messages (status) WHERE status = 'streaming';
    `,
  },
];
