import {
  CofferError,
  isObj,
  type CapabilityType,
  type Kernel,
  type Obj,
  type Resource,
  type Route,
} from '@coffer/kernel';
import type { Notes } from './catalogue.js';
import { configOf, KIND } from './config.js';
import type { Discovery } from './discover.js';
import { childEnvironment } from './launch/environment.js';
import type { Launcher } from './launch/launcher.js';
import { parseConfig } from './parse-config.js';
import type { Preferences } from './preferences.js';
import { installRunner } from './runners.js';
import type { ServerStatus } from './status.js';
import { capabilityList, capabilityListSchema } from './views.js';

export interface ApiParts {
  discovery: Discovery;
  preferences: Preferences;
  notes: Notes;
  status: ServerStatus;
  launcher: Launcher;
}

const BASE = `/resources/${KIND}/:name`;
const TYPES: readonly CapabilityType[] = ['tool', 'resource', 'prompt'];
const anyObject = { type: 'object' };

/** REST of MCP servers, besides what every kind has. */
export function mcpServerRoutes(kernel: Kernel, parts: ApiParts): Route[] {
  const server = (params: Readonly<Record<string, string>>): Resource => kernel.resources.get(KIND, params.name ?? '');
  const capabilities = async (resource: Resource, anew: boolean): Promise<Obj> => {
    const { catalogue, cached } = anew
      ? { catalogue: await parts.discovery.discover(resource), cached: false }
      : await parts.discovery.catalogue(resource);
    return capabilityList(resource.name, catalogue, cached, parts.preferences, parts.notes.findings(resource.name));
  };
  const toggle = (type: CapabilityType, enabled: boolean): Route => ({
    method: 'POST',
    path: `${BASE}/capabilities/${type}/${enabled ? 'enable' : 'disable'}`,
    summary: `${enabled ? 'Enable' : 'Disable'} a ${type} of an MCP server for every client`,
    body: {
      type: 'object',
      required: ['capability_key'],
      additionalProperties: false,
      properties: { capability_key: { type: 'string', minLength: 1, maxLength: 2048 } },
    },
    errors: ['RESOURCE_NOT_FOUND', 'CAPABILITY_NOT_FOUND'],
    handle: ({ params, body, actor }) => {
      const { name } = server(params);
      if (!parts.preferences.set(name, type, body.capability_key, enabled, actor)) return;
      kernel.gateway.changed();
      kernel.emit({
        type: 'capability',
        server: name,
        capability_type: type,
        capability_key: body.capability_key,
        enabled,
      });
    },
  });

  return [
    {
      method: 'GET',
      path: `${BASE}/capabilities`,
      summary: 'Tools, resources and prompts of an MCP server, the disabled ones included',
      response: capabilityListSchema,
      errors: ['RESOURCE_NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'],
      handle: ({ params }) => capabilities(server(params), false),
    },
    ...TYPES.flatMap((type) => [toggle(type, true), toggle(type, false)]),
    {
      method: 'POST',
      path: `${BASE}/refresh`,
      summary: 'List an MCP server anew',
      response: capabilityListSchema,
      errors: ['RESOURCE_NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'],
      handle: async ({ params }) => {
        const resource = server(params);
        const list = await capabilities(resource, true);
        kernel.gateway.changed({ forget: resource.ref });
        return list;
      },
    },
    {
      method: 'POST',
      path: `${BASE}/test`,
      summary: 'Connect to an MCP server and shake hands; 200 whether or not it worked',
      response: {
        type: 'object',
        required: ['ok', 'latency_ms'],
        properties: {
          ok: { type: 'boolean' },
          latency_ms: { type: 'integer' },
          protocol_version: { type: 'string' },
          server_capabilities: anyObject,
          error_message: { type: 'string' },
        },
      },
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => parts.discovery.test(server(params)),
    },
    {
      method: 'GET',
      path: `${BASE}/status`,
      summary: 'Health of an MCP server as it is known; starts nothing',
      response: {
        type: 'object',
        required: ['status'],
        properties: { status: { enum: ['healthy', 'failing', 'unknown'] } },
      },
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => parts.status.of(server(params)),
    },
    {
      method: 'POST',
      path: `${BASE}/install-runner`,
      summary: 'Install the launcher a local server lacks, from a fixed list, with Homebrew',
      response: {
        type: 'object',
        required: ['runner', 'formula'],
        properties: { runner: { type: 'string' }, formula: { type: 'string' } },
      },
      errors: ['RESOURCE_NOT_FOUND', 'RUNNER_INSTALL_UNSUPPORTED', 'RUNNER_INSTALL_FAILED'],
      handle: async ({ params, actor }) => {
        const resource = server(params);
        const { transport } = configOf(resource);
        if (transport.type !== 'stdio')
          throw new CofferError('RUNNER_INSTALL_UNSUPPORTED', 'A remote server needs no launcher on this machine');
        const done = await installRunner(parts.launcher, transport);
        kernel.audit.write({
          event_type: 'mcp_runner_installed',
          resource_kind: KIND,
          resource_name: resource.name,
          actor,
          details: { ...done },
        });
        await parts.discovery.tryDiscover(resource);
        return done;
      },
    },
    {
      method: 'GET',
      path: `${BASE}/log`,
      summary: 'The last lines a local server wrote to its stderr',
      query: { type: 'object', properties: { lines: { type: 'integer', minimum: 1, maximum: 5000, default: 200 } } },
      response: {
        type: 'object',
        required: ['lines'],
        properties: { lines: { type: 'array', items: { type: 'string' } } },
      },
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ params, query }) => ({
        lines: await parts.launcher.log(server(params).name).tail(Number(query.lines ?? 200)),
      }),
    },
    {
      method: 'POST',
      path: '/gateway/search',
      summary: 'Search the tools of all servers, as coffer__search_tools does',
      body: {
        type: 'object',
        required: ['query'],
        properties: {
          query: { type: 'string', minLength: 1 },
          top_k: { type: 'integer' },
          agent: { type: 'string', minLength: 1, maxLength: 128 },
        },
      },
      response: {
        type: 'object',
        required: ['tools', 'total_searched'],
        properties: { tools: { type: 'array', items: anyObject }, total_searched: { type: 'integer' } },
      },
      handle: ({ body, signal }) => search(kernel, body, signal),
    },
    {
      method: 'GET',
      path: '/mcp/tools',
      summary:
        'Tools of all servers by parts of their name, as last listed, the disabled ones included; starts nothing',
      query: {
        type: 'object',
        required: ['find'],
        additionalProperties: false,
        properties: {
          find: { type: 'string', minLength: 1, maxLength: 200 },
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        },
      },
      response: {
        type: 'object',
        required: ['tools'],
        properties: {
          tools: {
            type: 'array',
            items: {
              type: 'object',
              required: ['server', 'name', 'enabled'],
              properties: { server: { type: 'string' }, name: { type: 'string' }, enabled: { type: 'boolean' } },
            },
          },
        },
      },
      handle: ({ query }) => ({ tools: parts.preferences.findTools(String(query.find), Number(query.limit ?? 20)) }),
    },
    {
      method: 'POST',
      path: '/mcp/import/preview',
      summary: 'What a configuration of another client would become here; writes nothing',
      body: {
        type: 'object',
        properties: {
          text: { type: 'string', maxLength: 2 ** 20 },
          config: anyObject,
          source: { type: 'string', maxLength: 256 },
          variables: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      response: {
        type: 'object',
        required: ['servers', 'problems'],
        properties: {
          servers: { type: 'array', items: anyObject },
          problems: { type: 'array', items: { type: 'string' } },
        },
      },
      handle: ({ body }) =>
        parseConfig(body.text ?? body.config, {
          ...childEnvironment(process.env, process.env.PATH ?? '', {}),
          ...body.variables,
        }),
    },
  ];
}

/** Through the gateway's own door, so that it is gated and logged like the tool. */
async function search(kernel: Kernel, body: Obj, signal: AbortSignal): Promise<Obj> {
  const { agent, ...args } = body;
  const outcome = await kernel.gateway.call(
    'tools/call',
    { name: 'coffer__search_tools', arguments: args },
    { signal, ...(typeof agent === 'string' && { agent }) },
  );
  if (outcome.kind === 'result') {
    const { isError, structuredContent, content } = outcome.result.value;
    if (isError !== true && isObj(structuredContent)) return structuredContent;
    throw new CofferError('BAD_REQUEST', String((content as Obj[] | undefined)?.[0]?.text ?? 'The search failed')); // an error result of MCP
  }
  throw new CofferError('INTERNAL_ERROR', outcome.kind === 'fault' ? outcome.fault.message : 'The search failed');
}
