import type { JsonSchema, ListType, Obj } from '@coffer/kernel';
import type { Catalogue } from './catalogue.js';
import type { Finding } from './findings.js';
import type { Preferences } from './preferences.js';

const text: JsonSchema = { type: ['string', 'null'] };
const view = (properties: JsonSchema): JsonSchema => ({ type: 'array', items: { type: 'object', properties } });

export const capabilityListSchema: JsonSchema = {
  type: 'object',
  required: ['server_name', 'tools', 'resources', 'prompts', 'fetched_at', 'from_cache'],
  properties: {
    server_name: { type: 'string' },
    tools: view({
      prefixed_name: text,
      original_name: text,
      description: text,
      input_schema: { type: 'object' },
      enabled: { type: 'boolean' },
    }),
    resources: view({
      prefixed_uri: text,
      original_uri: text,
      name: text,
      description: text,
      mime_type: text,
      template: { type: 'boolean' },
      enabled: { type: 'boolean' },
    }),
    prompts: view({
      prefixed_name: text,
      original_name: text,
      description: text,
      arguments: { type: 'array' },
      enabled: { type: 'boolean' },
    }),
    fetched_at: { type: 'string' },
    from_cache: { type: 'boolean' },
    findings: { type: 'array', items: { type: 'object' } },
  },
};

/** Everything a server has, what is switched off included. */
export function capabilityList(
  server: string,
  { lists, fetchedAt }: Catalogue,
  cached: boolean,
  preferences: Preferences,
  findings: Finding[],
): Obj {
  const resource = (list: ListType, key: 'uri' | 'uriTemplate'): Obj[] =>
    lists[list].map((r) => ({
      prefixed_uri: `coffer://${server}/${r[key]}`,
      original_uri: r[key],
      name: r.name ?? null,
      description: r.description ?? null,
      mime_type: r.mimeType ?? null,
      template: key === 'uriTemplate',
      enabled: preferences.enabled(server, 'resource', r[key]),
    }));
  return {
    server_name: server,
    tools: lists.tools.map((t) => ({
      prefixed_name: `${server}__${t.name}`,
      original_name: t.name,
      description: t.description ?? null,
      input_schema: t.inputSchema,
      enabled: preferences.enabled(server, 'tool', t.name),
    })),
    resources: [...resource('resources', 'uri'), ...resource('resourceTemplates', 'uriTemplate')],
    prompts: lists.prompts.map((p) => ({
      prefixed_name: `${server}__${p.name}`,
      original_name: p.name,
      description: p.description ?? null,
      arguments: ((p.arguments ?? []) as Obj[]).map((a) => ({
        name: a.name,
        description: a.description ?? null,
        required: a.required === true,
      })), // MCP's shape
      enabled: preferences.enabled(server, 'prompt', p.name),
    })),
    fetched_at: new Date(fetchedAt).toISOString(),
    from_cache: cached,
    findings,
  };
}
