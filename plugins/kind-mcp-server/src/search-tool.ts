import { CofferError, type Exchange, type Gateway, type Obj, type ToolDefinition } from '@coffer/kernel';
import { searchTools, type Hit } from './search.js';

const TOP = { default: 5, most: 20 };
const QUERY_CHARS = 4096;

export interface SearchResult {
  tools: Hit[];
  total_searched: number;
}

/** `coffer__search_tools`: the tools of all servers of a session, found by words. */
export function searchTool(gateway: Pick<Gateway, 'tools'>): ToolDefinition {
  return {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Find tools of all connected MCP servers by what they do. Give a few words; you get the best matching tools with their full names and input schemas, ready to be called. Use it when you do not know which tool to use or when the list of tools is long.',
    inputSchema: {
      type: 'object',
      required: ['query'],
      properties: {
        query: {
          type: 'string',
          description: 'Words for what the tool should do, for example "create issue" or "read file".',
        },
        top_k: { type: 'integer', default: TOP.default, description: `How many tools to return, 1 to ${TOP.most}.` },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['tools', 'total_searched'],
      properties: {
        tools: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'description', 'inputSchema', 'score'],
            properties: {
              name: { type: 'string' },
              description: { type: 'string' },
              inputSchema: { type: 'object' },
              score: { type: 'number' },
            },
          },
        },
        total_searched: { type: 'integer' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: (args, { exchange }) => search(gateway, args, exchange),
  };
}

async function search(gateway: Pick<Gateway, 'tools'>, args: Obj, x: Exchange): Promise<SearchResult> {
  const { query, top_k: top = TOP.default } = args;
  if (typeof query !== 'string' || query.trim() === '')
    throw new CofferError('BAD_REQUEST', 'query must be some words to search for');
  if (typeof top !== 'number' || !Number.isInteger(top))
    throw new CofferError('BAD_REQUEST', `top_k must be a whole number from 1 to ${TOP.most}`);
  const catalogue = await gateway.tools(x);
  return {
    tools: searchTools(catalogue, query.slice(0, QUERY_CHARS), Math.min(Math.max(top, 1), TOP.most)),
    total_searched: catalogue.length,
  };
}
