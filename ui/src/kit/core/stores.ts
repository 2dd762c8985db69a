/** What several pages show at once, read once. */
import { api, query } from './api.js';
import { Source } from './data.js';
import type { AuditEntry, Credential, Invocation, Kind, Machine, Plugin, Resource, Session } from './types.js';

export const resources = new Source(
  () => api.get<{ resources: Resource[] }>('/resources').then((a) => a.resources),
  ['resource', 'plugin'],
);
export const kinds = new Source(() => api.get<{ kinds: Kind[] }>('/kinds').then((a) => a.kinds), ['plugin']);
export const plugins = new Source(() => api.get<{ plugins: Plugin[] }>('/plugins').then((a) => a.plugins), ['plugin']);
/** Clients that are connected now. What the daemon calls for itself, as when a tool is tried from a page, is no client. */
export const sessions = new Source(
  () => api.get<{ sessions: Session[] }>('/gateway/sessions').then((a) => a.sessions.filter((s) => !s.inside)),
  ['session'],
);
export const machines = new Source(
  () => api.get<{ machines: Machine[] }>('/machines').then((a) => a.machines),
  ['audit'],
);
export const credentials = new Source(
  () => api.get<{ credentials: Credential[] }>('/credentials').then((a) => a.credentials),
  ['audit', 'resource'],
);
/** Calls of the last 24 hours, newest first; at most 500. */
export const recentCalls = new Source(
  () =>
    api
      .get<{ invocations: Invocation[] }>(
        `/invocations${query({ limit: 500, since: new Date(Date.now() - 86_400_000).toISOString() })}`,
      )
      .then((a) => a.invocations),
  ['invocation'],
);
/** Changes of the last 24 hours, newest first; at most 500. */
export const recentChanges = new Source(
  () =>
    api
      .get<{ entries: AuditEntry[] }>(
        `/audit${query({ limit: 500, since: new Date(Date.now() - 86_400_000).toISOString() })}`,
      )
      .then((a) => a.entries),
  ['audit'],
);
