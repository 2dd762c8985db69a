/** Headers that repeat parts of a request, so that what stands before a server can route it unread (2026-07-28). */
import { isObj, type Obj } from '@coffer/kernel';

/** Where an argument is found, and the name of its header. */
export type ParamHeaders = readonly (readonly [path: readonly string[], header: string])[];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PLAIN = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;
const TYPES = new Set(['string', 'integer', 'boolean']);
/** Keywords whose value is data, not schema. */
const DATA = new Set(['default', 'const', 'enum', 'examples']);
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** A value as it can travel in a header: what is not plain ASCII, or looks encoded already, goes as base64. */
export function headerValue(value: string): string {
  return PLAIN.test(value) && !ENCODED.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** The headers a tool's schema asks for, or why they are against the rules. */
export function paramHeaders(schema: unknown): ParamHeaders | { illegal: string } {
  const found: [string[], string][] = [];
  const seen = new Set<string>();
  let illegal: string | undefined;
  const walk = (s: unknown, path: readonly string[], reachable: boolean): void => {
    if (Array.isArray(s)) return s.forEach((one) => walk(one, path, false));
    if (!isObj(s)) return;
    const header: unknown = s['x-mcp-header'];
    if (header !== undefined) {
      if (!reachable || path.length === 0) illegal ??= 'an x-mcp-header stands where no single argument is described';
      else if (typeof header !== 'string' || !TOKEN.test(header)) illegal ??= 'an x-mcp-header is no name of a header';
      else if (seen.has(header.toLowerCase())) illegal ??= 'an x-mcp-header is given twice';
      else if (!TYPES.has(s.type as string))
        illegal ??= 'an x-mcp-header is on an argument that is not a string, integer or boolean'; // any other type is in no set
      else {
        seen.add(header.toLowerCase());
        found.push([[...path], header]);
      }
    }
    for (const [key, value] of Object.entries(s) as [string, unknown][]) {
      if (key === 'properties' && isObj(value))
        for (const [name, child] of Object.entries(value)) walk(child, [...path, name], reachable);
      else if (!DATA.has(key)) walk(value, path, false);
    }
  };
  walk(schema, [], true);
  return illegal === undefined ? found : { illegal };
}

/** The headers of one request; `tool`: those its schema asks for. */
export function requestHeaders(method: string, params: Obj, tool: ParamHeaders = []): Record<string, string> {
  const headers: Record<string, string> = { 'mcp-method': method };
  const name: unknown = params[NAMED[method] ?? ''];
  if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
  for (const [path, header] of tool) {
    let value: unknown = params.arguments;
    for (const key of path) value = isObj(value) ? (value[key] as unknown) : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      headers[`mcp-param-${header.toLowerCase()}`] = headerValue(String(value));
  }
  return headers;
}
