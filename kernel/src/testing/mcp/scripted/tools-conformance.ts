import { setTimeout as sleep } from 'node:timers/promises';
import type { Obj } from '../../../json.js';
import { AUDIO, embedded, IMAGE, NO_ARGUMENTS, object, text } from './content.js';
import type { Call, Handler, Tool } from './types.js';

const STEP_MS = 20;
const string = { type: 'string' };

/** The tools that the official conformance suite calls by name. */
export const conformanceTools: Tool[] = [
  tool('test_simple_text', () => text('This is a simple text response for testing.')),
  tool('test_image_content', () => ({ content: [IMAGE] })),
  tool('test_audio_content', () => ({ content: [AUDIO] })),
  tool('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_error_handling', () => ({
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
    isError: true,
  })),
  tool('test_tool_with_logging', async (_a, call) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      call.note('notifications/message', { level: 'info', data });
      await sleep(STEP_MS);
    }
    return text('ok');
  }),
  tool('test_tool_with_progress', async (_a, call) => {
    const progressToken = call.params._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const message = `Completed step ${progress} of 100`;
      if (progressToken !== undefined)
        call.note('notifications/progress', { progressToken, progress, total: 100, message });
      await sleep(STEP_MS);
    }
    return text(progressToken ?? 'no progress token');
  }),
  tool('test_reconnection', async (_a, call) => {
    call.closeStream();
    await sleep(STEP_MS);
    return text('Reconnection test completed successfully.');
  }),
  tool(
    'test_sampling',
    async (a, call) => {
      const messages = [{ role: 'user', content: { type: 'text', text: a.prompt } }];
      const answer = await call.ask('sampling/createMessage', { messages, maxTokens: 100 });
      return text(`LLM response: ${answer.content.text}`);
    },
    object({ prompt: string }, ['prompt']),
  ),
  tool(
    'test_elicitation',
    async (a, call) => {
      const username = { ...string, description: "User's response" };
      const email = { ...string, description: "User's email address" };
      return elicit(call, 'User response', a.message, object({ username, email }, ['username', 'email']));
    },
    object({ message: string }, ['message']),
  ),
  tool('test_elicitation_sep1034_defaults', (_a, call) =>
    elicit(
      call,
      'Elicitation completed',
      'Please review and update the form fields with defaults',
      object({
        name: { ...string, default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    ),
  ),
  tool('test_elicitation_sep1330_enums', (_a, call) =>
    elicit(
      call,
      'Elicitation completed',
      'Please select options from the enum fields',
      object({
        untitledSingle: { ...string, enum: ['option1', 'option2', 'option3'] },
        titledSingle: { ...string, oneOf: titled('Option') },
        legacyEnum: {
          ...string,
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { ...string, enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      }),
    ),
  ),
  tool('json_schema_2020_12_tool', () => text('ok'), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
    properties: {
      name: string,
      address: { $ref: '#/$defs/address' },
      contactMethod: { ...string, enum: ['phone', 'email'] },
      phone: string,
      email: string,
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
];

function tool(name: string, run: Handler, inputSchema: Obj = NO_ARGUMENTS): Tool {
  return { definition: { name, description: `${name} of the conformance suite`, inputSchema }, run };
}

async function elicit(call: Call, lead: string, message: string, requestedSchema: Obj): Promise<Obj> {
  const answer = await call.ask('elicitation/create', { message, requestedSchema });
  return text(`${lead}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
}

function titled(noun: string): Obj[] {
  return ['First', 'Second', 'Third'].map((nth, i) => ({ const: `value${i + 1}`, title: `${nth} ${noun}` }));
}
