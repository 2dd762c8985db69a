import type { Route } from '@coffer/kernel';
import type { Agents } from '../agents.js';
import type { NativePlugins } from '../native-plugins.js';
import type { SessionContext } from '../session-context.js';
import { AT, nameOf, OF_AGENT, param, WRITES } from './params.js';
import * as schemas from './schemas.js';

export interface WiringParts {
  agents: Agents;
  context: SessionContext;
  plugins: NativePlugins;
}

const HOOK = `${AT}/hook-install`;
const PLUGIN = `${AT}/plugins/:plugin`;

export function wiringRoutes({ agents, context, plugins }: WiringParts): Route[] {
  return [
    {
      method: 'GET',
      path: HOOK,
      summary: 'Are new sessions told what Coffer has to say?',
      response: schemas.HOOK_STATUS,
      errors: [...OF_AGENT, 'AGENT_FILE_INVALID', 'FILE_UNREADABLE'],
      handle: (r) => context.status(nameOf(r)),
    },
    {
      method: 'POST',
      path: HOOK,
      summary: "Add Coffer's hook for the start of sessions, beside those that are there",
      response: schemas.HOOK_STATUS,
      errors: WRITES,
      handle: (r) => context.install(nameOf(r), r.actor),
    },
    {
      method: 'DELETE',
      path: HOOK,
      summary: "Take Coffer's hook out; that it is not there is no error",
      response: schemas.HOOK_STATUS,
      errors: WRITES,
      handle: (r) => context.uninstall(nameOf(r), r.actor),
    },
    {
      method: 'GET',
      path: `${AT}/session-context`,
      summary: 'What a session that starts in a folder is told',
      query: schemas.CWD,
      response: schemas.object({ text: { type: 'string' } }),
      errors: ['RESOURCE_NOT_FOUND', 'AGENT_UNSUPPORTED', 'BAD_REQUEST'],
      handle: (r) => {
        // A name that nobody has is told at once, not served as if it were one.
        agents.get(nameOf(r));
        return { text: context.tell(r.query['cwd'] as string | undefined, r.actor) };
      },
    },
    {
      method: 'GET',
      path: `${AT}/plugins`,
      summary: "Plugins in the agent's own sense",
      response: schemas.object({ items: schemas.list(schemas.PLUGIN) }),
      errors: [...OF_AGENT, 'AGENT_FILE_INVALID', 'FILE_UNREADABLE'],
      handle: (r) => ({ items: plugins.list(nameOf(r)) }),
    },
    {
      method: 'PATCH',
      path: PLUGIN,
      summary: "Switch one of the agent's own plugins",
      body: schemas.ENABLED,
      response: schemas.PLUGIN,
      errors: [...WRITES, 'AGENT_ENTRY_NOT_FOUND'],
      handle: (r) => plugins.toggle(nameOf(r), param(r, 'plugin'), r.body['enabled'] === true, r.actor),
    },
    {
      method: 'DELETE',
      path: PLUGIN,
      summary: "Take one of the agent's own plugins out, by the agent's own program",
      errors: [...WRITES, 'AGENT_ENTRY_NOT_FOUND', 'AGENT_PROGRAM_FAILED'],
      handle: (r) => plugins.uninstall(nameOf(r), param(r, 'plugin'), r.actor),
    },
  ];
}
