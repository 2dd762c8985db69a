import type { Kernel, Obj, Route } from '@coffer/kernel';
import type { Agents } from '../agents.js';
import { browse } from '../browse.js';
import { KIND } from '../config.js';
import { usualDir } from '../places.js';
import type { SeesWhat } from '../sees.js';
import { fullViewOf, viewOf } from '../view.js';
import { AT, nameOf } from './params.js';
import * as schemas from './schemas.js';

export interface AgentParts {
  kernel: Pick<Kernel, 'resources'>;
  agents: Agents;
  sees: SeesWhat;
}

const REFUSED = ['AGENT_INVALID', 'AGENT_DIR_TAKEN', 'RESOURCE_ALREADY_EXISTS', 'CONFIG_INVALID'];

export function agentRoutes({ kernel, agents, sees }: AgentParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/agents',
      summary: 'All registered agents',
      response: schemas.object({ items: schemas.list(schemas.AGENT) }),
      handle: () => ({ items: agents.list().map((r) => viewOf(r, agents)) }),
    },
    {
      method: 'POST',
      path: '/agents',
      summary:
        'Register an agent. Its folder is looked at; nothing of it is changed but that a folder for skills is made',
      body: schemas.CREATE,
      response: schemas.AGENT,
      status: 201,
      errors: REFUSED,
      // The schema has checked the shape, here and below.
      handle: async ({ body, actor }) => viewOf(await agents.register(body as Obj & { type: string }, actor), agents),
    },
    {
      method: 'GET',
      path: '/agents/candidates',
      summary: 'Agents that are installed here and not registered; a look, nothing is kept of it',
      response: schemas.object({ candidates: schemas.list(schemas.CANDIDATE) }),
      handle: () => ({ candidates: agents.candidates() }),
    },
    {
      method: 'GET',
      path: '/agents/types',
      summary: 'The types of agents that plugins know',
      response: schemas.object({ types: schemas.list(schemas.TYPE) }),
      handle: () => ({
        types: agents.types
          .all()
          .map((d) => ({ type: d.type, name: d.name, label: d.label, default_dir: usualDir(d) })),
      }),
    },
    {
      method: 'GET',
      path: AT,
      summary: 'One agent, with the version of its program',
      response: schemas.AGENT,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: (r) => fullViewOf(kernel.resources.get(KIND, nameOf(r)), agents),
    },
    {
      method: 'PATCH',
      path: AT,
      summary: 'Change where its settings are, its description, or whether it keeps a memory of its own',
      body: schemas.CHANGE,
      response: schemas.AGENT,
      errors: ['RESOURCE_NOT_FOUND', 'AGENT_UNSUPPORTED', ...REFUSED],
      handle: async (r) => viewOf(await agents.update(nameOf(r), r.body, r.actor), agents),
    },
    {
      method: 'DELETE',
      path: AT,
      summary: "Forget an agent: Coffer's own settings and skills are taken out of it, the rest stays",
      errors: ['RESOURCE_NOT_FOUND'],
      handle: (r) => kernel.resources.remove(KIND, nameOf(r), r.actor),
    },
    {
      method: 'GET',
      path: `${AT}/sees`,
      summary: 'What a new session of this agent gets from Coffer, and what it does not get and why',
      query: schemas.CWD,
      response: schemas.SEES,
      errors: ['RESOURCE_NOT_FOUND', 'AGENT_UNSUPPORTED'],
      handle: (r) => sees.of(nameOf(r), r.query['cwd'] as string | undefined, r.signal),
    },
    {
      method: 'GET',
      path: '/fs/browse',
      summary: 'Folders below a folder of this machine; the own one without a path',
      query: schemas.BROWSE,
      response: schemas.BROWSED,
      errors: ['AGENT_INVALID', 'NOT_FOUND'],
      handle: ({ query }) => browse(query['path'] as string | undefined),
    },
  ];
}
