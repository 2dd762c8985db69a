/** REST of the logs and of how long they are kept. */
import type { Route } from '../http/route.js';
import { integer, list, nullableText, object, paged, strict, text } from '../http/schemas.js';
import type { AuditFilter, AuditLog } from './audit.js';
import type { InvocationFilter, InvocationLog } from './invocations.js';
import type { Retention } from './retention.js';

const next = { type: ['integer', 'null'], description: 'Cursor of the following page' };
const ENTRY = object({
  id: integer,
  timestamp: text,
  event_type: text,
  resource_kind: nullableText,
  resource_name: nullableText,
  actor: text,
  details: { type: ['object', 'null'] },
});
const INVOCATION = object({
  id: integer,
  timestamp: text,
  server: text,
  capability_type: text,
  capability_key: text,
  duration_ms: { type: 'number' },
  status: { enum: ['ok', 'error', 'timeout', 'denied', 'cancelled'] },
  error_message: nullableText,
  session_id: nullableText,
  agent: nullableText,
  rounds: integer,
});
const days = { type: ['integer', 'null'], minimum: 1, maximum: 3650, description: 'Null keeps for ever' };
const POLICY = object({
  table_name: text,
  display_name: text,
  description: text,
  default_retention_days: integer,
  retention_days: days,
  last_pruned_at: nullableText,
  last_pruned_rows: { type: ['integer', 'null'] },
});
const status = { enum: ['ok', 'error', 'timeout', 'denied', 'cancelled'] };

export function journalRoutes(audit: AuditLog, invocations: InvocationLog, retention: Retention): Route[] {
  return [
    {
      method: 'GET',
      path: '/audit',
      summary: 'Changes, newest first',
      query: paged({ kind: text, name: text, event_type: text, actor: text }),
      response: object({ entries: list(ENTRY), next }),
      handle: ({ query }) => audit.list(query as unknown as AuditFilter),
    },
    {
      method: 'GET',
      path: '/invocations',
      summary: 'Calls through the gateway, newest first; never their arguments or results',
      query: paged({ server: text, type: { enum: ['tool', 'prompt', 'resource'] }, status }),
      response: object({ invocations: list(INVOCATION), next }),
      handle: ({ query }) => invocations.list(query as unknown as InvocationFilter),
    },
    {
      method: 'GET',
      path: '/resources/:kind/:name/invocations',
      summary: 'Calls to what one resource offers',
      query: paged({ status }),
      response: object({ invocations: list(INVOCATION), next }),
      handle: ({ params, query }) =>
        invocations.list({ ...(query as unknown as InvocationFilter), server: params['name'] }),
    },
    {
      method: 'GET',
      path: '/retention/policies',
      summary: 'How long each log is kept',
      response: object({ policies: list(POLICY) }),
      handle: () => ({ policies: retention.list() }),
    },
    {
      method: 'PATCH',
      path: '/retention/policies/:table',
      summary: 'Keep a log for so many days, or for ever',
      body: strict({ retention_days: days }),
      response: POLICY,
      errors: ['UNKNOWN_PRUNABLE_TABLE'],
      handle: ({ params, body, actor }) =>
        retention.set(params['table'] as string, body['retention_days'] as number | null, actor),
    },
    {
      method: 'POST',
      path: '/retention/prune',
      summary: 'Delete what is older than its policy allows, now',
      body: strict({ table_name: text }, ['table_name']),
      response: object({ tables: { type: 'object', additionalProperties: integer } }),
      errors: ['UNKNOWN_PRUNABLE_TABLE'],
      handle: async ({ body }) => ({ tables: await retention.prune(body['table_name'] as string | undefined) }),
    },
  ];
}
