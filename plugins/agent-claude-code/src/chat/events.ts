/** What the messages of the SDK mean for a conversation. Pure. */
import { isObj, type Obj, type TurnEvent } from '@coffer/kernel';

export interface Seen {
  /** Ids of messages whose text was streamed: the whole of it is not said again. */
  readonly streamed: Set<string>;
  /** Of the message that streams now. */
  message: string;
  /** What other requests of this turn used; the one that runs is added on top. */
  before: { input: number; output: number };
  now: { input: number; output: number };
}
export const nothingSeen = (): Seen => ({
  streamed: new Set(),
  message: '',
  before: { input: 0, output: 0 },
  now: { input: 0, output: 0 },
});

/** The SDK types some hundred messages; of each only the fields that count are looked at. */
export function eventsOf(message: Obj, seen: Seen): TurnEvent[] {
  switch (message.type) {
    case 'system':
      return ofSystem(message);
    case 'stream_event':
      // What a subagent says stays inside its tool call.
      return isObj(message.event) && message.parent_tool_use_id == null ? ofStream(message.event, seen) : [];
    case 'assistant':
      return isObj(message.message) && message.parent_tool_use_id == null ? ofAssistant(message.message, seen) : [];
    case 'user':
      return isObj(message.message) && message.parent_tool_use_id == null ? resultsOf(message.message) : [];
    case 'result':
      return ofResult(message, seen);
    default:
      return [];
  }
}

function ofSystem(message: Obj): TurnEvent[] {
  if (message.subtype === 'init')
    return [
      { type: 'session', session_id: String(message.session_id) },
      { type: 'usage', model: String(message.model) },
    ];
  if (message.subtype === 'compact_boundary')
    return [{ type: 'note', text: 'Claude summed up the earlier part of this conversation for itself.' }];
  return [];
}

function ofStream(event: Obj, seen: Seen): TurnEvent[] {
  switch (event.type) {
    case 'message_start': {
      const message: Obj = isObj(event.message) ? event.message : {};
      seen.message = String(message.id);
      seen.before = { input: seen.before.input + seen.now.input, output: seen.before.output + seen.now.output };
      seen.now = { input: inputOf(message.usage), output: 0 };
      return usageOf(seen);
    }
    case 'message_delta':
      if (isObj(event.usage)) seen.now.output = Number(event.usage.output_tokens ?? 0);
      return usageOf(seen);
    case 'content_block_delta': {
      const delta: Obj = isObj(event.delta) ? event.delta : {};
      if (delta.type !== 'text_delta' && delta.type !== 'thinking_delta') return [];
      seen.streamed.add(seen.message);
      return delta.type === 'text_delta'
        ? [{ type: 'text_delta', text: String(delta.text) }]
        : [{ type: 'thinking_delta', text: String(delta.thinking) }];
    }
    default:
      return [];
  }
}

function ofAssistant(message: Obj, seen: Seen): TurnEvent[] {
  // Made up by claude to show an error; the result that follows says the same.
  if (message.model === '<synthetic>') return [];
  const streamed = seen.streamed.has(String(message.id));
  return blocksOf(message).flatMap((b): TurnEvent[] => {
    switch (b.type) {
      case 'text':
        return streamed ? [] : [{ type: 'text_delta', text: String(b.text) }];
      case 'thinking':
        return streamed ? [] : [{ type: 'thinking_delta', text: String(b.thinking) }];
      case 'tool_use':
      case 'server_tool_use':
        return [{ type: 'tool_call', id: String(b.id), name: String(b.name), input: b.input }];
      default:
        return [];
    }
  });
}

function resultsOf(message: Obj): TurnEvent[] {
  return blocksOf(message)
    .filter((b) => b.type === 'tool_result')
    .map((b) => {
      const content = textIn(b.content);
      return {
        type: 'tool_result',
        id: String(b.tool_use_id),
        output: b.is_error === true ? content : { content },
        is_error: b.is_error === true,
      };
    });
}

/** The end: its figures are the sums of the turn. */
function ofResult(message: Obj, seen: Seen): TurnEvent[] {
  const usage: Obj = isObj(message.usage) ? message.usage : {};
  const input = inputOf(usage);
  const output = Number(usage.output_tokens ?? 0);
  const figures: TurnEvent[] =
    input + output === 0 ? usageOf(seen) : [{ type: 'usage', input_tokens: input, output_tokens: output }];
  // After an error of the service the subtype still says success.
  if (message.subtype === 'success' && message.is_error !== true)
    return [...figures, { type: 'turn_done', stop_reason: String(message.stop_reason ?? 'end_turn') }];
  if (message.subtype === 'error_max_turns') return [...figures, { type: 'turn_done', stop_reason: 'max_iterations' }];
  return [...figures, { type: 'turn_failed', code: 'sdk_error', message: problemOf(message) }];
}

function problemOf(message: Obj): string {
  if (typeof message.result === 'string' && message.result !== '') return message.result;
  if (Array.isArray(message.errors) && message.errors.length > 0) return message.errors.map(String).join('; ');
  return `claude ended with ${String(message.subtype)}.`;
}

function usageOf({ before, now }: Seen): TurnEvent[] {
  return [{ type: 'usage', input_tokens: before.input + now.input, output_tokens: before.output + now.output }];
}

/** Cached or not, all of it was read. */
function inputOf(usage: unknown): number {
  if (!isObj(usage)) return 0;
  return ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].reduce(
    (n, key) => n + Number(usage[key] ?? 0),
    0,
  );
}

function blocksOf(message: Obj): Obj[] {
  if (typeof message.content === 'string') return [{ type: 'text', text: message.content }];
  return Array.isArray(message.content) ? message.content.filter(isObj) : [];
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObj)
    .map((c) => (typeof c.text === 'string' ? c.text : `[${String(c.type)}]`))
    .join('\n');
}
