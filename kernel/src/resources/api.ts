/** REST of kinds and resources. */
import type { Route } from '../http/route.js';
import { anyObject, flag, list, nullableText, object, strict, text } from '../http/schemas.js';
import type { JsonSchema, Obj } from '../json.js';
import { CofferError } from '../errors.js';
import type { Kinds } from './kinds.js';
import type { Resource, Resources } from './types.js';

const scope: JsonSchema = {
  type: ['object', 'null'],
  description: 'null: everywhere. Keys: machine ids or *; values: * or a list of agent names.',
};
export const RESOURCE: JsonSchema = object(
  {
    ref: text,
    kind: text,
    name: text,
    description: nullableText,
    config: anyObject,
    enabled: flag,
    scope,
    created_at: text,
    updated_at: text,
    status: object({ status: text }),
  },
  ['status'],
);
const KIND = object({
  kind: text,
  label: object({ one: text, many: text }),
  plugin: text,
  scope_axes: list(text),
  creation: text,
  schema: anyObject,
});

export function resourceRoutes(resources: Resources, kinds: Kinds): Route[] {
  const withStatus = async (r: Resource): Promise<Obj> => ({ ...r, status: await resources.status(r) });
  /** A kind that makes its resources itself does so through its own routes. */
  const generic = (name: string): void => {
    const kind = kinds.require(name);
    if (kind.creation === 'own')
      throw new CofferError(
        'GENERIC_CREATE_NOT_ALLOWED',
        `${kind.label.many} are made and changed by their own commands, not by the generic ones.`,
        { kind: kind.kind },
      );
  };
  const at = '/resources/:kind/:name';
  return [
    {
      method: 'GET',
      path: '/kinds',
      summary: 'Kinds of resources, with the schemas of their configs',
      response: object({ kinds: list(KIND) }),
      handle: () => ({
        kinds: kinds.list().map((k) => ({
          kind: k.kind,
          label: k.label,
          plugin: k.plugin,
          scope_axes: k.scopeAxes ?? [],
          creation: k.creation ?? 'generic',
          schema: k.schema,
        })),
      }),
    },
    {
      method: 'GET',
      path: '/resources',
      summary: 'All resources with their status',
      query: strict({ kind: text }, ['kind']),
      response: object({ resources: list(RESOURCE) }),
      handle: async ({ query }) => ({
        resources: await Promise.all(resources.list(query['kind'] as string | undefined).map(withStatus)),
      }),
    },
    {
      method: 'POST',
      path: '/resources',
      summary: 'Register a resource',
      body: strict({ kind: text, name: text, description: nullableText, config: anyObject }, ['description']),
      response: RESOURCE,
      status: 201,
      errors: [
        'UNKNOWN_KIND',
        'CREDENTIAL_MISSING',
        'RESOURCE_ALREADY_EXISTS',
        'GENERIC_CREATE_NOT_ALLOWED',
        'CONFIG_INVALID',
      ],
      handle: async ({ body, actor }) => {
        generic(body['kind'] as string);
        return withStatus(await resources.create(body as { kind: string; name: string; config: Obj }, actor));
      },
    },
    {
      method: 'GET',
      path: at,
      summary: 'One resource with its status',
      response: RESOURCE,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => withStatus(resources.get(params['kind'] as string, params['name'] as string)),
    },
    {
      method: 'PATCH',
      path: at,
      summary:
        'Change description or config. With expected_updated_at the change is refused when somebody else was faster.',
      body: strict({ description: nullableText, config: anyObject, expected_updated_at: text }, [
        'description',
        'config',
        'expected_updated_at',
      ]),
      response: RESOURCE,
      errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_STALE', 'CONFIG_INVALID', 'GENERIC_CREATE_NOT_ALLOWED'],
      handle: async ({ params, body, actor }) => {
        generic(params['kind'] as string);
        const change: { description?: string | null; config?: Obj; expectedUpdatedAt?: string } = {};
        if ('description' in body) change.description = body['description'] as string | null;
        if ('config' in body) change.config = body['config'] as Obj;
        if ('expected_updated_at' in body) change.expectedUpdatedAt = body['expected_updated_at'] as string;
        return withStatus(await resources.update(params['kind'] as string, params['name'] as string, change, actor));
      },
    },
    {
      method: 'DELETE',
      path: at,
      summary: 'Delete a resource; its audit rows and invocations stay',
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params, actor }) => resources.remove(params['kind'] as string, params['name'] as string, actor),
    },
    ...(['enable', 'disable'] as const).map((verb): Route => ({
      method: 'POST',
      path: `${at}/${verb}`,
      summary: verb === 'enable' ? 'Enable a resource' : 'Disable a resource',
      response: RESOURCE,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ params, actor }) =>
        withStatus(
          await resources.setEnabled(params['kind'] as string, params['name'] as string, verb === 'enable', actor),
        ),
    })),
    {
      method: 'GET',
      path: `${at}/scope`,
      summary: 'Who may see it: machine x agent',
      response: object({ scope, axes: list(text) }),
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => {
        const r = resources.get(params['kind'] as string, params['name'] as string);
        return { scope: r.scope, axes: kinds.get(r.kind)?.scopeAxes ?? [] };
      },
    },
    {
      method: 'PUT',
      path: `${at}/scope`,
      summary: 'Set who may see it',
      body: strict({ scope }),
      response: RESOURCE,
      errors: ['RESOURCE_NOT_FOUND', 'SCOPE_INVALID'],
      handle: async ({ params, body, actor }) =>
        withStatus(await resources.setScope(params['kind'] as string, params['name'] as string, body['scope'], actor)),
    },
    {
      method: 'GET',
      path: `${at}/status`,
      summary: 'Health of a resource, without side effects',
      response: object({ status: text }),
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => resources.status(resources.get(params['kind'] as string, params['name'] as string)),
    },
  ];
}
