import type { Route } from '@coffer/kernel';
import type { Adoption } from '../mcp/adopt.js';
import type { NativeEntries } from '../mcp/entries.js';
import type { OwnEntry } from '../mcp/own-entry.js';
import { AT, nameOf, OF_AGENT, param, WRITES } from './params.js';
import * as schemas from './schemas.js';

export interface McpParts {
  ownEntry: OwnEntry;
  entries: NativeEntries;
  adoption: Adoption;
}

const INSTALL = `${AT}/mcp-install`;
const ENTRY = `${AT}/mcp-entries/:entry`;

export function mcpRoutes({ ownEntry, entries, adoption }: McpParts): Route[] {
  return [
    {
      method: 'GET',
      path: INSTALL,
      summary: "Is Coffer among the agent's MCP servers?",
      response: schemas.MCP_STATUS,
      errors: [...OF_AGENT, 'AGENT_FILE_INVALID', 'FILE_UNREADABLE'],
      handle: (r) => ownEntry.status(nameOf(r)),
    },
    {
      method: 'POST',
      path: INSTALL,
      summary: "Put Coffer among the agent's MCP servers, or renew its entry",
      response: schemas.MCP_STATUS,
      errors: WRITES,
      handle: (r) => ownEntry.install(nameOf(r), r.actor),
    },
    {
      method: 'DELETE',
      path: INSTALL,
      summary: "Take Coffer's entry out; that it is not there is no error",
      response: schemas.MCP_STATUS,
      errors: WRITES,
      handle: (r) => ownEntry.uninstall(nameOf(r), r.actor),
    },
    {
      method: 'GET',
      path: `${AT}/mcp-entries`,
      summary: "The MCP servers in the agent's own settings, without a value of theirs that may be secret",
      response: schemas.ENTRIES,
      errors: OF_AGENT,
      handle: (r) => entries.list(nameOf(r)),
    },
    {
      method: 'DELETE',
      path: ENTRY,
      summary: "Take a server out of the agent's own settings",
      query: schemas.SOURCE,
      errors: [...WRITES, 'AGENT_ENTRY_NOT_FOUND', 'BAD_REQUEST'],
      handle: (r) => entries.remove(nameOf(r), param(r, 'entry'), r.query['source'] as string | undefined, r.actor),
    },
    {
      method: 'PATCH',
      path: ENTRY,
      summary: "Switch a server in the agent's own settings, where the agent has such a switch",
      body: schemas.TOGGLE,
      response: schemas.ENTRY,
      errors: [...WRITES, 'AGENT_ENTRY_NOT_FOUND', 'BAD_REQUEST'],
      handle: (r) =>
        entries.toggle(
          nameOf(r),
          param(r, 'entry'),
          r.body['enabled'] === true,
          r.body['source'] as string | undefined,
          r.actor,
        ),
    },
    {
      method: 'POST',
      path: `${ENTRY}/adopt`,
      summary: 'Move a server into the vault: its secrets become credentials, and only then the entry goes',
      body: schemas.ADOPT,
      response: schemas.ADOPTED,
      status: 201,
      errors: [
        ...WRITES,
        'AGENT_ENTRY_NOT_FOUND',
        'BAD_REQUEST',
        'RESOURCE_ALREADY_EXISTS',
        'ADOPT_SECRET_UNRESOLVED',
        'CONFIG_INVALID',
      ],
      // The schema has checked the shape.
      handle: (r) => adoption.adopt(nameOf(r), param(r, 'entry'), r.body, r.actor),
    },
  ];
}
