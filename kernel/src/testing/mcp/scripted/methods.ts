import type { Obj } from '../../../json.js';
import { RpcFailure } from '../rpc.js';
import type { Call, World } from './types.js';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const LATEST = '2025-11-25';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function isKnownVersion(version: string): boolean {
  return VERSIONS.includes(version);
}

/** The server's answer to a request, or null for one that never gets any. Throws RpcFailure for an error answer. */
export async function answer(method: string, call: Call, world: World): Promise<Obj | null> {
  const { params, session } = call;
  if (method === 'initialize') return initialize(call, world);
  if (method === 'ping') return {};
  if (!session.opening) throw new RpcFailure(-32600, 'The first request must be initialize');
  if (world.options.toolsOnly && !method.startsWith('tools/')) throw new RpcFailure(-32601, 'Method not found');
  switch (method) {
    case 'tools/list':
      return paged(world, 'tools', definitions(world.tools), params);
    case 'prompts/list':
      return paged(world, 'prompts', definitions(world.prompts), params);
    case 'resources/list':
      return paged(world, 'resources', definitions(world.resources), params);
    case 'resources/templates/list':
      return paged(world, 'resourceTemplates', world.templates, params);
    case 'tools/call':
      return callTool(call, world);
    case 'prompts/get':
      return getPrompt(params, world);
    case 'resources/read':
      return readResource(params, world);
    case 'resources/subscribe':
      if (!contents(params.uri, world)) throw new RpcFailure(-32002, 'Resource not found', { uri: params.uri });
      session.subscriptions.add(params.uri);
      return {};
    case 'resources/unsubscribe':
      session.subscriptions.delete(params.uri);
      return {};
    case 'completion/complete':
      return complete(params);
    case 'logging/setLevel':
      if (!LEVELS.includes(params.level)) throw new RpcFailure(-32602, 'Unknown log level');
      session.level = params.level;
      return {};
    default:
      throw new RpcFailure(-32601, 'Method not found');
  }
}

function initialize({ params, session }: Call, world: World): Obj {
  const { name, protocol, toolsOnly } = world.options;
  session.opening = params;
  world.record(`initialize ${JSON.stringify(params)}`);
  const rest = {
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
    experimental: { 'x.test/feature': { on: true } },
  };
  return {
    protocolVersion: protocol ?? (isKnownVersion(params.protocolVersion) ? params.protocolVersion : LATEST),
    capabilities: { tools: { listChanged: true }, ...(toolsOnly ? {} : rest) },
    serverInfo: { name, title: `Scripted server ${name}`, version: '1.0.0', websiteUrl: 'https://example.test/' },
    instructions: `Instructions of ${name}.`,
    _meta: { 'x.test/initialize': name },
  };
}

function definitions(map: ReadonlyMap<string, { definition: Obj }>): Obj[] {
  return [...map.values()].map((item) => item.definition);
}

/** Cursors are opaque and belong to one list: a cursor of another list, or a made-up one, is refused. */
function paged(world: World, key: string, items: readonly Obj[], params: Obj): Obj {
  const size = world.options.page;
  const meta = { _meta: { 'x.test/list': key } };
  if (!size) return { [key]: items, ...meta };
  let at = 0;
  if (params.cursor !== undefined) {
    const [list, offset] = Buffer.from(String(params.cursor), 'base64url').toString().split(':');
    at = Number(offset);
    if (list !== key || !Number.isInteger(at)) throw new RpcFailure(-32602, 'Invalid cursor');
  }
  const next = at + size;
  const nextCursor = Buffer.from(`${key}:${next}`).toString('base64url');
  return { [key]: items.slice(at, next), ...(next < items.length ? { nextCursor } : {}), ...meta };
}

async function callTool(call: Call, world: World): Promise<Obj | null> {
  const { name, arguments: args } = call.params;
  const tool = world.tools.get(name);
  if (!tool) throw new RpcFailure(-32602, `Unknown tool: ${name}`);
  world.record(`call ${name} ${JSON.stringify(args ?? null)}`);
  return tool.run(args ?? {}, call, world);
}

function getPrompt(params: Obj, world: World): Obj {
  const prompt = world.prompts.get(params.name);
  if (!prompt) throw new RpcFailure(-32602, `Unknown prompt: ${params.name}`);
  return prompt.get(params.arguments ?? {});
}

function contents(uri: string, world: World): Obj | undefined {
  const resource = world.resources.get(uri);
  if (resource) return resource.contents;
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  return { mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) };
}

function readResource(params: Obj, world: World): Obj {
  const found = contents(params.uri, world);
  if (!found) throw new RpcFailure(-32002, 'Resource not found', { uri: params.uri });
  return { contents: [{ uri: params.uri, ...found }], _meta: { 'x.test/read': true } };
}

function complete({ ref, argument, context }: Obj): Obj {
  const values = [`${ref.type}:${ref.name ?? ref.uri}`, `${argument.value ?? ''}x`, JSON.stringify(context ?? null)];
  return { completion: { values, total: 3, hasMore: false } };
}
