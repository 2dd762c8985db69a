import { Source, api, query, seg, type Scope } from '@coffer/ui';

export const KIND = 'agent';
export const HOME = '/agents';

export interface Agent {
  name: string;
  type: string;
  label: string;
  description: string | null;
  config_dir: string | null;
  usual_dir: boolean;
  dir_exists: boolean;
  disable_native_memory: boolean;
  here: boolean;
  facets: string[];
  scope: Scope;
  version?: string | null;
  program?: string | null;
}
export interface Candidate {
  type: string;
  display_name: string;
  config_dir: string;
  suggested_name: string;
}
export interface AgentType {
  type: string;
  name: string;
  label: string;
  default_dir: string;
}
export interface Client {
  id: string;
  label: string;
  path: string;
  found: boolean;
  connected: boolean;
  problem: string | null;
}
export interface Installed {
  installed: boolean;
  command: string | null;
  path: string;
  current: boolean;
  works?: boolean;
  note?: string | null;
}
export interface Entry {
  name: string;
  source: string;
  path: string;
  command: string | null;
  url: string | null;
  enabled: boolean | null;
  is_coffer: boolean;
  matches_resource: string | null;
  secrets: { key: string; ref: string }[];
  problem: string | null;
}
export interface Entries {
  items: Entry[];
  parse_errors: { source: string; path: string; error: string }[];
}
export interface FileItem {
  key: string;
  display_name: string;
  path: string;
  kind: 'file' | 'directory';
  exists: boolean;
  size: number;
  modified_at: string | null;
  files: string[];
}
export interface FileContent {
  content: string;
  exists: boolean;
  fingerprint: string;
}
export interface NativePlugin {
  id: string;
  name: string;
  marketplace: string | null;
  version: string | null;
  enabled: boolean;
  problem: string | null;
}
export interface Sees {
  servers: { server: string; tools: string[]; tokens: number }[];
  tools: number;
  tokens: number;
  prompts: string[];
  resources: number;
  skills: string[];
  session_context: string;
  not: { ref: string; name: string; kind: string; why: string; reason: string }[];
}
export interface RunsOn {
  agent: string;
  connection: string | null;
  model: string | null;
  fast_model: string | null;
}

/** The address of an agent's part. */
export const at = (name: string, ...more: string[]): string => `/agents/${[name, ...more].map(seg).join('/')}`;
export const agentHref = (name: string): string => `${HOME}/${seg(name)}`;

export const agents = new Source(
  () => api.get<{ items: Agent[] }>('/agents').then((a) => a.items),
  ['resource', 'plugin'],
);
export const candidates = new Source(
  () => api.get<{ candidates: Candidate[] }>('/agents/candidates').then((a) => a.candidates),
  ['resource', 'plugin'],
);
export const types = new Source(
  () => api.get<{ types: AgentType[] }>('/agents/types').then((a) => a.types),
  ['plugin'],
);
export const clients = new Source(() => api.get<{ clients: Client[] }>('/clients').then((a) => a.clients), ['audit']);

/** What belongs to one agent. It is in the agent's own files, which change without a word: each visit reads it anew. */
export const oneAgent = (name: string): Source<Agent> =>
  new Source(() => api.get<Agent>(at(name)), ['resource', 'plugin']);
export const installed = (name: string, what: 'mcp-install' | 'hook-install'): Source<Installed> =>
  new Source(() => api.get<Installed>(at(name, what)), ['audit']);
export const entriesOf = (name: string): Source<Entries> =>
  new Source(() => api.get<Entries>(at(name, 'mcp-entries')), ['audit']);
export const filesOf = (name: string): Source<FileItem[]> =>
  new Source(() => api.get<{ items: FileItem[] }>(at(name, 'config-files')).then((a) => a.items), ['audit']);
export const pluginsOf = (name: string): Source<NativePlugin[]> =>
  new Source(() => api.get<{ items: NativePlugin[] }>(at(name, 'plugins')).then((a) => a.items), ['audit']);
export const seesOf = (name: string, cwd: string): Source<Sees> =>
  new Source(
    () => api.get<Sees>(`${at(name, 'sees')}${query({ cwd: cwd === '' ? undefined : cwd })}`),
    ['resource', 'plugin'],
  );
/** Of all agents, since the plugin of connections knows them; nothing when it is off. */
export const runsOn = new Source(
  () =>
    api
      .get<{ agents: RunsOn[] }>('/llm-agents')
      .then((a) => a.agents)
      .catch((): RunsOn[] => []),
  ['llm', 'plugin'],
);
