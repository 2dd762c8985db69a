// Tools that answer without asking anything.
import { setTimeout as sleep } from 'node:timers/promises';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { image, string, text, WAV } from './content.mjs';

const embedded = (uri, mimeType, body) => ({ type: 'resource', resource: { uri, mimeType, text: body } });

/** `tool(name, run, inputSchema?)` registers one; `changed(kind)` tells that a list did. */
export function registerTools(tool, changed) {
  tool('test_simple_text', () => text('This is a simple text response for testing.'));
  tool('test_image_content', () => ({ content: [image] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  const logs = async (_args, ctx) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', line);
      await sleep(50);
    }
    return text('logged');
  };
  tool('test_tool_with_logging', logs);
  tool('test_logging_tool', logs);
  tool('test_tool_with_progress', async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await ctx.mcpReq.notify({ method: 'notifications/progress', params });
      await sleep(50);
    }
    return text('done');
  });
  tool('test_reconnection', () => text('reconnected'));
  tool('test_trigger_tool_change', () => {
    changed('tools');
    return text('changed');
  });
  tool('test_trigger_prompt_change', () => {
    changed('prompts');
    return text('changed');
  });
  tool(
    'test_header_param',
    (args) => text(JSON.stringify(args)),
    fromJsonSchema({
      type: 'object',
      properties: {
        region: { ...string, 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        query: string,
      },
      required: ['region'],
    }),
  );
  tool('json_schema_2020_12_tool', () => text('ok'), fromJsonSchema(SCHEMA_2020_12));
  // Arguments are named so that the suite can send what it likes.
  tool('test_any', (args) => text(JSON.stringify(args)), z.object({}).loose());
}

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } },
  },
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
};
