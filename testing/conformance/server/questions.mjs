// Tools and a prompt that ask the client something before they answer; written once, served to either era by the SDK.
import { acceptedContent, createRequestStateCodec, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { form, sample, string, text } from './content.mjs';

/** The state between rounds is signed; a fixed key keeps runs alike. */
export const codec = createRequestStateCodec({ key: new Uint8Array(32).fill(9), ttlSeconds: 600 });

const K = 'io.modelcontextprotocol/';
const choices = (...titles) => titles.map((title, i) => ({ const: `value${i + 1}`, title }));

function said(answer) {
  if (answer.kind === 'elicit') return text(`User response: ${answer.action} ${JSON.stringify(answer.content ?? {})}`);
  if (answer.kind === 'sampling') return text(`LLM response: ${answer.result.content.text}`);
  return text(JSON.stringify(answer.roots ?? answer.result));
}

export function registerQuestions(tool, server) {
  const asks = (name, key, question, schema) =>
    tool(
      name,
      (args, ctx) => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, key);
        return answer.kind === 'missing' ? inputRequired({ inputRequests: { [key]: question(args) } }) : said(answer);
      },
      schema,
    );
  asks('test_sampling', 'p', (a) => sample(a.prompt), z.object({ prompt: z.string() }));
  const person = {
    username: { ...string, description: "User's response" },
    email: { ...string, description: "User's email address" },
  };
  asks('test_elicitation', 'e', (a) => form(a.message, person), z.object({ message: z.string() }));
  asks('test_elicitation_sep1034_defaults', 'e', () => form('defaults', DEFAULTS, []));
  asks('test_elicitation_sep1330_enums', 'e', () => form('enums', ENUMS, []));
  asks('test_streaming_elicitation', 'e', () => form('stream?', { name: string }));
  asks('test_input_required_result_sampling', 'capital_question', () => sample('What is the capital of France?'));
  asks('test_input_required_result_list_roots', 'client_roots', () => inputRequired.listRoots());
  asks('test_missing_capability', 'p', () => sample('x'));
  tool('test_input_required_result_elicitation', (_args, ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    if (answer) return text(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', { name: string }) } });
  });

  const keepsState = (name, key, questions, step) =>
    tool(name, async (_args, ctx) => {
      const answered = inputResponse(ctx.mcpReq.inputResponses, key).kind !== 'missing';
      if (ctx.mcpReq.requestState() && answered) return text('state-ok');
      return inputRequired({ inputRequests: questions(), requestState: await codec.mint({ step }) });
    });
  const confirm = () => ({ confirm: form('Please confirm', { ok: { type: 'boolean' } }) });
  keepsState('test_input_required_result_request_state', 'confirm', confirm, 1);
  keepsState('test_input_required_result_tampered_state', 'confirm', confirm, 2);
  const three = () => ({
    user_name: form('What is your name?', { name: string }),
    greeting: sample('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  });
  keepsState('test_input_required_result_multiple_inputs', 'user_name', three, 3);
  tool('test_input_required_result_multi_round', async (_args, ctx) => {
    const state = ctx.mcpReq.requestState();
    const answer = (key) => acceptedContent(ctx.mcpReq.inputResponses, key);
    const ask = async (step, message, field, more = {}) =>
      inputRequired({
        inputRequests: { [`step${step}`]: form(message, { [field]: string }) },
        requestState: await codec.mint({ step, ...more }),
      });
    if (!state) return ask(1, 'Step 1: What is your name?', 'name');
    if (state.step === 1)
      return ask(2, 'Step 2: What is your favorite color?', 'color', { name: answer('step1')?.name });
    return text(`${state.name} likes ${answer('step2')?.color}`);
  });
  tool('test_input_required_result_capabilities', (_args, ctx) => {
    const can = ctx.mcpReq.envelope?.[`${K}clientCapabilities`] ?? server.getClientCapabilities() ?? {};
    const questions = {
      ...(can.sampling && { s: sample('x') }),
      ...(can.elicitation && { e: form('x', { a: string }) }),
    };
    if (Object.keys(questions).length === 0 || ctx.mcpReq.inputResponses) return text('nothing to ask');
    return inputRequired({ inputRequests: questions });
  });
}

const DEFAULTS = {
  name: { ...string, default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const OPTIONS = ['option1', 'option2', 'option3'];
const ENUMS = {
  untitledSingle: { ...string, enum: OPTIONS },
  titledSingle: { ...string, oneOf: choices('First Option', 'Second Option', 'Third Option') },
  legacyEnum: { ...string, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
  untitledMulti: { type: 'array', items: { ...string, enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: choices('First Choice', 'Second Choice', 'Third Choice') } },
};
