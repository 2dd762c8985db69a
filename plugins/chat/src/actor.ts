/** One conversation at work: everything that happens to it goes through here, one thing after another. */
import { CofferError, type AgentAdapter, type Kernel } from '@coffer/kernel';
import { createBus, type Bus } from './bus.js';
import { IDLE, step, type Course, type Doing, type Happening } from './course.js';
import { textOf } from './draft.js';
import { newId, type Store } from './store.js';
import { failureOf, startTurn, type GoingTurn } from './turn.js';
import { titleOf } from './title.js';
import type { Conversation, Item, Message, Queue } from './types.js';
import { folderOf } from './workspace.js';

/** Messages that may wait in one conversation. */
export const QUEUE_LIMIT = 500;
/** Rows of the past that an agent is given. */
const HISTORY = 200;

export interface ActorParts {
  kernel: Kernel;
  store: Store;
  /** New with each start. */
  era: string;
  /** Lists elsewhere look different now. */
  changed: () => void;
}

export interface Actor {
  readonly bus: Bus;
  /** True while a turn runs, as everybody sees it. */
  readonly running: boolean;
  /** The message that grows now. */
  readonly growing: string | null;
  queue(): Queue;
  /** Starts a turn or queues. Throws what keeps the turn from beginning; then nothing is kept. */
  send(item: Item): { queued: boolean; turn_id: string | null };
  /** Replaces the queue and lets it go on. Throws RESOURCE_STALE when `revision` is not the present one. */
  replace(texts: readonly string[], revision?: number): void;
  /** Resolves when the turn is over for everybody; at once when none runs. */
  interrupt(): Promise<void>;
  /** Ends the turn with a reason; what it had done is kept, and what waits is dropped. Resolves when the agent has cleaned up. */
  shut(code: string, message: string): Promise<void>;
  /** The conversation is gone: nothing more is written for it. Resolves when the agent has cleaned up. */
  discard(): Promise<void>;
}

export function createActor(id: string, { kernel, store, era, changed }: ActorParts): Actor {
  const { log } = kernel;
  let course: Course = IDLE;
  let going: GoingTurn | undefined;
  let gone = false;
  let shutting = false;

  const queue = (): Queue => ({
    pending: course.pending.map((i) => i.text),
    items: course.pending.map(({ id, text, from }) => ({ id, text, from })),
    paused: course.paused,
    revision: course.revision,
  });
  const bus = createBus(era, queue);

  const happen = (what: Happening): void => {
    const next = step(course, what);
    course = next.course;
    for (const doing of next.doing) act(doing);
  };
  const act = (doing: Doing): void => {
    switch (doing.type) {
      case 'tell':
        bus.publish({ type: 'queue_changed', ...queue() });
        changed();
        return;
      case 'stop':
        going?.stop();
        return;
      case 'start':
        startWaiting(doing.item);
    }
  };

  /** What waited begins, or goes back to the head of the queue with the reason told to everybody. */
  const startWaiting = (item: Item): void => {
    try {
      start(item);
    } catch (e) {
      log.warn('a queued message could not begin its turn', { conversation: id, error: failureOf(e).code });
      const { code, message } = failureOf(e);
      bus.publish({ type: 'turn_error', turn_id: '', message_id: '', code, message });
      happen({ type: 'unable', item });
    }
  };

  /** Everything that may fail comes before anything is written. */
  const start = (item: Item): string => {
    const conversation = present();
    const provider = kernel.agents.get(conversation.agent_key);
    if (provider === undefined)
      throw new CofferError(
        'AGENT_UNAVAILABLE',
        `The agent of this conversation is not here now. Is its plugin enabled? See: coffer plugin list`,
      );
    const cwd = folderOf(conversation.agent_config, kernel.paths.workspace);
    const past = store.messages(id, { limit: HISTORY }).items.map((m) => ({ role: m.role, text: textOf(m.content) }));
    const adapter = provider.createAdapter({ id, config: conversation.agent_config });
    const { user, assistant } = keep(conversation, item, adapter);
    const turnId = newId();
    bus.publish({ type: 'turn_start', turn_id: turnId, message_id: assistant.id, item_id: item.id, user });
    going = startTurn({
      kernel,
      store,
      bus,
      turnId,
      message: assistant,
      conversation,
      adapter,
      turn: {
        history: [...past, { role: 'user', text: item.text }],
        config: conversation.agent_config,
        ...(conversation.session_id !== null && { sessionId: conversation.session_id }),
        cwd,
      },
      gone: () => gone,
      ended: () => (course = step(course, { type: 'ended' }).course),
    });
    void going.over.then(changed);
    void going.free.then(free);
    changed();
    return turnId;
  };

  const keep = (
    conversation: Conversation,
    item: Item,
    adapter: AgentAdapter,
  ): { user: Message; assistant: Message } => {
    const both = begin(item.text, adapter);
    if (!conversation.titled && both.user.seq === 0) store.rename(id, titleOf(item.title ?? item.text), true);
    // Who writes into an archived conversation wants it back.
    if (conversation.archived_at !== null) store.archive(id, false);
    return both;
  };

  const begin = (text: string, adapter: AgentAdapter): { user: Message; assistant: Message } => {
    try {
      return store.begin(id, text);
    } catch (e) {
      void adapter.dispose?.().catch((error: unknown) => log.error('an agent threw', { error: String(error) }));
      throw e;
    }
  };

  const free = (): void => {
    going = undefined;
    if (gone || shutting) return;
    happen({ type: 'free' });
    changed();
  };

  const present = (): Conversation => {
    const c = gone ? undefined : store.get(id);
    if (c === undefined) throw new CofferError('CONVERSATION_NOT_FOUND', 'There is no such conversation any more.');
    return c;
  };

  return {
    bus,
    get running() {
      return course.phase === 'running';
    },
    get growing() {
      return course.phase === 'running' ? (going?.message.id ?? null) : null;
    },
    queue,
    send(item) {
      present();
      if (shutting) throw new CofferError('DAEMON_NOT_READY', 'Coffer is stopping; send again once it is back.');
      // The plain case speaks plainly: what keeps this message from its turn is told to whoever sent it.
      if (course.phase === 'idle' && course.pending.length === 0) {
        const before = course;
        course = { ...course, phase: 'running', paused: false };
        try {
          return { queued: false, turn_id: start(item) };
        } catch (e) {
          course = before;
          throw e;
        }
      }
      if (course.pending.length >= QUEUE_LIMIT)
        throw new CofferError(
          'QUEUE_FULL',
          `${QUEUE_LIMIT} messages wait in this conversation already. Let some run, or remove some, then send again.`,
        );
      happen({ type: 'send', item });
      return { queued: true, turn_id: null };
    },
    replace(texts, revision) {
      present();
      if (revision !== undefined && revision !== course.revision)
        throw new CofferError('RESOURCE_STALE', 'The queue changed meanwhile. Look at it again, then repeat.', {
          ...queue(),
        });
      // Known ones stay what they were; of equal texts the first comes first.
      const known = [...course.pending];
      const items = texts.map((text): Item => {
        const at = known.findIndex((i) => i.text === text);
        return (at === -1 ? undefined : known.splice(at, 1)[0]) ?? { id: newId(), text, from: null };
      });
      happen({ type: 'replace', items });
    },
    async interrupt() {
      const { over } = going ?? {};
      happen({ type: 'interrupt' });
      await over;
    },
    async shut(code, message) {
      shutting = true;
      going?.fail(code, message);
      await going?.over;
      await going?.free;
      bus.close();
    },
    async discard() {
      gone = true;
      bus.close();
      going?.stop();
      await going?.free;
    },
  };
}
