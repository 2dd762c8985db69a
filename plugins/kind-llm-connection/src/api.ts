import { CofferError, type Actor, type Kernel, type Obj, type Route } from '@coffer/kernel';
import { KIND } from './config.js';
import type { ChangeInput, Connections, CreateInput, DraftInput } from './connections.js';
import type { Engine } from './engine.js';
import { masked } from './masked.js';
import { PRESETS } from './presets.js';
import * as schemas from './schemas.js';
import type { Switching, Wish } from './switching.js';
import type { Tables } from './tables.js';
import type { TargetList } from './targets.js';
import { agentViews, connectionView } from './view.js';

export interface ApiParts {
  kernel: Pick<Kernel, 'resources' | 'audit' | 'clock'>;
  connections: Connections;
  switching: Switching;
  engine: Engine;
  tables: Tables;
  targets: TargetList;
}

/** REST of connections, besides what every kind has. */
export function connectionRoutes(parts: ApiParts): Route[] {
  return [...ofConnections(parts), ...ofProbes(parts), ...ofKeys(parts), ...ofAgents(parts), ...ofEngine(parts)];
}

const at = '/llm-connections/:name';
const nameOf = (params: Readonly<Record<string, string>>): string => params['name'] ?? '';
const agentOf = (params: Readonly<Record<string, string>>): string => params['agent'] ?? '';
const MADE = ['CONFIG_INVALID', 'CREDENTIAL_MISSING', 'MASTER_KEY_WRONG'];
const KEYS = ['LLM_NOT_CONFIGURED', 'CREDENTIAL_MISSING', 'CREDENTIAL_LOCKED'];
const SWITCHED = ['LLM_AGENT_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'LLM_INCOMPATIBLE', ...KEYS];

function ofConnections(parts: ApiParts): Route[] {
  const { kernel, connections, switching } = parts;
  return [
    {
      method: 'GET',
      path: '/llm-connections',
      summary: 'All LLM connections: who runs on them, and how they last answered',
      response: schemas.object({ connections: schemas.list(schemas.CONNECTION) }),
      handle: () => ({ connections: connections.list().map((c) => connectionView(c, parts)) }),
    },
    {
      method: 'POST',
      path: '/llm-connections',
      summary: 'Add a connection; a key that comes with it is stored as a credential',
      body: schemas.CREATE,
      response: schemas.CONNECTION,
      status: 201,
      errors: ['RESOURCE_ALREADY_EXISTS', ...MADE],
      // The schema has checked the shape, here and below.
      handle: async ({ body, actor }) =>
        connectionView(await connections.create(body as unknown as CreateInput, actor), parts),
    },
    {
      method: 'GET',
      path: '/llm-presets',
      summary: 'Well-known endpoints',
      response: schemas.object({ presets: schemas.list(schemas.PRESET) }),
      handle: () => ({ presets: PRESETS }),
    },
    {
      method: 'GET',
      path: at,
      summary: 'One connection',
      response: schemas.CONNECTION,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => connectionView(connections.get(nameOf(params)), parts),
    },
    {
      method: 'PATCH',
      path: at,
      summary: 'Change a connection; the settings of agents that run on it follow',
      body: schemas.CHANGE,
      response: schemas.CONNECTION,
      errors: ['RESOURCE_NOT_FOUND', 'LLM_INCOMPATIBLE', ...MADE],
      handle: async ({ params, body, actor }) => {
        const name = nameOf(params);
        const change: ChangeInput = body;
        const config = connections.changed(connections.get(name), change);
        const updated = await switching.around(name, config, () => connections.update(name, change, actor));
        return connectionView(updated, parts);
      },
    },
    {
      method: 'DELETE',
      path: at,
      summary: 'Remove a connection that nobody runs on, with the key that came with it',
      errors: ['RESOURCE_NOT_FOUND', 'LLM_IN_USE'],
      handle: ({ params, actor }) => kernel.resources.remove(KIND, nameOf(params), actor),
    },
  ];
}

function ofProbes({ connections }: ApiParts): Route[] {
  const draftErrors = ['CONFIG_INVALID', 'CREDENTIAL_MISSING', 'CREDENTIAL_LOCKED'];
  return [
    {
      method: 'POST',
      path: '/llm-connections/test',
      summary: 'Test an endpoint that is not stored; nothing is',
      body: schemas.DRAFT_TEST,
      response: schemas.TESTED,
      errors: draftErrors,
      handle: ({ body, signal }) => {
        const { model, ...draft } = body as unknown as DraftInput & { model?: string };
        return connections.testDraft(draft, model, signal);
      },
    },
    {
      method: 'POST',
      path: '/llm-connections/models',
      summary: 'Models of an endpoint that is not stored; an empty list and a message when it does not tell',
      body: schemas.DRAFT,
      response: schemas.MODELS,
      errors: draftErrors,
      handle: ({ body, signal }) => connections.draftModels(body as unknown as DraftInput, signal),
    },
    {
      method: 'POST',
      path: `${at}/test`,
      summary: 'Test a connection with a small real request; the outcome is remembered',
      body: schemas.TEST,
      response: schemas.TESTED,
      errors: ['RESOURCE_NOT_FOUND', 'CREDENTIAL_MISSING', 'CREDENTIAL_LOCKED'],
      handle: ({ params, body, signal }) =>
        connections.test(nameOf(params), body['model'] as string | undefined, signal),
    },
    {
      method: 'GET',
      path: `${at}/models`,
      summary: 'Models of a connection; an empty list and a message when it does not tell',
      response: schemas.MODELS,
      errors: ['RESOURCE_NOT_FOUND', 'CREDENTIAL_MISSING', 'CREDENTIAL_LOCKED'],
      handle: ({ params, signal }) => connections.models(nameOf(params), signal),
    },
  ];
}

/** Agents ask for the key every few minutes: one line an hour says that they do. Milliseconds. */
const KEY_AUDIT_MS = 3_600_000;

function ofKeys({ kernel, connections, tables, targets }: ApiParts): Route[] {
  const told = new Map<string, number>();
  const read = (connection: string, actor: Actor): Obj => {
    const { key } = connections.resolve(connection);
    if (key === undefined)
      throw new CofferError('LLM_NOT_CONFIGURED', 'That connection has no key, and its endpoint needs none.');
    const by = `${connection} ${actor}`;
    const now = kernel.clock.now();
    if (now - (told.get(by) ?? -Infinity) >= KEY_AUDIT_MS) {
      told.set(by, now);
      kernel.audit.write({ event_type: 'llm_key_read', resource_kind: KIND, resource_name: connection, actor });
    }
    return { key };
  };
  return [
    {
      method: 'GET',
      path: `${at}/key`,
      summary: 'The key of a connection, for the program that runs on it; audited once an hour',
      response: schemas.KEY,
      errors: ['RESOURCE_NOT_FOUND', ...KEYS],
      handle: ({ params, actor }) => read(nameOf(params), actor),
    },
    {
      method: 'GET',
      path: '/llm-agents/:agent/key',
      summary: 'The key of what an agent runs on; audited once an hour',
      response: schemas.KEY,
      errors: ['LLM_AGENT_NOT_FOUND', ...KEYS],
      handle: ({ params, actor }) => {
        const { agent, label } = targets.get(agentOf(params));
        const choice = tables.choice(agent);
        if (choice === undefined) throw new CofferError('LLM_NOT_CONFIGURED', `${label} runs on its own login.`);
        return read(choice.connection, actor);
      },
    },
  ];
}

function ofAgents(parts: ApiParts): Route[] {
  const { switching } = parts;
  return [
    {
      method: 'GET',
      path: '/llm-agents',
      summary: 'Which agent runs on what, and what it could run on',
      response: schemas.object({ agents: schemas.list(schemas.AGENT) }),
      handle: () => ({ agents: agentViews(parts) }),
    },
    {
      method: 'POST',
      path: '/llm-agents/:agent/preview',
      summary: 'What a switch would change in the agent’s own files; nothing is written',
      body: schemas.WISH,
      response: schemas.CHANGES,
      errors: SWITCHED,
      handle: async ({ params, body }) => ({
        changes: masked(await switching.preview(agentOf(params), body as unknown as Wish)),
      }),
    },
    {
      method: 'PUT',
      path: '/llm-agents/:agent',
      summary: 'Switch an agent to a connection, or with null back to its own login',
      body: schemas.WISH,
      response: schemas.CHANGES,
      errors: SWITCHED,
      handle: async ({ params, body, actor }) => ({
        changes: masked(await switching.choose(agentOf(params), body as unknown as Wish, actor)),
      }),
    },
    {
      method: 'POST',
      path: `${at}/activate`,
      summary: 'Switch every agent that the connection fits',
      body: schemas.MODELS_OF_AGENT,
      response: schemas.ACTIVATED,
      errors: ['RESOURCE_NOT_FOUND', ...KEYS],
      handle: ({ params, body, actor }) => switching.activate(nameOf(params), body, actor),
    },
  ];
}

function ofEngine({ engine }: ApiParts): Route[] {
  const view = (): Obj => ({ connection: null, model: null, ...engine.choice() });
  return [
    {
      method: 'GET',
      path: '/llm-engine',
      summary: 'What Coffer itself runs on, for coffer__ask; null when nothing is chosen',
      response: schemas.ENGINE,
      handle: view,
    },
    {
      method: 'PUT',
      path: '/llm-engine',
      summary: 'Choose what Coffer itself runs on, or with null nothing',
      body: schemas.ENGINE_WISH,
      response: schemas.ENGINE,
      errors: ['RESOURCE_NOT_FOUND', 'CONFIG_INVALID', ...KEYS],
      handle: ({ body, actor }) => {
        const { connection, model = null } = body as { connection: string | null; model?: string | null };
        if (connection !== null && model === null)
          throw new CofferError('CONFIG_INVALID', 'Name the model as well.', { path: '/model' });
        engine.choose(connection === null ? null : { connection, model: model as string }, actor);
        return view();
      },
    },
  ];
}
