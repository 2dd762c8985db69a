/** As `../types.ts` has them; a page is built apart from the daemon's side. */
export interface Agent {
  agent_key: string;
  display_name: string;
  available: boolean;
  reason: string | null;
  config_schema: Record<string, unknown>;
  models: string[];
}
export interface Conversation {
  id: string;
  agent_key: string;
  agent_name: string | null;
  title: string;
  agent_config: { cwd?: string; model?: string };
  channel_name: string | null;
  archived_at: string | null;
  created_at: string;
  updated_at: string;
  running: boolean;
  waiting: number;
}
export type Block =
  | { type: 'text' | 'thinking' | 'note'; text: string }
  | { type: 'tool_use'; tool_use_id: string; tool_name: string; tool_input: Record<string, unknown> }
  | {
      type: 'tool_result';
      tool_use_id: string;
      tool_name: string;
      output: Record<string, unknown> | null;
      error: string | null;
      duration_ms: number | null;
    };
export interface Message {
  id: string;
  seq: number;
  role: 'user' | 'assistant';
  content: Block[];
  status: 'complete' | 'streaming' | 'failed';
  model_id: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  stop_reason: string | null;
  error: { code: string; message: string } | null;
  created_at: string;
}
export interface Queue {
  items: { id: string; text: string; from: string | null }[];
  pending: string[];
  paused: boolean;
  revision: number;
}
export type ChatEvent =
  | { type: 'attached'; turn_id: string | null; resumed: boolean }
  | { type: 'turn_start'; turn_id: string; message_id: string; item_id: string; user: Message }
  | { type: 'text_delta' | 'thinking_delta' | 'note'; text: string }
  | ({ type: 'tool_call' } & Omit<Extract<Block, { type: 'tool_use' }>, 'type'>)
  | ({ type: 'tool_result' } & Omit<Extract<Block, { type: 'tool_result' }>, 'type'>)
  | {
      type: 'turn_done';
      message_id: string;
      model_id: string | null;
      prompt_tokens: number | null;
      completion_tokens: number | null;
      stop_reason: string;
    }
  | { type: 'turn_error'; message_id: string; code: string; message: string }
  | ({ type: 'queue_changed' } & Queue);
