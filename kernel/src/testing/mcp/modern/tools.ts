import type { Obj } from '../../../json.js';
import { META, type ModernCall, type ModernWorld } from './world.js';

export interface ModernTool {
  readonly definition: Obj;
  run(args: Obj, call: ModernCall, world: ModernWorld): Obj | Promise<Obj>;
}

const str = { type: 'string' };
const text = (s: string): Obj => ({ content: [{ type: 'text', text: s }] });
const json = (v: unknown): Obj => text(JSON.stringify(v));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const form = (message: string, properties: Obj): Obj => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } },
});
const sample = (q: string): Obj => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: q } }], maxTokens: 100 },
});
const wanted = (requests: Obj | undefined, state?: string): Obj => ({
  resultType: 'input_required',
  ...(requests !== undefined && { inputRequests: requests }),
  ...(state !== undefined && { requestState: state }),
});

function tool(name: string, run: ModernTool['run'], properties: Obj = {}): ModernTool {
  return { definition: { name, description: name, inputSchema: { type: 'object', properties } }, run };
}

/** Asks once, then tells what was answered. */
function asks(name: string, key: string, question: Obj): ModernTool {
  return tool(name, (_, call) => {
    const given: unknown = call.params.inputResponses?.[key];
    return given === undefined ? wanted({ [key]: question }) : json(given);
  });
}

const dialogue: ModernTool[] = [
  asks('elicit_form', 'e', form('Who?', { name: str })),
  asks('elicit_url', 'u', {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go', url: 'https://example.test/x' },
  }),
  asks('sample', 's', sample('Say something')),
  asks('roots', 'r', { method: 'roots/list' }),
  asks('test_sampling', 'p', sample('x')),
  asks('test_elicitation', 'e', form('x', { username: str, email: str })),
  asks('test_input_required_result_elicitation', 'user_name', form('What is your name?', { name: str })),
  asks('test_input_required_result_sampling', 'capital_question', sample('What is the capital of France?')),
  asks('test_input_required_result_list_roots', 'client_roots', { method: 'roots/list' }),
  asks('bad_question', 'b', { method: 'tools/list' }),
  tool('two_rounds', (_, { params }) => {
    const state = params.requestState as string | undefined;
    const answers = params.inputResponses ?? {};
    if (state === undefined) return wanted({ first: form('First?', { a: str }) }, 'state-1');
    if (state === 'state-1')
      return wanted({ second: form('Second?', { b: str }) }, `state-2:${answers.first?.content?.a}`);
    return json({ state, answers });
  }),
  tool('several', (_, { params }) =>
    params.inputResponses === undefined
      ? wanted({ z: form('z?', { a: str }), a: sample('a?'), m: { method: 'roots/list' } }, 'kept')
      : json({ answers: params.inputResponses, state: params.requestState }),
  ),
  tool('state_only', ({ times }, { params }) => {
    const n = Number(params.requestState ?? 0);
    return n >= (times ?? 2) ? json({ n, answered: 'inputResponses' in params }) : wanted(undefined, String(n + 1));
  }),
  tool('endless', (_, { params }) =>
    wanted({ again: form('Again?', { a: str }) }, String(Number(params.requestState ?? 0) + 1)),
  ),
];

const plain: ModernTool[] = [
  tool('echo', (args) => json(args)),
  tool('test_simple_text', () => text('This is a simple text response for testing.')),
  tool('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('whoami', (_, { meta, headers, params }) => ({ ...text('you'), structuredContent: { meta, headers, params } })),
  tool('big', ({ bytes }) => text('x'.repeat(bytes ?? 1_000_000))),
  tool('keep_meta', () => ({ ...text('meta'), _meta: { 'x.test/own': 1 } })),
  tool('array', () => ({ content: [], structuredContent: [1, 2] })),
  tool('slow', async ({ steps = 3, ms = 10 }, { meta, notify, signal }) => {
    for (let i = 1; i <= steps && !signal.aborted; i++) {
      await sleep(ms);
      if (meta.progressToken !== undefined)
        notify('notifications/progress', { progressToken: meta.progressToken, progress: i, total: steps });
    }
    return text('done');
  }),
  tool('test_tool_with_progress', async (_, { meta, notify }) => {
    for (const progress of [0, 50, 100])
      if (meta.progressToken !== undefined)
        notify('notifications/progress', { progressToken: meta.progressToken, progress, total: 100 });
    return text('done');
  }),
  tool('log', (_, { meta, notify }) => {
    const level: unknown = meta[`${META}logLevel`];
    if (level !== undefined) notify('notifications/message', { level, logger: 'modern', data: { msg: 'hello' } });
    return text('logged');
  }),
  tool('cancelled_log', (_, __, world) => json(world.cancelled)),
  tool('listeners', (_, __, world) => json([...world.subscriptions].map((s) => s.filter))),
  tool('touch', (_, __, world) => (world.updated('test://watched-resource'), text('touched'))),
  tool('test_trigger_tool_change', (_, __, world) => (world.changed('tools'), text('changed'))),
  tool('test_trigger_prompt_change', (_, __, world) => (world.changed('prompts'), text('changed'))),
  tool('end_streams', (_, __, world) => {
    for (const s of [...world.subscriptions]) s.end();
    return text('ended');
  }),
  tool('pid', () => text(String(process.pid))),
  tool('test_header_param', (args, { headers }) => ({ ...json(args), structuredContent: { headers } }), {
    region: { ...str, 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    inner: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } } },
    query: str,
  }),
  tool('illegal_header', () => text('never'), { a: { type: 'number', 'x-mcp-header': 'A' } }),
  tool('twice_header', () => text('never'), {
    a: { ...str, 'x-mcp-header': 'Same' },
    b: { ...str, 'x-mcp-header': 'same' },
  }),
];

export const tools: readonly ModernTool[] = [...plain, ...dialogue];
