/** REST of the daemon itself: status, shutdown, token, live events, the browser's login, the generated description. */
import type { Route, RouteRequest } from './route.js';
import { anyObject, integer, object, strict, text } from './schemas.js';
import type { Live } from './live.js';
import type { JsonSchema, Obj } from '../json.js';

export interface DaemonFacts {
  status: () => Obj;
  shutdown: () => void;
  restart: () => void;
  rotateToken: (request: RouteRequest) => string;
  issueLogin: () => { code: string; url: string };
  describe: () => Obj;
}

const STATUS: JsonSchema = object({
  status: { enum: ['starting', 'ready', 'draining'] },
  version: text,
  pid: integer,
  port: integer,
  started_at: text,
  resources: {
    type: 'object',
    description: 'By kind',
    additionalProperties: object({ registered: integer, enabled: integer, healthy: integer, failing: integer }),
  },
  plugins: object({ active: integer, degraded: integer, failed: integer, disabled: integer }),
});

export function daemonRoutes(facts: DaemonFacts, live: Live): Route[] {
  return [
    {
      method: 'GET',
      path: '/daemon/status',
      summary: 'Is the daemon ready? The one route without a token; nothing secret is in it.',
      open: true,
      response: STATUS,
      handle: () => facts.status(),
    },
    { method: 'POST', path: '/daemon/shutdown', summary: 'Stop the daemon', handle: () => facts.shutdown() },
    {
      method: 'POST',
      path: '/daemon/restart',
      summary: 'Stop the daemon and start it again, on the same port',
      handle: () => facts.restart(),
    },
    {
      method: 'POST',
      path: '/daemon/rotate-token',
      summary: 'A new token; the old one and every browser session end at once',
      response: object({ token: text }),
      handle: (request) => ({ token: facts.rotateToken(request) }),
    },
    {
      method: 'POST',
      path: '/ui/login',
      summary: 'A one-time address for a browser, good for a minute',
      response: object({ code: text, url: text }),
      handle: () => facts.issueLogin(),
    },
    {
      method: 'GET',
      path: '/openapi.json',
      summary: 'This description',
      response: anyObject,
      handle: () => facts.describe(),
    },
    {
      method: 'GET',
      path: '/events',
      summary: 'What happens, live (server-sent events). Last-Event-ID as a query picks up where a reader left.',
      query: strict({ last_event_id: { type: 'integer', minimum: 0 } }, ['last_event_id']),
      stream: true,
      response: anyObject,
      handle: ({ signal, query }) => live.watch(signal, query['last_event_id'] as number | undefined),
    },
  ];
}
