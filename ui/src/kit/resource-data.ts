import { api, query, seg } from './core/api.js';
import { Source } from './core/data.js';
import type { AuditEntry, Invocation, Resource } from './core/types.js';

export interface ResourceFacts {
  resource: Resource;
  changes: AuditEntry[];
  /** Of the last 24 hours, at most 500. */
  calls: Invocation[];
}

export const resourcePath = (kind: string, name: string): string => `/resources/${seg(kind)}/${seg(name)}`;

/** Everything the page of one resource shows, whatever its kind. */
export function resourceFacts(kind: string, name: string): Source<ResourceFacts> {
  const path = resourcePath(kind, name);
  return new Source(async () => {
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const [resource, changes, calls] = await Promise.all([
      api.get<Resource>(path),
      api.get<{ entries: AuditEntry[] }>(`/audit${query({ kind, name, limit: 200 })}`),
      api.get<{ invocations: Invocation[] }>(`${path}/invocations${query({ limit: 500, since })}`),
    ]);
    return { resource, changes: changes.entries, calls: calls.invocations };
  }, ['resource', 'capability', 'audit', 'invocation', 'plugin']);
}

/** Names of agents that were heard of: registered, connected now, in calls, or named in a scope. */
export function knownAgents(
  sessions: readonly { agent: string | null }[],
  calls: readonly { agent: string | null }[],
  resources: readonly Pick<Resource, 'kind' | 'name' | 'scope'>[],
): string[] {
  const names = new Set<string>();
  for (const { agent } of [...sessions, ...calls]) if (agent !== null) names.add(agent);
  for (const { kind, name: own, scope } of resources) {
    if (kind === 'agent') names.add(own);
    for (const v of Object.values(scope ?? {})) if (v !== '*') for (const name of v) names.add(name);
  }
  return [...names].sort();
}
