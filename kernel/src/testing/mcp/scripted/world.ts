import { appendFileSync } from 'node:fs';
import type { Obj } from '../../../json.js';
import { embedded, ICON, IMAGE, object, PNG, text } from './content.js';
import type { Options } from './options.js';
import { changeTools } from './tools-changes.js';
import { conformanceTools } from './tools-conformance.js';
import { contentTools } from './tools-content.js';
import { dialogueTools } from './tools-dialogue.js';
import type { Tool, World } from './types.js';

/** Everything the server offers when it starts. */
export function createWorld(options: Options): World {
  const tools = [...contentTools, ...dialogueTools, ...changeTools, ...conformanceTools, ...extraTools(options)];
  return {
    options,
    tools: new Map(tools.map((t) => [t.definition.name, t])),
    prompts: new Map(PROMPTS.map((p) => [p.definition.name, p])),
    resources: new Map(RESOURCES.map((r) => [r.definition.uri, r])),
    templates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'Template',
        title: 'A template',
        description: 'Data by id',
        mimeType: 'application/json',
        annotations: { priority: 0.3 },
        icons: [ICON],
        _meta: { 'x.test/template': 1 },
        'x-vendor': 1,
      },
      { uriTemplate: 'test://search{?q,limit}', name: 'Search' },
    ],
    sessions: new Set(),
    record: (line) => {
      if (options.recordFile) appendFileSync(options.recordFile, `${line}\n`);
    },
  };
}

const TOPICS = ['invoice', 'weather', 'calendar', 'database', 'image', 'repository', 'ticket', 'translation'];

/** A large catalogue, for search and for size. */
function extraTools({ extraTools: count }: Options): Tool[] {
  return Array.from({ length: count }, (_, i) => {
    const topic = TOPICS[i % TOPICS.length];
    const name = `extra_${topic}_${i}`;
    const description = `Works with one ${topic}, number ${i}`;
    return {
      definition: { name, description, inputSchema: object({ id: { type: 'string' } }) },
      run: () => text(name),
    };
  });
}

const STATIC_TEXT = 'This is the content of the static text resource.';

const RESOURCES: { definition: Obj; contents: Obj }[] = [
  {
    definition: {
      uri: 'test://static-text',
      name: 'Static Text',
      title: 'Title',
      description: 'A text that never changes',
      mimeType: 'text/plain',
      size: STATIC_TEXT.length,
      annotations: { audience: ['user'], priority: 0.8, lastModified: '2026-01-01T00:00:00Z' },
      icons: [ICON],
      _meta: { 'x.test/resource': 1 },
      'x-vendor': { a: 1 },
    },
    contents: { mimeType: 'text/plain', text: STATIC_TEXT, _meta: { 'x.test/content': 1 } },
  },
  {
    definition: { uri: 'test://static-binary', name: 'Static Binary', mimeType: 'image/png' },
    contents: { mimeType: 'image/png', blob: PNG },
  },
  {
    definition: { uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' },
    contents: { mimeType: 'text/plain', text: 'watched' },
  },
  {
    definition: { uri: 'file:///tmp/a%20b/%C3%BC.txt?x=1&y=%2F#part', name: 'A URI that needs care' },
    contents: { mimeType: 'text/plain', text: 'odd' },
  },
];

function said(...contents: Obj[]): Obj {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

const PROMPTS: { definition: Obj; get(args: Obj): Obj }[] = [
  {
    definition: {
      name: 'test_simple_prompt',
      title: 'Simple',
      description: 'A simple prompt',
      icons: [ICON],
      _meta: { 'x.test/prompt': 1 },
      'x-vendor': 1,
    },
    get: () => said({ type: 'text', text: 'This is a simple prompt for testing.' }),
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'Two arguments',
      arguments: [
        { name: 'arg1', title: 'First', description: 'The first', required: true },
        { name: 'arg2', description: 'The second', required: true },
      ],
    },
    get: ({ arg1, arg2 }) => said({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'A resource in a prompt',
      arguments: [{ name: 'resourceUri', description: 'Its URI', required: true }],
    },
    get: ({ resourceUri }) =>
      said(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'), {
        type: 'text',
        text: 'Please process the embedded resource above.',
      }),
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'An image in a prompt' },
    get: () => said(IMAGE, { type: 'text', text: 'Please analyze the image above.' }),
  },
  {
    definition: { name: 'dialogue', description: 'Both roles, and a result with everything' },
    get: () => ({
      description: 'A dialogue',
      messages: [
        { role: 'user', content: { type: 'text', text: 'hello', annotations: { priority: 1 } } },
        { role: 'assistant', content: { type: 'text', text: 'hello yourself' } },
      ],
      _meta: { 'x.test/get': 1 },
      'x-vendor': 1,
    }),
  },
];
