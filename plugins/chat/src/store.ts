/** Conversations and messages in SQLite. No rule lives here beyond what keeps the rows true. */
import { randomUUID } from 'node:crypto';
import type { Kernel, Obj } from '@coffer/kernel';
import { MIGRATIONS } from './tables.js';
import { PLACEHOLDER, folded } from './title.js';
import type { Block, ChannelBinding, Conversation, Message, MessageStatus } from './types.js';

type Db = ReturnType<Kernel['database']>;

export interface NewConversation {
  agent_key: string;
  agent_config: Obj;
  channel?: ChannelBinding;
}

export interface ListQuery {
  archived: boolean;
  /** Part of a title; case and width make no difference. */
  search?: string;
  limit: number;
  offset: number;
}

/** What becomes of an assistant's message. */
export interface Ending {
  content: readonly Block[];
  status: MessageStatus;
  model_id: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  stop_reason: string | null;
  error: { code: string; message: string } | null;
}

export interface Store {
  create(conversation: NewConversation): Conversation;
  get(id: string): Conversation | undefined;
  list(query: ListQuery): { items: Conversation[]; total: number };
  rename(id: string, title: string, titled: boolean): void;
  setConfig(id: string, config: Obj): void;
  setSession(id: string, session: string | null): void;
  /** Moves in or out of the archive; nothing else changes. */
  archive(id: string, archived: boolean): void;
  remove(id: string): void;
  /** Ids of what was idle since, or in the archive since. */
  idleSince(before: string): string[];
  archivedBefore(before: string): string[];

  /** Both messages of a turn in one step: what the person said, and the place of the answer. */
  begin(id: string, text: string): { user: Message; assistant: Message };
  save(messageId: string, content: readonly Block[], model: string | null): void;
  end(messageId: string, ending: Ending): void;
  /** A page of messages in order, ending before `before` (a seq) or with the newest. */
  messages(id: string, page: { limit: number; before?: number }): { items: Message[]; total: number };
  tokens(id: string): { prompt: number; completion: number };
  /** Messages that a stopped Coffer left behind. Answers how many. */
  sweep(): number;
}

interface ConversationRow extends Omit<Conversation, 'agent_config' | 'titled'> {
  agent_config_json: string;
  title_folded?: string;
  titled: number;
}
interface MessageRow extends Omit<Message, 'content' | 'error'> {
  content_json: string;
  error_code: string | null;
  error_message: string | null;
}

const SWEPT = { code: 'coffer_stopped', message: 'Coffer was stopped while this turn ran.' };

export function openStore(kernel: Pick<Kernel, 'database' | 'clock'>): Store {
  const db: Db = kernel.database(MIGRATIONS);
  const now = (): string => new Date(kernel.clock.now()).toISOString();
  const one = db.prepare<[string], ConversationRow>('SELECT * FROM chat_conversations WHERE id = ?');
  const insertMessage = db.prepare(
    `INSERT INTO chat_messages (id, conversation_id, seq, role, content_json, status, created_at)
     VALUES (@id, @conversation_id, @seq, @role, @content_json, @status, @created_at)`,
  );
  const nextSeq = db.prepare<[string], { n: number }>(
    'SELECT coalesce(max(seq) + 1, 0) AS n FROM chat_messages WHERE conversation_id = ?',
  );
  const touch = db.prepare('UPDATE chat_conversations SET updated_at = ? WHERE id = ?');
  const saveContent = db.prepare('UPDATE chat_messages SET content_json = ?, model_id = ? WHERE id = ?');
  const finish = db.prepare(
    `UPDATE chat_messages SET content_json = @content_json, status = @status, model_id = @model_id,
       prompt_tokens = @prompt_tokens, completion_tokens = @completion_tokens, stop_reason = @stop_reason,
       error_code = @error_code, error_message = @error_message WHERE id = @id`,
  );

  const addMessage = (m: Pick<Message, 'conversation_id' | 'seq' | 'role' | 'content' | 'status'>): Message => {
    const message: Message = {
      ...m,
      id: newId(),
      model_id: null,
      prompt_tokens: null,
      completion_tokens: null,
      stop_reason: null,
      error: null,
      created_at: now(),
    };
    const { content, ...row } = message;
    insertMessage.run({ ...row, content_json: JSON.stringify(content) });
    return message;
  };

  return {
    create({ agent_key, agent_config, channel }) {
      const at = now();
      const c: Conversation = {
        id: newId(),
        agent_key,
        title: PLACEHOLDER,
        titled: false,
        agent_config,
        session_id: null,
        channel_name: channel?.channel_name ?? null,
        peer_chat_id: channel?.peer_chat_id ?? null,
        archived_at: null,
        created_at: at,
        updated_at: at,
      };
      db.prepare(
        `INSERT INTO chat_conversations (id, agent_key, title, title_folded, agent_config_json, channel_name, peer_chat_id, created_at, updated_at)
         VALUES (@id, @agent_key, @title, @title_folded, @agent_config_json, @channel_name, @peer_chat_id, @created_at, @updated_at)`,
      ).run({ ...c, titled: 0, title_folded: folded(c.title), agent_config_json: JSON.stringify(agent_config) });
      return c;
    },
    get(id) {
      const row = one.get(id);
      return row === undefined ? undefined : conversationOf(row);
    },
    list({ archived, search = '', limit, offset }) {
      const where = `archived_at IS ${archived ? 'NOT' : ''} NULL AND instr(title_folded, @search) > 0`;
      const text = folded(search.trim());
      const items = db
        .prepare<object, ConversationRow>(
          `SELECT * FROM chat_conversations WHERE ${where} ORDER BY updated_at DESC, rowid DESC LIMIT @limit OFFSET @offset`,
        )
        .all({ search: text, limit, offset })
        .map(conversationOf);
      const { n } = db
        .prepare<object, { n: number }>(`SELECT count(*) AS n FROM chat_conversations WHERE ${where}`)
        .get({
          search: text,
        }) ?? { n: 0 };
      return { items, total: n };
    },
    rename(id, title, titled) {
      db.prepare('UPDATE chat_conversations SET title = ?, title_folded = ?, titled = ? WHERE id = ?').run(
        title,
        folded(title),
        titled ? 1 : 0,
        id,
      );
    },
    setConfig(id, config) {
      db.prepare('UPDATE chat_conversations SET agent_config_json = ? WHERE id = ?').run(JSON.stringify(config), id);
    },
    setSession(id, session) {
      db.prepare('UPDATE chat_conversations SET session_id = ? WHERE id = ?').run(session, id);
    },
    archive(id, archived) {
      db.prepare('UPDATE chat_conversations SET archived_at = ? WHERE id = ?').run(archived ? now() : null, id);
    },
    remove(id) {
      db.prepare('DELETE FROM chat_conversations WHERE id = ?').run(id);
    },
    idleSince: (before) =>
      db
        .prepare<[string], { id: string }>(
          'SELECT id FROM chat_conversations WHERE archived_at IS NULL AND updated_at < ?',
        )
        .all(before)
        .map((r) => r.id),
    archivedBefore: (before) =>
      db
        .prepare<[string], { id: string }>('SELECT id FROM chat_conversations WHERE archived_at < ?')
        .all(before)
        .map((r) => r.id),

    begin(id, text) {
      return db.transaction(() => {
        const seq = nextSeq.get(id)?.n ?? 0;
        const user = addMessage({
          conversation_id: id,
          seq,
          role: 'user',
          content: [{ type: 'text', text }],
          status: 'complete',
        });
        const assistant = addMessage({
          conversation_id: id,
          seq: seq + 1,
          role: 'assistant',
          content: [],
          status: 'streaming',
        });
        touch.run(user.created_at, id);
        return { user, assistant };
      })();
    },
    save(messageId, content, model) {
      saveContent.run(JSON.stringify(content), model, messageId);
    },
    end(messageId, { content, error, ...rest }) {
      finish.run({
        ...rest,
        id: messageId,
        content_json: JSON.stringify(content),
        error_code: error?.code ?? null,
        error_message: error?.message ?? null,
      });
    },
    messages(id, { limit, before = Number.MAX_SAFE_INTEGER }) {
      const rows = db
        .prepare<[string, number, number], MessageRow>(
          'SELECT * FROM chat_messages WHERE conversation_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
        )
        .all(id, before, limit);
      return { items: rows.reverse().map(messageOf), total: nextSeq.get(id)?.n ?? 0 };
    },
    tokens(id) {
      const sums = db
        .prepare<[string], { prompt: number; completion: number }>(
          'SELECT coalesce(sum(prompt_tokens), 0) AS prompt, coalesce(sum(completion_tokens), 0) AS completion FROM chat_messages WHERE conversation_id = ?',
        )
        .get(id);
      return sums ?? { prompt: 0, completion: 0 };
    },
    sweep: () =>
      db
        .prepare(
          "UPDATE chat_messages SET status = 'failed', error_code = ?, error_message = ? WHERE status = 'streaming'",
        )
        .run(SWEPT.code, SWEPT.message).changes,
  };
}

export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

function conversationOf({ agent_config_json, title_folded: _, titled, ...row }: ConversationRow): Conversation {
  return { ...row, titled: titled === 1, agent_config: JSON.parse(agent_config_json) as Obj };
}

function messageOf({ content_json, error_code, error_message, ...row }: MessageRow): Message {
  return {
    ...row,
    content: JSON.parse(content_json) as Block[],
    error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
  };
}
