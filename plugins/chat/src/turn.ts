/** One turn of a conversation: what the agent does goes to the screens at once, to the database from time to time, and at the end in full. */
import { isCofferError, type AgentAdapter, type Kernel, type Turn, type TurnEvent } from '@coffer/kernel';
import type { Bus } from './bus.js';
import { TURN_CHARS, newDraft, take, type Draft } from './draft.js';
import { run, type Outcome } from './run.js';
import type { Store } from './store.js';
import type { Conversation, Message } from './types.js';

/** How often the growing answer is written down, in milliseconds: what a crash may cost. */
const SAVE_MS = 500;

export interface TurnParts {
  kernel: Pick<Kernel, 'clock' | 'log' | 'audit'>;
  store: Store;
  bus: Bus;
  turnId: string;
  /** The place of the answer. */
  message: Message;
  conversation: Conversation;
  adapter: AgentAdapter;
  turn: Omit<Turn, 'signal'>;
  /** True once the conversation was deleted: then nothing is written or told any more. */
  gone: () => boolean;
  /** Called when the row is final, before the screens are told. */
  ended: () => void;
}

export interface GoingTurn {
  readonly message: Message;
  stop(): void;
  fail(code: string, message: string): void;
  /** Over for everybody. */
  readonly over: Promise<void>;
  /** The agent has cleaned up too. */
  readonly free: Promise<void>;
}

export function startTurn(parts: TurnParts): GoingTurn {
  const { kernel, store, bus, message, conversation, adapter, turn, gone } = parts;
  const { clock, log } = kernel;
  const { id } = conversation;
  const draft = newDraft();

  /** A write in the middle of a turn that fails costs the turn nothing: the end writes all of it again. */
  const kept = (what: string, write: () => void): void => {
    try {
      if (!gone()) write();
    } catch (e) {
      log.warn('could not be written down', { conversation: id, what, error: String(e) });
    }
  };
  let saving: { clear(): void } | undefined;
  const saveSoon = (): void => {
    saving ??= clock.setTimeout(() => {
      saving = undefined;
      kept('answer so far', () => store.save(message.id, draft.blocks, draft.model));
    }, SAVE_MS);
  };

  const going = run(adapter, {
    clock,
    turn,
    hear(event: TurnEvent) {
      if (event.type === 'session') return kept('session', () => store.setSession(id, event.session_id));
      const told = take(draft, event, clock.now());
      if (told !== undefined) bus.publish(told);
      saveSoon();
      if (draft.chars > TURN_CHARS)
        going.fail('turn_too_large', 'The answer grew beyond 8 million characters and was ended.');
    },
    busy: () => draft.open.size > 0,
    threw: (e) => log.error('an agent threw', { conversation: id, agent: conversation.agent_key, error: String(e) }),
  });
  const over = going.outcome.then((outcome) => {
    saving?.clear();
    if (!gone()) finish(parts, draft, outcome);
  });
  return {
    message,
    over,
    free: over.then(() => going.free),
    stop: () => going.stop(),
    fail: (code, why) => going.fail(code, why),
  };
}

/** The row, the audit, the screens, in this order: whoever is told finds it written. */
function finish(
  { kernel, store, bus, turnId, message, conversation, ended }: TurnParts,
  draft: Draft,
  outcome: Outcome,
): void {
  const { prompt_tokens, completion_tokens } = draft;
  const model_id = draft.model ?? modelOf(conversation);
  const failure = outcome.kind === 'failed' ? { code: outcome.code, message: outcome.message } : null;
  const stop_reason =
    outcome.kind === 'failed' ? null : outcome.kind === 'stopped' ? 'interrupted' : outcome.stop_reason;
  const status = failure === null ? 'complete' : 'failed';
  const figures = { model_id, prompt_tokens, completion_tokens };
  let unwritten: { code: string; message: string } | null = null;
  try {
    store.end(message.id, { content: draft.blocks, status, ...figures, stop_reason, error: failure });
    kernel.audit.write({
      event_type: 'chat_turn_completed',
      resource_kind: 'conversation',
      resource_name: conversation.id,
      actor: 'agent',
      details: {
        agent: conversation.agent_key,
        model: model_id,
        status: outcome.kind === 'stopped' ? 'interrupted' : status,
        prompt_tokens,
        completion_tokens,
      },
    });
  } catch (e) {
    kernel.log.error('an answer could not be written down', { conversation: conversation.id, error: String(e) });
    unwritten = failureOf(e);
  }
  ended();
  const ids = { turn_id: turnId, message_id: message.id };
  const told = failure ?? unwritten;
  if (told !== null) bus.publish({ type: 'turn_error', ...ids, ...told });
  else bus.publish({ type: 'turn_done', ...ids, ...figures, stop_reason: stop_reason ?? 'end_turn' });
}

function modelOf({ agent_config }: Conversation): string | null {
  const model: unknown = agent_config.model;
  return typeof model === 'string' && model !== '' ? model : null;
}

/** As a screen may show it. What is no error of ours may hold anything, so only its kind is said. */
export function failureOf(e: unknown): { code: string; message: string } {
  if (isCofferError(e)) return { code: e.code, message: e.message };
  return /^SQLITE_(FULL|IOERR|READONLY)/.test((e as { code?: string }).code ?? '')
    ? {
        code: 'VAULT_UNWRITABLE',
        message: 'The vault cannot be written: is the disk full? What was said stays on this page only.',
      }
    : { code: 'INTERNAL_ERROR', message: 'Something failed inside Coffer. The daemon log says more.' };
}
