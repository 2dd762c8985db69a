/** A message while it grows: the agent's events, turned into blocks in the order they came and into what screens are told. */
import { isObj, type Obj, type TurnEvent } from '@coffer/kernel';
import type { Block, ChatEvent } from './types.js';

/** Characters of one tool's input or output that are kept; what floods is cut with a note. */
const TOOL_CHARS = 256 * 1024;
/** Characters of a whole turn. One that never ends is ended here. */
export const TURN_CHARS = 8 * 1024 * 1024;

export interface Draft {
  readonly blocks: Block[];
  model: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  chars: number;
  /** Calls without a result yet, with when they were made. */
  readonly open: Map<string, { name: string; at: number }>;
}

export function newDraft(): Draft {
  return { blocks: [], model: null, prompt_tokens: null, completion_tokens: null, chars: 0, open: new Map() };
}

/** Takes one event in; answers what screens are told of it, or nothing. `now` is in milliseconds. */
export function take(draft: Draft, event: TurnEvent, now: number): ChatEvent | undefined {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta': {
      if (event.text === '') return undefined;
      draft.chars += event.text.length;
      grow(draft.blocks, event.type === 'text_delta' ? 'text' : 'thinking', event.text);
      return { type: event.type, text: event.text };
    }
    case 'note':
      draft.blocks.push({ type: 'note', text: event.text });
      return { type: 'note', text: event.text };
    case 'tool_call': {
      const call = {
        tool_use_id: event.id,
        tool_name: event.name,
        tool_input: clipped(asObject(event.input, 'input')),
      };
      draft.chars += sizeOf(call.tool_input);
      draft.open.set(event.id, { name: event.name, at: now });
      draft.blocks.push({ type: 'tool_use', ...call });
      return { type: 'tool_call', ...call };
    }
    case 'tool_result': {
      const call = draft.open.get(event.id);
      draft.open.delete(event.id);
      const result = {
        tool_use_id: event.id,
        tool_name: call?.name ?? '',
        output: event.is_error ? null : clipped(asObject(event.output, 'content')),
        error: event.is_error ? cut(asText(event.output)) : null,
        // A clock that was set back must not make a call shorter than nothing.
        duration_ms: call === undefined ? null : Math.max(0, now - call.at),
      };
      draft.chars += sizeOf(result.output) + (result.error?.length ?? 0);
      draft.blocks.push({ type: 'tool_result', ...result });
      return { type: 'tool_result', ...result };
    }
    case 'usage':
      draft.model = event.model ?? draft.model;
      draft.prompt_tokens = event.input_tokens ?? draft.prompt_tokens;
      draft.completion_tokens = event.output_tokens ?? draft.completion_tokens;
      return undefined;
    case 'session':
    case 'turn_done':
    case 'turn_failed':
      return undefined;
  }
}

function grow(blocks: Block[], type: 'text' | 'thinking', text: string): void {
  const last = blocks.at(-1);
  if (last?.type === type) last.text += text;
  else blocks.push({ type, text });
}

/** What a person said or an agent wrote, without its tools. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((b) => (b.type === 'text' ? [b.text] : [])).join('\n\n');
}

function asObject(value: unknown, key: string): Obj {
  if (isObj(value)) return value;
  return value === undefined || value === null ? {} : { [key]: value };
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isObj(value) && typeof value.content === 'string') return value.content;
  return value === undefined ? 'failed' : JSON.stringify(value);
}

function sizeOf(value: Obj | null): number {
  return value === null ? 0 : JSON.stringify(value).length;
}

function clipped(value: Obj): Obj {
  const text = JSON.stringify(value);
  if (text.length <= TOOL_CHARS) return value;
  const [only] = Object.keys(value).length === 1 ? Object.entries(value) : [];
  // One long text stays a text; anything else is shown as the beginning of its JSON.
  return only !== undefined && typeof only[1] === 'string'
    ? { [only[0]]: cut(only[1]), truncated: true }
    : { json: cut(text), truncated: true };
}

function cut(text: string): string {
  if (text.length <= TOOL_CHARS) return text;
  return `${text.slice(0, TOOL_CHARS).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length - TOOL_CHARS} characters more)`;
}
