import type { Obj } from '../json.js';
import { BASE, type MountedRoute } from './app.js';

const ERROR: Obj = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
    },
  },
};

/** OpenAPI 3.1 (whose schemas are JSON Schema 2020-12) from the declarations of the routes. */
export function openapi(routes: readonly MountedRoute[], version: string): Obj {
  const paths: Obj = {};
  for (const r of routes) {
    const path = BASE + r.path.replace(/:([a-zA-Z_]+)/g, '{$1}');
    const params = [...r.path.matchAll(/:([a-zA-Z_]+)/g)].map((m) => ({
      name: m[1],
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const query = Object.entries((r.query?.['properties'] ?? {}) as Obj).map(([name, schema]) => ({
      name,
      in: 'query',
      required: ((r.query?.['required'] ?? []) as string[]).includes(name),
      schema: schema as Obj,
    }));
    const status = String(r.status ?? (r.response === undefined ? 204 : 200));
    const media = r.stream === true ? 'text/event-stream' : 'application/json';
    paths[path] ??= {};
    paths[path][r.method.toLowerCase()] = {
      summary: r.summary,
      tags: [r.plugin],
      parameters: [...params, ...query],
      ...(r.body === undefined
        ? {}
        : { requestBody: { required: true, content: { 'application/json': { schema: r.body } } } }),
      responses: {
        [status]:
          r.response === undefined
            ? { description: 'Done' }
            : { description: 'Answer', content: { [media]: { schema: r.response } } },
        default: {
          description: ['Error', ...(r.errors ?? [])].join(', '),
          content: { 'application/json': { schema: ERROR } },
        },
      },
      ...(r.open === true ? { security: [] } : {}),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Coffer', version, description: 'The management API of the Coffer daemon. Loopback only.' },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Coffer-Token' } } },
    paths,
  };
}
