/** Where a name leads: the server behind it and its own key there, or why nowhere. */
import type { Lists } from './lists.js';
import { matchesTemplate, splitUri, type Target } from './names.js';
import type { Exchange, Fault } from './seam.js';
import type { OpenSource, Standing } from './standings.js';
import type { CallInfo, CapabilityType } from './types.js';

export type Found = { open: OpenSource; key: string } | { fault: Fault };

export interface Routing {
  open: (s: Standing, type: CapabilityType, wire: string, target: Target | undefined) => Found;
  /** `coffer://…`, or an upstream's raw URI when exactly one visible server has it (docs/gateway.md). */
  findUri: (s: Standing, uri: string, x: Exchange) => Promise<Found>;
  unknown: (type: CapabilityType, wire: string) => Fault;
}

export function callInfo(
  s: Standing,
  method: string,
  type: CapabilityType,
  found: { open: OpenSource; key: string },
): CallInfo {
  return {
    session: s.session,
    method,
    server: found.open.offer.name,
    ref: found.open.offer.ref,
    type,
    key: found.key,
  };
}

export function createRouting(lists: Lists): Routing {
  const unknown = (type: CapabilityType, wire: string): Fault =>
    type === 'tool'
      ? { name: 'UNKNOWN_TOOL', message: `Unknown tool: ${wire}` }
      : type === 'prompt'
        ? { name: 'UNKNOWN_PROMPT', message: `Unknown prompt: ${wire}` }
        : { name: 'UNKNOWN_RESOURCE', message: `Resource not found: ${wire}`, data: { uri: wire } };
  const off = (wire: string): Fault => ({
    name: 'DISABLED',
    message: `${wire} is disabled. Enable it in Coffer to use it.`,
  });

  const open = (s: Standing, type: CapabilityType, wire: string, target: Target | undefined): Found => {
    const found = target === undefined ? undefined : s.sources.get(target.server);
    if (target === undefined || found === undefined) return { fault: unknown(type, wire) };
    return found.source === undefined ? { fault: off(wire) } : { open: found, key: target.key };
  };

  const findUri = async (s: Standing, uri: string, x: Exchange): Promise<Found> => {
    const target = splitUri(uri);
    if (target !== undefined) return open(s, 'resource', uri, target);
    const owners: OpenSource[] = [];
    for (const o of s.sources.values()) {
      if (o.source === undefined) continue;
      const [resources, templates] = await Promise.all([
        lists.of(s, o, 'resources', x),
        lists.of(s, o, 'resourceTemplates', x),
      ]);
      const listed = (resources ?? []).some((r) => r['uri'] === uri);
      const fits =
        listed ||
        (templates ?? []).some((t) => typeof t['uriTemplate'] === 'string' && matchesTemplate(t['uriTemplate'], uri));
      if (fits) owners.push(o);
    }
    const [only] = owners;
    if (owners.length > 1) {
      return {
        fault: {
          name: 'INVALID_PARAMS',
          message: `Several servers have this resource: ${owners.map((o) => o.offer.name).join(', ')}. Use coffer://<server>/<uri>.`,
          data: { servers: owners.map((o) => o.offer.name) },
        },
      };
    }
    return only === undefined ? { fault: unknown('resource', uri) } : { open: only, key: uri };
  };

  return { open, findUri, unknown };
}
