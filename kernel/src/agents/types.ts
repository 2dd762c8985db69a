import type { JsonSchema, Obj } from '../json.js';

/**
 * What an agent does in a turn, as it happens. A turn ends with exactly one `turn_done` or `turn_failed`, unless it was aborted.
 * `session` is the agent's own id of the talk, kept for the next turn; `note` is said to the person by the adapter, not by the agent;
 * `usage` has the totals of the turn so far, a later one replaces an earlier. Text is whole characters, never half of one.
 */
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
  /** Oldest first; the last one is what the person says now. */
  history: readonly TurnMessage[];
  /** As the conversation has it now; `model`, where set, is passed on to the agent as it is. */
  config: Obj;
  /** What the last `session` event of this conversation said. */
  sessionId?: string;
  /** An absolute path of a folder that exists. */
  cwd: string;
  /** Aborts when the turn is stopped: the adapter ends whatever it started, then its iterable. */
  signal: AbortSignal;
}

/** Drives one turn of one conversation. */
export interface AgentAdapter {
  runTurn(turn: Turn): AsyncIterable<TurnEvent>;
  /** Called once, after the turn, however it ended. */
  dispose?(): Promise<void>;
}

/** One kind of agent that a conversation can be held with. */
export interface AgentProvider {
  /** Stable, in lower case with underscores. */
  key: string;
  displayName: string;
  /** Of a conversation's config. `cwd` (a folder) and `model` (free text) mean the same for every agent that has them. */
  configSchema: JsonSchema;
  /** Not offered to people; reachable by key. */
  unlisted?: boolean;
  availability(): { available: boolean; reason?: string } | Promise<{ available: boolean; reason?: string }>;
  /** Rules beyond the schema, asked when a conversation begins. Throws CofferError, best AGENT_CONFIG_REJECTED. */
  checkConfig?(config: Obj): void | Promise<void>;
  /** Names of models to choose from, as far as they are known; any other may be typed. */
  models?(): readonly string[] | Promise<readonly string[]>;
  /** Once for each turn, before anything of it is kept. Synchronous; throws CofferError when the turn cannot be. */
  createAdapter(conversation: { id: string; config: Obj }): AgentAdapter;
  /** A conversation is gone for good, with what the agent itself may keep of it. Called at most once; a failure is only logged. */
  forget?(conversation: { id: string; config: Obj; sessionId?: string }): void | Promise<void>;
}

export interface AgentRegistry {
  /** Throws PLUGIN_CONFLICT when the key is taken. */
  add(provider: AgentProvider): void;
}

/** Agents as a plugin sees them that holds conversations. Ask anew for each turn: plugins come and go. */
export interface AgentDirectory {
  get(key: string): AgentProvider | undefined;
  list(): AgentProvider[];
  /** A copy of a config with defaults filled in. Throws AGENT_CONFIG_REJECTED with every problem. */
  accept(provider: AgentProvider, config: Obj): Promise<Obj>;
}
