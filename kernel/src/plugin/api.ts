/** REST of plugins. */
import type { Route } from '../http/route.js';
import { anyObject, flag, integer, list, nullableText, object, strict, text } from '../http/schemas.js';
import type { Host } from './host.js';
import type { Installer } from './install.js';
import { viewOf, type PluginRecord } from './record.js';
import { uiOf } from './ui.js';

const PLUGIN = object({
  name: text,
  version: text,
  description: text,
  source: text,
  state: { enum: ['active', 'degraded', 'failed', 'disabled'] },
  note: text,
  start_ms: { type: ['number', 'null'] },
  requires: list(text),
  kinds: list(text),
  tools: list(text),
  routes: list(text),
  agents: list(text),
  services: list(text),
  taps: list(
    object({ hook: text, stage: text, calls: integer, errors: integer, ms: { type: 'number' }, active: flag }),
  ),
  effects: list(text),
  ui: { type: ['object', 'null'], description: 'Module, pages and slots for the web UI' },
  errors: list(object({ where: text, error: text, at: text, count: integer })),
});
const shown = (r: PluginRecord): object => ({ ...viewOf(r), ui: uiOf(r) });
const DECLARED = object({
  name: text,
  version: text,
  description: text,
  manifest: anyObject,
  dependencies: list(text),
  skipped_scripts: list(text),
  files: integer,
  bytes: integer,
  replaces: nullableText,
});

export function pluginRoutes(host: Host, installer: Installer): Route[] {
  return [
    {
      method: 'GET',
      path: '/plugins',
      summary: 'All plugins with what they add and how they are',
      response: object({ plugins: list(PLUGIN) }),
      handle: () => ({ plugins: [...host.records.values()].map(shown) }),
    },
    {
      method: 'GET',
      path: '/plugins/:name',
      summary: 'One plugin',
      response: PLUGIN,
      errors: ['PLUGIN_NOT_FOUND'],
      handle: ({ params }) => shown(host.get(params['name'] as string)),
    },
    {
      method: 'POST',
      path: '/plugins/preview',
      summary: 'What a plugin declares, without running or installing any of it',
      body: strict({ spec: { type: 'string', minLength: 1, maxLength: 4096 } }),
      response: DECLARED,
      errors: ['PLUGIN_INVALID'],
      handle: ({ body, signal }) => installer.preview(body['spec'] as string, signal),
    },
    {
      method: 'POST',
      path: '/plugins',
      summary: 'Install a plugin from a folder, a tarball or an npm spec; its scripts do not run',
      body: strict({ spec: { type: 'string', minLength: 1, maxLength: 4096 } }),
      response: PLUGIN,
      status: 201,
      errors: ['PLUGIN_INVALID', 'PLUGIN_CONFLICT'],
      handle: async ({ body, actor, signal }) => shown(await installer.add(body['spec'] as string, actor, signal)),
    },
    {
      method: 'DELETE',
      path: '/plugins/:name',
      summary: 'Remove an installed plugin; resources of its kinds stay',
      errors: ['PLUGIN_NOT_FOUND', 'PLUGIN_CONFLICT'],
      handle: ({ params, actor }) => installer.remove(params['name'] as string, actor),
    },
    ...(['enable', 'disable'] as const).map((verb): Route => ({
      method: 'POST',
      path: `/plugins/:name/${verb}`,
      summary: verb === 'enable' ? 'Enable a plugin' : 'Disable a plugin while the daemon runs',
      response: PLUGIN,
      errors: ['PLUGIN_NOT_FOUND'],
      handle: async ({ params, actor }) =>
        shown(await installer.toggle(params['name'] as string, verb === 'enable', actor)),
    })),
  ];
}
