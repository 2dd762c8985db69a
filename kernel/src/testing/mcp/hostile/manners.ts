import type { Obj } from '../../../json.js';

const schema = { type: 'object', properties: { text: { type: 'string' } } };

export const GOOD_TOOLS: Obj[] = ['one', 'two', 'three', 'four', 'five'].map((name) => ({
  name: `good_${name}`,
  description: `Good tool ${name}`,
  inputSchema: schema,
}));

export function initializeResult(params: Obj): Obj {
  return {
    protocolVersion: params?.protocolVersion ?? '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'hostile', version: '1.0.0' },
  };
}

/** How a well-behaved server with five tools would answer. */
export function politeAnswer(message: Obj): Obj {
  const head = { jsonrpc: '2.0', id: message.id };
  switch (message.method) {
    case 'initialize':
      return { ...head, result: initializeResult(message.params) };
    case 'ping':
      return { ...head, result: {} };
    case 'tools/list':
      return { ...head, result: { tools: GOOD_TOOLS } };
    case 'tools/call':
      return { ...head, result: { content: [{ type: 'text', text: message.params?.arguments?.text ?? 'ok' }] } };
    default:
      return { ...head, error: { code: -32601, message: 'Method not found' } };
  }
}

/** One bad tool in front of five good ones, by the kind of badness. */
export const BAD_TOOLS: Record<string, Obj> = {
  'empty-schema': { name: 'bad', inputSchema: {} },
  'string-schema': { name: 'bad', inputSchema: { type: 'string' } },
  'top-level-anyof': { name: 'bad', inputSchema: { anyOf: [{ type: 'object' }, { type: 'array' }] } },
  'missing-schema': { name: 'bad', description: 'has no inputSchema' },
  'broken-output-schema': { name: 'bad', inputSchema: schema, outputSchema: { type: 'nonsense', properties: 7 } },
  'null-schema': { name: 'bad', inputSchema: null },
  'no-name': { description: 'has no name', inputSchema: schema },
  'number-description': { name: 'bad', description: 7, inputSchema: schema },
};
