/** What the notifications of a turn mean for a conversation. Pure. */
import { isObj, type Obj, type TurnEvent } from '@coffer/kernel';

/** Text that was streamed is not said again when its item is complete. */
export interface Seen {
  readonly streamed: Set<string>;
  readonly called: Set<string>;
}
export const nothingSeen = (): Seen => ({ streamed: new Set(), called: new Set() });

export function eventsOf(method: string, params: Obj, seen: Seen): TurnEvent[] {
  switch (method) {
    case 'item/agentMessage/delta':
      seen.streamed.add(String(params.itemId));
      return [{ type: 'text_delta', text: String(params.delta) }];
    case 'item/reasoning/summaryTextDelta':
    case 'item/reasoning/textDelta':
      seen.streamed.add(String(params.itemId));
      return [{ type: 'thinking_delta', text: String(params.delta) }];
    case 'item/started':
      return isObj(params.item) ? started(params.item, seen) : [];
    case 'item/completed':
      return isObj(params.item) ? completed(params.item, seen) : [];
    case 'thread/tokenUsage/updated': {
      const last: unknown = isObj(params.tokenUsage) ? params.tokenUsage.last : undefined;
      return isObj(last)
        ? [{ type: 'usage', input_tokens: Number(last.inputTokens), output_tokens: Number(last.outputTokens) }]
        : [];
    }
    default:
      return [];
  }
}

/** A tool is shown when it begins, since it may take long. */
function started(item: Obj, seen: Seen): TurnEvent[] {
  const call = callOf(item);
  if (call === undefined) return [];
  seen.called.add(String(item.id));
  return [call];
}

function completed(item: Obj, seen: Seen): TurnEvent[] {
  const id = String(item.id);
  switch (item.type) {
    case 'agentMessage':
      return seen.streamed.has(id) || !item.text ? [] : [{ type: 'text_delta', text: String(item.text) }];
    case 'reasoning': {
      const text = [item.summary].flat().filter((s) => typeof s === 'string');
      return seen.streamed.has(id) || text.length === 0 ? [] : [{ type: 'thinking_delta', text: text.join('\n') }];
    }
    case 'contextCompaction':
      return [{ type: 'note', text: 'Codex summed up the earlier part of this conversation for itself.' }];
    default: {
      const call = callOf(item);
      if (call === undefined) return [];
      return [...(seen.called.has(id) ? [] : [call]), { type: 'tool_result', id, ...resultOf(item) }];
    }
  }
}

/** The call that an item is; undefined for what is no tool. */
function callOf(item: Obj): TurnEvent | undefined {
  const call = (name: string, input: Obj): TurnEvent => ({ type: 'tool_call', id: String(item.id), name, input });
  switch (item.type) {
    case 'commandExecution':
      return call('shell', { command: item.command, cwd: item.cwd });
    case 'fileChange':
      return call('file_change', { changes: item.changes });
    case 'mcpToolCall':
      return call(`${item.server}__${item.tool}`, isObj(item.arguments) ? item.arguments : {});
    case 'dynamicToolCall':
      return call(String(item.tool), isObj(item.arguments) ? item.arguments : {});
    case 'webSearch':
      return call('web_search', { query: item.query });
    case 'imageView':
      return call('view_image', { path: item.path });
    default:
      return undefined;
  }
}

function resultOf(item: Obj): { output: unknown; is_error: boolean } {
  switch (item.type) {
    case 'commandExecution': {
      const text = String(item.aggregatedOutput ?? '');
      const failed = item.status === 'failed' || item.status === 'declined' || (item.exitCode ?? 0) !== 0;
      return failed
        ? { output: `${text}\nexit code ${item.exitCode ?? 'unknown'}`.trim(), is_error: true }
        : { output: { content: text, exit_code: item.exitCode ?? 0 }, is_error: false };
    }
    case 'mcpToolCall': {
      if (isObj(item.error)) return { output: String(item.error.message), is_error: true };
      const content: unknown = isObj(item.result) ? item.result.content : [];
      return { output: { content }, is_error: item.status === 'failed' };
    }
    default:
      return {
        output: { status: item.status ?? 'completed' },
        is_error: item.status === 'failed' || item.status === 'declined',
      };
  }
}
