/** REST of chat. */
import type { Obj, Route, RouteRequest } from '@coffer/kernel';
import { QUEUE_LIMIT } from './actor.js';
import { MESSAGE_CHARS, type Chat } from './chat.js';

const BASE = '/chat';
const text = { type: 'string' };
const integer = { type: 'integer' };
const message = { type: 'string', minLength: 1, maxLength: MESSAGE_CHARS };
const strict = (properties: Obj, required: string[] = Object.keys(properties)): Obj => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const listOf = (items: Obj): Obj => ({ type: 'array', items });
const CONVERSATION: Obj = {
  type: 'object',
  required: ['id', 'agent_key', 'title', 'agent_config', 'archived_at', 'channel_name', 'created_at', 'updated_at'],
};
const QUEUE: Obj = {
  type: 'object',
  required: ['pending', 'items', 'paused', 'revision'],
  properties: {
    pending: listOf(text),
    items: listOf({ type: 'object' }),
    paused: { type: 'boolean' },
    revision: integer,
  },
};
const CONFIG: Obj = { type: 'object', required: ['cwd', 'model'], properties: { cwd: {}, model: {} } };

export function chatRoutes(chat: Chat): Route[] {
  const id = ({ params }: RouteRequest): string => params.id ?? '';
  const known = ['CONVERSATION_NOT_FOUND'];
  const configOf = (conversation: string): Obj => {
    const { agent_config } = chat.get(conversation);
    return { ...agent_config, cwd: agent_config.cwd ?? null, model: agent_config.model ?? null };
  };

  return [
    {
      method: 'GET',
      path: `${BASE}/agents`,
      summary: 'Agents to talk to, whether they can be used now, and what each wants to know',
      response: strict({ agents: listOf({ type: 'object' }) }),
      handle: async () => ({ agents: await chat.agents() }),
    },
    {
      method: 'GET',
      path: `${BASE}/conversations`,
      summary: 'Conversations, those with the newest message first',
      query: strict(
        {
          archived: { type: 'boolean', default: false },
          search: { type: 'string', maxLength: 200 },
          limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
          offset: { type: 'integer', minimum: 0, default: 0 },
        },
        [],
      ),
      response: strict({ conversations: listOf(CONVERSATION), total: integer }),
      handle: ({ query }) => {
        const { items, total } = chat.list({
          archived: query.archived === true,
          limit: query.limit as number,
          offset: query.offset as number,
          ...(typeof query.search === 'string' && { search: query.search }),
        });
        return { conversations: items, total };
      },
    },
    {
      method: 'POST',
      path: `${BASE}/conversations`,
      summary: 'Begin a conversation with an agent',
      body: strict({ agent_key: { type: 'string', minLength: 1, maxLength: 100 }, agent_config: { type: 'object' } }, [
        'agent_key',
      ]),
      response: CONVERSATION,
      status: 201,
      errors: ['UNKNOWN_AGENT', 'AGENT_CONFIG_REJECTED', 'AGENT_UNAVAILABLE'],
      handle: ({ body, actor }) =>
        chat.create(
          { agent_key: body.agent_key as string, agent_config: (body.agent_config as Obj | undefined) ?? {} },
          actor,
        ),
    },
    {
      method: 'GET',
      path: `${BASE}/conversations/:id`,
      summary: 'One conversation, with its queue and the tokens it used',
      response: CONVERSATION,
      errors: known,
      handle: (r) => ({ ...chat.get(id(r)), tokens: chat.tokens(id(r)), queue: chat.queue(id(r)) }),
    },
    {
      method: 'PATCH',
      path: `${BASE}/conversations/:id`,
      summary: 'Rename a conversation; an empty title is made anew by the next first message',
      body: strict({ title: { type: 'string', maxLength: 200 } }),
      response: CONVERSATION,
      errors: known,
      handle: (r) => chat.rename(id(r), r.body.title as string),
    },
    {
      method: 'DELETE',
      path: `${BASE}/conversations/:id`,
      summary: 'Delete a conversation with its messages; a turn that runs is dropped',
      errors: known,
      handle: (r) => chat.remove(id(r), r.actor),
    },
    ...(['archive', 'unarchive'] as const).map((verb): Route => ({
      method: 'POST',
      path: `${BASE}/conversations/:id/${verb}`,
      summary: verb === 'archive' ? 'Put a conversation into the archive' : 'Take a conversation out of the archive',
      response: CONVERSATION,
      errors: known,
      handle: (r) => chat.archive(id(r), verb === 'archive', r.actor),
    })),
    {
      method: 'GET',
      path: `${BASE}/conversations/:id/agent-config`,
      summary: 'Where the agent works, and on which model',
      response: CONFIG,
      errors: known,
      handle: (r) => configOf(id(r)),
    },
    {
      method: 'PATCH',
      path: `${BASE}/conversations/:id/agent-config`,
      summary: 'Set the model of the turns to come; empty: the agent’s own. The rest of the config stays',
      body: strict({ model: { type: ['string', 'null'], maxLength: 200 } }),
      response: CONFIG,
      errors: [...known, 'AGENT_CONFIG_REJECTED'],
      handle: async (r) => {
        await chat.setModel(id(r), (r.body.model as string | null) ?? '');
        return configOf(id(r));
      },
    },
    {
      method: 'GET',
      path: `${BASE}/conversations/:id/messages`,
      summary: 'Messages in order: the newest, or those before a place in the sequence',
      query: strict(
        {
          limit: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
          before: { type: 'integer', minimum: 0 },
        },
        [],
      ),
      response: strict({ messages: listOf({ type: 'object' }), total: integer }),
      errors: known,
      handle: (r) => {
        const before = r.query.before as number | undefined;
        const { items, total } = chat.messages(id(r), {
          limit: r.query.limit as number,
          ...(before !== undefined && { before }),
        });
        return { messages: items, total };
      },
    },
    {
      method: 'POST',
      path: `${BASE}/conversations/:id/messages`,
      summary: 'Say something: it starts a turn, or waits for the one that runs. The answer comes over the events',
      body: strict({ text: message }),
      response: strict({ queued: { type: 'boolean' }, turn_id: { type: ['string', 'null'] }, item_id: text }),
      status: 202,
      errors: [...known, 'AGENT_UNAVAILABLE', 'AGENT_CONFIG_REJECTED', 'QUEUE_FULL', 'VAULT_UNWRITABLE'],
      handle: (r) => chat.send(id(r), { text: r.body.text as string }),
    },
    {
      method: 'GET',
      path: `${BASE}/conversations/:id/events`,
      summary:
        'The conversation, live (server-sent events): the turn that runs so far, then whatever comes. Last-Event-ID, also as a query, picks up where a reader left',
      query: strict({ last_event_id: { type: 'string', maxLength: 100 } }, []),
      response: { type: 'object' },
      stream: true,
      errors: known,
      handle: (r) => chat.watch(id(r), r.signal, r.query.last_event_id as string | undefined),
    },
    {
      method: 'PUT',
      path: `${BASE}/conversations/:id/pending`,
      summary: 'Replace what waits: drop, reorder, resume. With `revision` only if the queue is still that one',
      body: strict({ pending: { type: 'array', maxItems: QUEUE_LIMIT, items: message }, revision: integer }, [
        'pending',
      ]),
      response: QUEUE,
      errors: [...known, 'RESOURCE_STALE'],
      handle: (r) => chat.replaceQueue(id(r), r.body.pending as string[], r.body.revision as number | undefined),
    },
    {
      method: 'POST',
      path: `${BASE}/conversations/:id/interrupt`,
      summary: 'Stop the turn that runs; what it had done is kept, what waits is held back',
      errors: known,
      handle: (r) => chat.interrupt(id(r)),
    },
  ];
}
