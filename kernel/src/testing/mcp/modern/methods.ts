import type { Obj } from '../../../json.js';
import { RpcFailure } from '../rpc.js';
import { misbehaved } from './modes.js';
import { aboutTask, EXTENSION, taskTools } from './tasks.js';
import { tools as plainTools, type ModernTool } from './tools.js';
import { META, VERSION, type ModernCall, type ModernWorld } from './world.js';

const RESOURCES: Obj[] = [
  { name: 'static text', uri: 'test://static-text', mimeType: 'text/plain' },
  { name: 'static binary', uri: 'test://static-binary', mimeType: 'image/png' },
  { name: 'watched', uri: 'test://watched-resource', mimeType: 'text/plain' },
];
const PROMPTS: Obj[] = [
  { name: 'test_simple_prompt', description: 'A simple prompt' },
  {
    name: 'test_prompt_with_arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  { name: 'test_input_required_result_prompt' },
];

/** The answer to a request whose envelope is sound. Throws RpcFailure. */
export async function answerModern(call: ModernCall, world: ModernWorld): Promise<Obj> {
  const { method, params } = call;
  const odd = await misbehaved(call, world);
  if (odd !== undefined) return odd;
  const tools = toolsOf(world);
  switch (method) {
    case 'server/discover':
      return discovered(world);
    case 'tools/list':
      return listed(
        world,
        'tools',
        tools.map((t) => t.definition),
        params,
      );
    case 'prompts/list':
      return listed(world, 'prompts', PROMPTS, params);
    case 'resources/list':
      return listed(world, 'resources', RESOURCES, params);
    case 'resources/templates/list':
      return listed(
        world,
        'resourceTemplates',
        [{ name: 'template', uriTemplate: 'test://template/{id}/data' }],
        params,
      );
    case 'tools/call': {
      const tool = tools.find((t) => t.definition.name === params.name);
      if (tool === undefined) throw new RpcFailure(-32602, `Unknown tool: ${params.name}`);
      world.record(`call ${params.name} ${JSON.stringify(params.arguments ?? null)}`);
      return stamped(world, await tool.run(params.arguments ?? {}, call, world));
    }
    case 'prompts/get':
      return stamped(world, prompt(params));
    case 'resources/read':
      return { ...read(params), resultType: 'complete', ttlMs: 1234, cacheScope: 'public', ...signed(world) };
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      if (world.options.tasks) return stamped(world, aboutTask(call));
      throw new RpcFailure(-32601, 'Method not found');
    case 'completion/complete':
      return stamped(world, { completion: { values: [`${params.argument?.value ?? ''}x`], total: 1, hasMore: false } });
    default:
      throw new RpcFailure(-32601, 'Method not found');
  }
}

function toolsOf({ options }: ModernWorld): readonly ModernTool[] {
  return options.tasks ? [...plainTools, ...taskTools] : plainTools;
}

function discovered(world: ModernWorld): Obj {
  return {
    supportedVersions: world.options.both ? [VERSION, '2025-11-25'] : [VERSION],
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
      ...(world.options.tasks && { extensions: { [EXTENSION]: {} } }),
    },
    instructions: `Instructions of ${world.options.name}.`,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    ...signed(world),
  };
}

function signed(world: ModernWorld): Obj {
  return { _meta: { [`${META}serverInfo`]: { name: world.options.name, version: world.options.version } } };
}

/** Results as the official SDK writes them: what they are stands after what they say. */
function stamped(world: ModernWorld, result: Obj): Obj {
  const { _meta, ...rest } = result;
  return { ...rest, resultType: rest.resultType ?? 'complete', _meta: { ..._meta, ...signed(world)._meta } };
}

function listed(world: ModernWorld, key: string, items: readonly Obj[], params: Obj): Obj {
  const { page, ttl } = world.options;
  const at = params.cursor === undefined ? 0 : Number(params.cursor);
  if (!Number.isInteger(at)) throw new RpcFailure(-32602, 'Invalid cursor');
  const more = page > 0 && at + page < items.length;
  return {
    [key]: page > 0 ? items.slice(at, at + page) : items,
    ...(more && { nextCursor: String(at + page) }),
    resultType: 'complete',
    ttlMs: ttl,
    cacheScope: 'private',
    ...signed(world),
  };
}

function prompt(params: Obj): Obj {
  const said = (text: string): Obj => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });
  const { name, arguments: args } = params;
  if (name === 'test_simple_prompt') return said('This is a simple prompt for testing.');
  if (name === 'test_prompt_with_arguments')
    return said(`Prompt with arguments: arg1='${args?.arg1}', arg2='${args?.arg2}'`);
  if (name !== 'test_input_required_result_prompt') throw new RpcFailure(-32602, `Unknown prompt: ${name}`);
  const given = params.inputResponses?.user_context;
  if (given?.content !== undefined) return said(given.content.context);
  return {
    resultType: 'input_required',
    inputRequests: {
      user_context: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'What context should the prompt use?',
          requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
        },
      },
    },
  };
}

function read(params: Obj): Obj {
  const { uri } = params;
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(String(uri))?.[1];
  if (id !== undefined)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }] };
  if (!RESOURCES.some((r) => r.uri === uri)) throw new RpcFailure(-32602, 'Resource not found', { uri });
  const text = uri === 'test://static-text' ? 'This is the content of the static text resource.' : 'watched';
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}
