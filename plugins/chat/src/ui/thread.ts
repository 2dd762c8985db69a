/** What a screen shows of a conversation, and how each event changes it. Pure: the same events give the same screen everywhere. */
import type { Block, ChatEvent, Message, Queue } from './types.js';

export interface Thread {
  /** In order, without gaps; from `messages[0].seq` on. */
  readonly messages: readonly Message[];
  /** Of the message that grows now. */
  readonly growing: string | null;
  readonly queue: Queue;
  /** Why what waited could not begin. */
  readonly notice: string;
}

export const EMPTY: Thread = {
  messages: [],
  growing: null,
  queue: { items: [], pending: [], paused: false, revision: -1 },
  notice: '',
};

export function apply(thread: Thread, event: ChatEvent): Thread {
  switch (event.type) {
    case 'attached':
      return event.turn_id === null ? { ...thread, growing: null } : thread;
    case 'turn_start': {
      const { user, message_id } = event;
      const answer: Message = {
        ...user,
        id: message_id,
        seq: user.seq + 1,
        role: 'assistant',
        content: [],
        status: 'streaming',
      };
      return { ...thread, messages: merged(thread.messages, [user, answer]), growing: message_id, notice: '' };
    }
    case 'text_delta':
      return grown(thread, (blocks) => lengthened(blocks, 'text', event.text));
    case 'thinking_delta':
      return grown(thread, (blocks) => lengthened(blocks, 'thinking', event.text));
    case 'note':
      return grown(thread, (blocks) => [...blocks, { type: 'note', text: event.text }]);
    case 'tool_call':
      return grown(thread, (blocks) => [...blocks, { ...event, type: 'tool_use' }]);
    case 'tool_result':
      return grown(thread, (blocks) => [...blocks, { ...event, type: 'tool_result' }]);
    case 'turn_done': {
      const { model_id, prompt_tokens, completion_tokens, stop_reason } = event;
      const end = { model_id, prompt_tokens, completion_tokens, stop_reason, status: 'complete' } as const;
      return { ...changed(thread, event.message_id, (m) => ({ ...m, ...end })), growing: null };
    }
    case 'turn_error': {
      const error = { code: event.code, message: event.message };
      const notice = event.message_id === '' ? event.message : '';
      return {
        ...changed(thread, event.message_id, (m) => ({ ...m, status: 'failed', error })),
        growing: null,
        notice,
      };
    }
    case 'queue_changed':
      return { ...thread, queue: event };
  }
}

/** Messages that were read: newer knowledge wins, except about the one that grows here, which events tell better. */
export function read(thread: Thread, messages: readonly Message[], newest: boolean): Thread {
  const first = messages[0]?.seq ?? 0;
  // Of the newest page, what is not in it any more is gone, but for the turn that began since.
  const last = messages.at(-1)?.seq ?? -1;
  const known = thread.messages.filter((m) => !newest || m.seq > last || messages[m.seq - first]?.id === m.id);
  const fresh = messages.filter((m) => m.id !== thread.growing);
  return { ...thread, messages: merged(known, fresh) };
}

function merged(known: readonly Message[], fresh: readonly Message[]): readonly Message[] {
  const bySeq = new Map(known.map((m) => [m.seq, m]));
  for (const m of fresh) {
    const have = bySeq.get(m.seq);
    // What is over stays as it is: the same object is not drawn again.
    if (have === undefined || have.id !== m.id || have.status !== m.status || m.status === 'streaming')
      bySeq.set(m.seq, m);
  }
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

function grown(thread: Thread, grow: (blocks: Block[]) => Block[]): Thread {
  return thread.growing === null
    ? thread
    : changed(thread, thread.growing, (m) => ({ ...m, content: grow(m.content) }));
}

/** The rest of the messages stay the same objects, so that only this one is drawn again. */
function changed(thread: Thread, id: string, change: (m: Message) => Message): Thread {
  const at = thread.messages.findLastIndex((m) => m.id === id);
  if (at === -1) return thread;
  const messages = [...thread.messages];
  messages[at] = change(messages[at] as Message);
  return { ...thread, messages };
}

function lengthened(blocks: Block[], type: 'text' | 'thinking', text: string): Block[] {
  const last = blocks.at(-1);
  return last?.type === type ? [...blocks.slice(0, -1), { type, text: last.text + text }] : [...blocks, { type, text }];
}
