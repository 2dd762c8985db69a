import { AUDIO, embedded, ICON, IMAGE, NO_ARGUMENTS, object, text } from './content.js';
import { RpcFailure } from '../rpc.js';
import type { Tool } from './types.js';

/** Tools about what a definition or a result can hold. */
export const contentTools: Tool[] = [
  {
    definition: { name: 'echo', description: 'Says it back', inputSchema: object({ text: { type: 'string' } }) },
    run: (a) => text(a.text ?? ''),
  },
  {
    definition: { name: 'echo_args', description: 'The arguments as JSON', inputSchema: { type: 'object' } },
    run: (a) => text(a),
  },
  {
    definition: {
      name: 'whoami',
      description: 'What this server was told, and how it was started',
      inputSchema: NO_ARGUMENTS,
    },
    run: (_a, call) => {
      const told = {
        initialize: call.session.opening,
        level: call.session.level ?? null,
        roots: call.session.roots,
        rootsChanged: call.session.rootsChanged,
        params: call.params,
        headers: call.headers,
        env: Object.keys(process.env).sort(),
        cwd: process.cwd(),
        argv: process.argv.slice(2),
        pid: process.pid,
      };
      return { ...text(told), structuredContent: told };
    },
  },
  {
    definition: {
      name: 'env_value',
      description: 'The value of one environment variable',
      inputSchema: object({ name: { type: 'string' } }, ['name']),
    },
    run: (a) => text(process.env[a.name] ?? null),
  },
  {
    definition: {
      name: 'structured',
      title: 'Structured tool',
      description: 'A definition with every optional field',
      inputSchema: {
        ...object({ city: { type: 'string', description: 'd', pattern: '^[A-Z]' } }, ['city']),
        additionalProperties: false,
      },
      outputSchema: object({ temp: { type: 'number' } }, ['temp']),
      annotations: {
        title: 'T',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
        'x-hint': 1,
      },
      icons: [ICON],
      execution: { taskSupport: 'forbidden' },
      _meta: { 'x.test/tool': { a: 1 } },
      'x-vendor': { keep: [true, null, 1.5] },
    },
    run: () => ({
      content: [
        {
          type: 'text',
          text: '{"temp":21.5}',
          annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
          _meta: { 'x.test/block': 1 },
        },
      ],
      structuredContent: { temp: 21.5, extra: [1, null, 'é'] },
      _meta: { 'x.test/result': { b: 2 } },
      'x-vendor': 'kept',
    }),
  },
  {
    definition: {
      name: 'schema_definitions',
      description: 'Draft-07 definitions and a reference',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        definitions: { point: object({ x: { type: 'number' }, y: { type: 'number' } }) },
        properties: { at: { $ref: '#/definitions/point' } },
      },
    },
    run: (a) => text(a),
  },
  {
    definition: {
      name: 'schema_recursive',
      description: 'A tree: $defs that refer to themselves',
      inputSchema: {
        type: 'object',
        $defs: {
          node: object({ label: { type: 'string' }, next: { type: 'array', items: { $ref: '#/$defs/node' } } }),
        },
        properties: { root: { $ref: '#/$defs/node' }, self: { $ref: '#' } },
        anyOf: [{ required: ['root'] }, { required: ['self'] }],
      },
    },
    run: (a) => text(a),
  },
  {
    definition: { name: 'blocks', description: 'Every kind of content block', inputSchema: NO_ARGUMENTS },
    run: () => ({
      content: [
        { type: 'text', text: 't' },
        IMAGE,
        AUDIO,
        {
          type: 'resource_link',
          uri: 'test://static-text',
          name: 'link',
          title: 'Link',
          mimeType: 'text/plain',
          size: 48,
          icons: [ICON],
          annotations: { audience: ['assistant'], priority: 1 },
          _meta: { 'x.test/link': 1 },
        },
        { ...embedded('test://embedded', 'text/plain', 'emb'), annotations: { priority: 0 } },
        { type: 'resource', resource: { uri: 'test://blob', mimeType: 'image/png', blob: IMAGE.data } },
      ],
    }),
  },
  {
    definition: { name: 'future_block', description: 'A block of a later revision', inputSchema: NO_ARGUMENTS },
    run: () => ({ content: [{ type: 'hologram', payload: { x: 1 } }] }),
  },
  {
    definition: { name: 'fails', description: 'A failed call', inputSchema: NO_ARGUMENTS },
    run: () => ({ content: [{ type: 'text', text: 'it failed' }], isError: true, _meta: { 'x.test/failed': 1 } }),
  },
  {
    definition: {
      name: 'rpc_error',
      description: 'An error answer; -32042 with {a:1} unless told otherwise',
      inputSchema: object({ code: { type: 'integer' }, message: { type: 'string' }, data: {} }),
    },
    run: (a) => {
      throw new RpcFailure(
        a.code ?? -32042,
        a.message ?? 'custom upstream error',
        a.code === undefined ? { a: 1 } : a.data,
      );
    },
  },
  {
    definition: { name: 'missing_error', description: 'The error for a missing resource', inputSchema: NO_ARGUMENTS },
    run: () => {
      throw new RpcFailure(-32002, 'Resource not found', { uri: 'test://nowhere' });
    },
  },
  {
    definition: {
      name: 'big',
      description: 'A text of so many bytes',
      inputSchema: object({ bytes: { type: 'integer' } }, ['bytes']),
    },
    run: (a) => text('x'.repeat(a.bytes)),
  },
  {
    definition: { name: 'l'.repeat(64), description: 'The longest name that clients take', inputSchema: NO_ARGUMENTS },
    run: () => text('long'),
  },
  {
    definition: {
      name: 'dotted.name/with-slash',
      description: 'A dot, which names may have, and a slash, which they should not',
      inputSchema: NO_ARGUMENTS,
    },
    run: () => text('dotted'),
  },
  {
    definition: { name: 'a__b', description: 'Has a double underscore of its own', inputSchema: NO_ARGUMENTS },
    run: () => text('a__b'),
  },
  {
    definition: {
      name: 'unicode',
      title: '日本語 🚀',
      description: 'Ünïcödé — 漢字, emoji 👩‍👩‍👧, RTL שלום, line\u2028separator',
      inputSchema: object({ text: { type: 'string' } }),
    },
    run: (a) => text(a.text ?? ''),
  },
];
