/**
 * Names on the wire. `<server>__<name>` for tools and prompts, `coffer://<server>/<original uri>` for resources and templates.
 * Server names hold no `__` and have no `_` at either end, so each wire name has exactly one reading.
 */

/** The prefix of Coffer's own tools; no server may have it. */
export const BUILT_IN = 'coffer';
const SCHEME = 'coffer://';

export interface Target {
  server: string;
  /** The server's own name or URI. */
  key: string;
}

export function wireName(server: string, name: string): string {
  return `${server}__${name}`;
}

export function splitName(name: string): Target | undefined {
  const at = name.indexOf('__');
  return at > 0 && at + 2 < name.length ? { server: name.slice(0, at), key: name.slice(at + 2) } : undefined;
}

export function wireUri(server: string, uri: string): string {
  return `${SCHEME}${server}/${uri}`;
}

export function splitUri(uri: string): Target | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const at = uri.indexOf('/', SCHEME.length);
  return at > SCHEME.length && at + 1 < uri.length
    ? { server: uri.slice(SCHEME.length, at), key: uri.slice(at + 1) }
    : undefined;
}

/** Could this URI have come from this template (RFC 6570)? Generous with what an expression may expand to. */
export function matchesTemplate(template: string, uri: string): boolean {
  let pattern = '';
  let from = 0;
  for (const m of template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)) {
    pattern += escape(template.slice(from, m.index));
    // A simple expression percent-encodes slashes; those with an operator or an explode may hold anything, also nothing.
    pattern += m[1] === '' && !(m[2] ?? '').includes('*') ? '[^/]*' : '.*';
    from = m.index + m[0].length;
  }
  return new RegExp(`^${pattern}${escape(template.slice(from))}$`, 's').test(uri);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
