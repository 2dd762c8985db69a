// Everything the official conformance suite asks a server for, on the second SDK, over stdio.
//   node main.mjs            either era, as the client opens
//   node main.mjs --older    2025-11-25 and before only
import { acceptedContent, completable, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { form, image, PNG, string, user } from './content.mjs';
import { codec, registerQuestions } from './questions.mjs';
import { registerTools } from './tools.mjs';

const listed = { listChanged: true };
const capabilities = {
  logging: {},
  completions: {},
  resources: { subscribe: true, ...listed },
  tools: listed,
  prompts: listed,
};

function build() {
  const s = new McpServer(
    { name: 'conformance-server', version: '1.0.0' },
    { capabilities, requestState: { verify: codec.verify } },
  );
  const tool = (name, run, inputSchema = z.object({})) =>
    s.registerTool(name, { description: `${name} of the conformance suite`, inputSchema }, async (a, ctx) =>
      run(a, ctx),
    );
  registerTools(tool, (kind) => void (kind === 'tools' ? s.sendToolListChanged() : s.sendPromptListChanged()));
  registerQuestions(tool, s.server);
  registerResources(s);
  registerPrompts(s);
  return s;
}

function registerResources(s) {
  const resource = (name, uri, mimeType, content) =>
    s.registerResource(name, uri, { description: name, mimeType }, async (u) => ({
      contents: [{ uri: u.href, mimeType, ...content }],
    }));
  resource('static text', 'test://static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  });
  resource('static binary', 'test://static-binary', 'image/png', { blob: PNG });
  resource('watched', 'test://watched-resource', 'text/plain', { text: 'watched' });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const mimeType = 'application/json';
  s.registerResource('template', template, { description: 'template', mimeType }, async (u, { id }) => ({
    contents: [{ uri: u.href, mimeType, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
  s.server.setRequestHandler('resources/subscribe', async () => ({}));
  s.server.setRequestHandler('resources/unsubscribe', async () => ({}));
}

function registerPrompts(s) {
  const prompt = (name, argsSchema, get) =>
    s.registerPrompt(name, { description: name, ...(argsSchema && { argsSchema }) }, get);
  const words = (text) => user({ type: 'text', text });
  prompt('test_simple_prompt', undefined, async () => ({ messages: [words('This is a simple prompt for testing.')] }));
  const starts = (v) => ['hello', 'help'].filter((x) => x.startsWith(v));
  prompt(
    'test_prompt_with_arguments',
    z.object({ arg1: completable(z.string(), starts), arg2: z.string() }),
    async ({ arg1, arg2 }) => ({ messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  prompt('test_prompt_with_embedded_resource', z.object({ resourceUri: z.string() }), async ({ resourceUri }) => ({
    messages: [
      user({
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      words('Please process the embedded resource above.'),
    ],
  }));
  prompt('test_prompt_with_image', undefined, async () => ({
    messages: [user(image), words('Please analyze the image above.')],
  }));
  prompt('test_input_required_result_prompt', undefined, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_context');
    if (answer) return { messages: [words(answer.context)] };
    const question = form('What context should the prompt use?', { context: string });
    return inputRequired({ inputRequests: { user_context: question } });
  });
}

if (process.argv.includes('--older')) await build().connect(new StdioServerTransport());
else serveStdio(build);
