import type { JsonSchema, Obj } from '../json.js';

/** One block of a turn as it is streamed; persisted blocks have the same words. */
export type TurnEvent =
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; text: string }
  | { type: 'tool_call'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; id: string; output: unknown; is_error: boolean }
  | { type: 'session'; session_id: string }
  | { type: 'note'; text: string }
  | { type: 'usage'; model?: string; input_tokens?: number; output_tokens?: number }
  | { type: 'turn_done'; stop_reason: string }
  | { type: 'turn_failed'; code: string; message: string };

export interface TurnMessage {
  role: 'user' | 'assistant';
  text: string;
}

export interface Turn {
  history: readonly TurnMessage[];
  config: Obj;
  sessionId?: string;
  cwd: string;
  signal: AbortSignal;
}

/** Drives one conversation; kept for its life. */
export interface AgentAdapter {
  runTurn(turn: Turn): AsyncIterable<TurnEvent>;
  dispose?(): Promise<void>;
}

export interface AgentProvider {
  /** Stable, for example `claude_code`. */
  key: string;
  displayName: string;
  configSchema: JsonSchema;
  /** Not offered to people; reachable by key. */
  unlisted?: boolean;
  availability(): { available: boolean; reason?: string } | Promise<{ available: boolean; reason?: string }>;
  createAdapter(conversation: { id: string; config: Obj }): AgentAdapter;
}

export interface AgentRegistry {
  /** Throws PLUGIN_CONFLICT when the key is taken. */
  add(provider: AgentProvider): void;
}
