import type { Route } from '@coffer/kernel';
import type { Clients } from '../clients/connect.js';
import { param } from './params.js';
import * as schemas from './schemas.js';

export interface ClientParts {
  clients: Clients;
}

const ERRORS = [
  'CLIENT_NOT_FOUND',
  'AGENT_UNSUPPORTED',
  'AGENT_FILE_INVALID',
  'AGENT_FILE_UNEDITABLE',
  'FILE_CHANGED',
  'FILE_READ_ONLY',
  'FILE_UNREADABLE',
];

export function clientRoutes({ clients }: ClientParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/clients',
      summary: 'MCP clients that Coffer can connect itself to, and whether it is',
      response: schemas.object({ clients: schemas.list(schemas.CLIENT) }),
      handle: () => ({ clients: clients.list() }),
    },
    {
      method: 'POST',
      path: '/clients/:client/connect',
      summary: "Put Coffer among a client's MCP servers; dry_run only says what would change",
      body: schemas.DRY,
      response: schemas.CONNECTED,
      errors: ERRORS,
      handle: (r) => clients.connect(param(r, 'client'), r.body['dry_run'] === true, r.actor),
    },
    {
      method: 'POST',
      path: '/clients/:client/disconnect',
      summary: "Take Coffer's entry out of a client's settings, which are then what they would be without it",
      body: schemas.DRY,
      response: schemas.CONNECTED,
      errors: ERRORS,
      handle: (r) => clients.disconnect(param(r, 'client'), r.body['dry_run'] === true, r.actor),
    },
  ];
}
