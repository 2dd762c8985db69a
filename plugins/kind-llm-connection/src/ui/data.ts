import { Source, api, format, seg, t, type State } from '@coffer/ui';

export const KIND = 'llm_connection';
export const HOME = '/llm';
export const PROTOCOLS = ['anthropic', 'openai', 'ollama', 'unknown'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
export type Wire = 'responses' | 'chat';

export interface LastTest {
  at: string;
  ok: boolean;
  message: string;
  duration_ms: number;
}
export interface Connection {
  name: string;
  ref: string;
  description: string | null;
  enabled: boolean;
  protocol: Protocol;
  base_url: string;
  credential_ref: string | null;
  compatible_agents: string[] | null;
  wire_api: Wire;
  used_by: string[];
  fits: string[];
  internal_default: boolean;
  last_test: LastTest | null;
}
export interface Agent {
  agent: string;
  type: string;
  label: string;
  connection: string | null;
  model: string | null;
  fast_model: string | null;
  choices: string[];
}
export interface Engine {
  connection: string | null;
  model: string | null;
}
export interface Preset {
  id: string;
  label: string;
  protocol: Protocol;
  base_url: string;
  wire_api?: Wire;
  keys_at?: string;
}
export interface Tested {
  ok: boolean;
  message: string;
  duration_ms: number;
  models: string[];
}
export interface Change {
  path: string;
  before: string;
  after: string;
}
/** What an agent is to be switched to; null: its own login. */
export interface Wish {
  connection: string | null;
  model: string | null;
  fast_model: string | null;
}

export const connectionPath = (name: string): string => `/llm-connections/${seg(name)}`;
export const connectionHref = (name: string): string => `${HOME}/${seg(name)}`;
export const agentPath = (agent: string): string => `/llm-agents/${seg(agent)}`;

const MOVES = ['resource', 'llm', 'plugin'];
export const connections = new Source(
  () => api.get<{ connections: Connection[] }>('/llm-connections').then((a) => a.connections),
  MOVES,
);
export const agents = new Source(() => api.get<{ agents: Agent[] }>('/llm-agents').then((a) => a.agents), MOVES);
export const engine = new Source(() => api.get<Engine>('/llm-engine'), MOVES);
export const presets = new Source(() => api.get<{ presets: Preset[] }>('/llm-presets').then((a) => a.presets), []);

export function modelsOf(name: string): Promise<{ models: string[]; message: string | null }> {
  return api.get(`${connectionPath(name)}/models`);
}

export function stateWords(c: Connection): { state: State; word: string } {
  if (!c.enabled) return { state: 'off', word: t('switched off') };
  if (c.last_test === null) return { state: 'unk', word: t('not tested') };
  if (!c.last_test.ok) return { state: 'bad', word: c.last_test.message };
  return { state: 'ok', word: t('answered {time}', { time: format.ago(c.last_test.at) }) };
}

export const speaks = (c: Pick<Connection, 'protocol' | 'wire_api'>): string =>
  c.protocol === 'openai' ? `openai, ${c.wire_api}` : c.protocol;

/** Two letters for an agent, as a badge. */
export const initials = (label: string): string =>
  label
    .split(/[\s-]+/)
    .map((w) => w[0] ?? '')
    .join('')
    .slice(0, 2);
