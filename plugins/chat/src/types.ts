/** What the words of chat mean: conversations, messages, blocks, and the events of a turn as every screen gets them. */
import type { Obj } from '@coffer/kernel';

/** Where the answers of a conversation go besides the web pages: a talk on a messaging app. */
export interface ChannelBinding {
  channel_name: string;
  peer_chat_id: string;
}

export interface Conversation {
  id: string;
  agent_key: string;
  title: string;
  /** False while the title is the placeholder: then the first message gives it one. */
  titled: boolean;
  /** The agent's own; never holds its session. */
  agent_config: Obj;
  session_id: string | null;
  channel_name: string | null;
  peer_chat_id: string | null;
  archived_at: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** Of the last message, or of its making. */
  updated_at: string;
}

/** In the order the agent brought them. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'note'; text: string }
  | { type: 'tool_use'; tool_use_id: string; tool_name: string; tool_input: Obj }
  | {
      type: 'tool_result';
      tool_use_id: string;
      tool_name: string;
      /** Null where the tool failed. */
      output: Obj | null;
      error: string | null;
      /** From call to result. */
      duration_ms: number | null;
    };

export type MessageStatus = 'complete' | 'streaming' | 'failed';

export interface Message {
  id: string;
  conversation_id: string;
  /** From 0, without gaps. */
  seq: number;
  role: 'user' | 'assistant';
  content: Block[];
  status: MessageStatus;
  /** What the agent says produced it. */
  model_id: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  /** `end_turn`, `interrupted`, or the agent's own word. */
  stop_reason: string | null;
  /** Why it failed. */
  error: { code: string; message: string } | null;
  created_at: string;
}

/** A message that waits for its turn; not a message of the conversation yet. */
export interface Item {
  id: string;
  text: string;
  /** Name of the channel it came from; null for this product's own screens. */
  from: string | null;
  /** What the title is taken from, where `text` holds more than the person's own words. */
  title?: string;
}

/** The queue as every screen shows it. `revision` rises with each change. */
export interface Queue {
  pending: string[];
  items: { id: string; text: string; from: string | null }[];
  /** After an interrupt: nothing runs until the owner resumes or sends. */
  paused: boolean;
  revision: number;
}

export type ChatEvent =
  | { type: 'turn_start'; turn_id: string; message_id: string; item_id: string; user: Message }
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; text: string }
  | { type: 'note'; text: string }
  | { type: 'tool_call'; tool_use_id: string; tool_name: string; tool_input: Obj }
  | {
      type: 'tool_result';
      tool_use_id: string;
      tool_name: string;
      output: Obj | null;
      error: string | null;
      duration_ms: number | null;
    }
  | {
      type: 'turn_done';
      turn_id: string;
      message_id: string;
      model_id: string | null;
      prompt_tokens: number | null;
      completion_tokens: number | null;
      stop_reason: string;
    }
  | { type: 'turn_error'; turn_id: string; message_id: string; code: string; message: string }
  | ({ type: 'queue_changed' } & Queue);

/** First on every stream: what a screen must know to tell whether it missed anything. */
export interface Attached {
  type: 'attached';
  /** Of the turn that runs; its events follow. */
  turn_id: string | null;
  /** False: read the messages anew, since events may have been missed. */
  resumed: boolean;
}
