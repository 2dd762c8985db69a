/** Chat as the web pages, the command line and channels use it: one way in, one bus out. */
import {
  CofferError,
  type Actor as Who,
  type AgentProvider,
  type Kernel,
  type Obj,
  type ServerEvent,
} from '@coffer/kernel';
import { createActor, type Actor } from './actor.js';
import { newId, type ListQuery, type Store } from './store.js';
import { PLACEHOLDER } from './title.js';
import type { ChannelBinding, Conversation, Message, Queue } from './types.js';
import { folderOf } from './workspace.js';

/** Characters of one message. */
export const MESSAGE_CHARS = 32_768;

export interface AgentView {
  agent_key: string;
  display_name: string;
  available: boolean;
  /** Why it is not. */
  reason: string | null;
  config_schema: Obj;
  models: readonly string[];
}

export interface ConversationView extends Omit<Conversation, 'session_id' | 'titled'> {
  /** Null when its plugin is not here. */
  agent_name: string | null;
  running: boolean;
  waiting: number;
}

/** What a message says; `title` where the words hold more than the person's own, `from` where they came over a channel. */
export interface Said {
  text: string;
  from?: string;
  title?: string;
}

/** The service `chat`: what channels need, and what REST is made of. Every method throws CONVERSATION_NOT_FOUND for a strange id. */
export interface Chat {
  agents(): Promise<AgentView[]>;
  /** Throws UNKNOWN_AGENT, AGENT_UNAVAILABLE, AGENT_CONFIG_REJECTED; then nothing is kept. */
  create(
    wish: { agent_key: string; agent_config?: Obj; channel?: ChannelBinding },
    who: Who,
  ): Promise<ConversationView>;
  list(query: ListQuery): { items: ConversationView[]; total: number };
  get(id: string): ConversationView;
  rename(id: string, title: string): ConversationView;
  archive(id: string, archived: boolean, who: Who): ConversationView;
  /** Ends the turn that runs and drops everything of it. */
  remove(id: string, who: Who): Promise<void>;
  /** Of the turns to come; empty: what the agent takes by itself. The rest of the config stays. */
  setModel(id: string, model: string): Promise<ConversationView>;
  messages(id: string, page: { limit: number; before?: number }): { items: Message[]; total: number };
  tokens(id: string): { prompt: number; completion: number };
  /** Never refused because a turn runs: then it waits. The id is that of `item_id` in the `turn_start` to come. */
  send(id: string, said: Said): { queued: boolean; turn_id: string | null; item_id: string };
  queue(id: string): Queue;
  replaceQueue(id: string, texts: readonly string[], revision?: number): Queue;
  /** Ends the turn that runs with what it had done; what waits is held back. Harmless when none runs. */
  interrupt(id: string): Promise<void>;
  watch(id: string, signal: AbortSignal, lastId?: string): AsyncIterable<ServerEvent>;
}

export interface ChatOffice extends Chat {
  /** Into the archive, by age; those at work stay. Answers how many. */
  archiveIdle(before: string): number;
  removeArchived(before: string): Promise<number>;
  /** Ends every turn as failed; resolves when all agents have cleaned up. */
  close(): Promise<void>;
}

export function createChat(kernel: Kernel, store: Store): ChatOffice {
  const { agents, audit, log } = kernel;
  const era = newId().slice(0, 8);
  const actors = new Map<string, Actor>();

  const found = (id: string): Conversation => {
    const c = store.get(id);
    if (c === undefined) throw new CofferError('CONVERSATION_NOT_FOUND', 'There is no such conversation.');
    return c;
  };
  const changed = (id: string): void => kernel.emit({ type: 'chat', conversation: id });
  const actorOf = (id: string): Actor => {
    found(id);
    const known = actors.get(id);
    if (known !== undefined) return known;
    const actor = createActor(id, { kernel, store, era, changed: () => changed(id) });
    actors.set(id, actor);
    return actor;
  };
  const view = ({ session_id: _, titled: __, ...c }: Conversation): ConversationView => {
    const actor = actors.get(c.id);
    return {
      ...c,
      agent_name: agents.get(c.agent_key)?.displayName ?? null,
      running: actor?.running ?? false,
      waiting: actor?.queue().items.length ?? 0,
    };
  };
  const note = (c: Conversation, actor: Who, what: { event_type: string; details?: Obj }): void =>
    audit.write({
      ...what,
      resource_kind: 'conversation',
      resource_name: c.id,
      actor,
      details: { agent: c.agent_key, ...what.details },
    });
  const offered = (key: string): AgentProvider => {
    const provider = agents.get(key);
    if (provider !== undefined && provider.unlisted !== true) return provider;
    const names = listed().map((p) => p.key);
    throw new CofferError(
      'UNKNOWN_AGENT',
      names.length === 0
        ? 'There is no agent to talk to: no plugin brings one. See: coffer plugin list'
        : `There is no such agent. Agents: ${names.join(', ')}.`,
      { agents: names },
    );
  };
  const listed = (): AgentProvider[] => agents.list().filter((p) => p.unlisted !== true);

  const removed = async (c: Conversation, who: Who): Promise<void> => {
    const actor = actors.get(c.id);
    actors.delete(c.id);
    // First nobody writes any more, then the rows go, then the agent may take its time.
    const cleaned = actor?.discard();
    store.remove(c.id);
    note(c, who, { event_type: 'conversation_deleted' });
    changed(c.id);
    await cleaned;
    try {
      await agents.get(c.agent_key)?.forget?.({
        id: c.id,
        config: c.agent_config,
        ...(c.session_id !== null && { sessionId: c.session_id }),
      });
    } catch (e) {
      log.warn('an agent did not forget a deleted conversation', { agent: c.agent_key, error: String(e) });
    }
  };

  return {
    agents: () =>
      Promise.all(
        listed().map(async (p): Promise<AgentView> => {
          const [state, models] = await Promise.all([availabilityOf(p), modelsOf(p)]);
          return {
            agent_key: p.key,
            display_name: p.displayName,
            available: state.available,
            reason: state.reason ?? null,
            config_schema: p.configSchema,
            models,
          };
        }),
      ),
    async create({ agent_key, agent_config = {}, channel }, who) {
      const provider = offered(agent_key);
      const config = await agents.accept(provider, agent_config);
      folderOf(config, kernel.paths.workspace);
      const state = await availabilityOf(provider);
      if (!state.available)
        throw new CofferError(
          'AGENT_UNAVAILABLE',
          `${provider.displayName} cannot be used now: ${state.reason ?? 'it does not say why'}.`,
        );
      const c = store.create({ agent_key, agent_config: config, ...(channel !== undefined && { channel }) });
      note(c, who, {
        event_type: 'conversation_created',
        ...(channel !== undefined && { details: { channel: channel.channel_name } }),
      });
      changed(c.id);
      return view(c);
    },
    list(query) {
      const { items, total } = store.list(query);
      return { items: items.map(view), total };
    },
    get: (id) => view(found(id)),
    rename(id, title) {
      found(id);
      const line = title.replace(/\s+/gu, ' ').trim();
      store.rename(id, line === '' ? PLACEHOLDER : line, line !== '');
      changed(id);
      return view(found(id));
    },
    archive(id, archived, who) {
      const c = found(id);
      if ((c.archived_at !== null) !== archived) {
        store.archive(id, archived);
        note(c, who, { event_type: archived ? 'conversation_archived' : 'conversation_restored' });
        changed(id);
      }
      return view(found(id));
    },
    remove: (id, who) => removed(found(id), who),
    async setModel(id, model) {
      const { agent_key, agent_config } = found(id);
      const { model: _, ...rest } = agent_config;
      const config = model.trim() === '' ? rest : { ...rest, model: model.trim() };
      const provider = agents.get(agent_key);
      // The agent may have no word for a model at all.
      if (provider !== undefined) await agents.accept(provider, config);
      store.setConfig(id, config);
      changed(id);
      return view(found(id));
    },
    messages(id, page) {
      found(id);
      const growing = actors.get(id)?.growing ?? null;
      const { items, total } = store.messages(id, page);
      return { total, items: items.map((m) => (m.id === growing ? m : truthful(m))) };
    },
    tokens(id) {
      found(id);
      return store.tokens(id);
    },
    send(id, { text, from, title }) {
      if (text.trim() === '') throw new CofferError('CONFIG_INVALID', 'The message is empty. Say something.');
      const item = { id: newId(), text, from: from ?? null, ...(title !== undefined && { title }) };
      return { ...actorOf(id).send(item), item_id: item.id };
    },
    queue: (id) => actorOf(id).queue(),
    replaceQueue(id, texts, revision) {
      if (texts.some((t) => t.trim() === ''))
        throw new CofferError('CONFIG_INVALID', 'A message is empty. Leave it out.');
      const actor = actorOf(id);
      actor.replace(texts, revision);
      return actor.queue();
    },
    interrupt: (id) => actorOf(id).interrupt(),
    watch: (id, signal, lastId) => actorOf(id).bus.watch(signal, lastId),

    archiveIdle(before) {
      const idle = store.idleSince(before).filter((id) => actors.get(id)?.running !== true);
      for (const id of idle) this.archive(id, true, 'system');
      return idle.length;
    },
    async removeArchived(before) {
      const old = store.archivedBefore(before);
      for (const id of old) await removed(found(id), 'system');
      return old.length;
    },
    async close() {
      await Promise.all(
        [...actors.values()].map((a) => a.shut('coffer_stopped', 'Coffer was stopped while this turn ran.')),
      );
      actors.clear();
    },
  };

  /** A provider that throws is one that cannot be used; the others are listed all the same. */
  async function availabilityOf(p: AgentProvider): Promise<{ available: boolean; reason?: string }> {
    try {
      return await p.availability();
    } catch (e) {
      log.warn('an agent did not tell whether it is available', { agent: p.key, error: String(e) });
      return { available: false, reason: 'it failed to tell; the log of Coffer says more' };
    }
  }
  async function modelsOf(p: AgentProvider): Promise<readonly string[]> {
    try {
      return (await p.models?.()) ?? [];
    } catch (e) {
      log.warn('an agent did not tell its models', { agent: p.key, error: String(e) });
      return [];
    }
  }
}

/** A row that says it streams while nothing does could not be ended when it should have been: the disk was full, say. */
function truthful(m: Message): Message {
  return m.status === 'streaming'
    ? {
        ...m,
        status: 'failed',
        error: { code: 'not_written', message: 'The end of this answer could not be written down.' },
      }
    : m;
}
