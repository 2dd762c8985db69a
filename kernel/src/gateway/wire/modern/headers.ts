/** Values of MCP in HTTP headers (2026-07-28): base64 form where plain text does not fit, and the headers a tool's schema asks for. */
import { isObj, type Obj } from '../../../json.js';

const PLAIN = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?(.*)\?=$/;

export function encodeHeader(value: string): string {
  return PLAIN.test(value) && !ENCODED.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Undefined for a base64 form that is none. */
export function decodeHeader(value: string): string | undefined {
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  return /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0
    ? Buffer.from(base64, 'base64').toString('utf8')
    : undefined;
}

export interface ParamHeader {
  /** Where in the arguments. */
  readonly path: readonly string[];
  /** `Mcp-Param-<header>`. */
  readonly header: string;
}

/** The headers a tool's input schema asks for with `x-mcp-header`; undefined when one of them is against the rules. */
export function paramHeaders(schema: Obj): ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  const seen = new Set<string>();
  let legal = true;
  /** `direct`: reached through `properties` alone, so that the place in the arguments is sure. */
  const walk = (node: unknown, path: readonly string[], direct: boolean): void => {
    if (Array.isArray(node)) return node.forEach((n) => walk(n, path, false));
    if (!isObj(node)) return;
    const header: unknown = node['x-mcp-header'];
    if (header !== undefined) {
      const simple = ['string', 'integer', 'boolean'].includes(node['type'] as string);
      const token = typeof header === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header);
      if (direct && path.length > 0 && simple && token && !seen.has(header.toLowerCase())) {
        seen.add(header.toLowerCase());
        found.push({ path, header });
      } else legal = false;
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties' && isObj(value))
        for (const [name, child] of Object.entries(value)) walk(child, [...path, name], direct);
      else if (!['default', 'const', 'enum', 'examples'].includes(key)) walk(value, path, false);
    }
  };
  walk(schema, [], true);
  return legal ? found : undefined;
}
