import { Source, api, query, seg, type Problem } from '@coffer/ui';
import type { Agent, Conversation } from './types.js';

export type * from './types.js';

export const HOME = '/chat';

/** Messages read at once. */
export const PAGE = 100;

export const agents = new Source(() => api.get<{ agents: Agent[] }>('/chat/agents').then((a) => a.agents), ['plugin']);

export interface List {
  conversations: Conversation[];
  total: number;
}
export function conversations(archived: boolean, search: string, limit: number): Source<List> {
  return new Source(
    () => api.get<List>(`/chat/conversations${query({ archived: String(archived), search, limit })}`),
    ['chat'],
  );
}
export function conversation(id: string): Source<Conversation> {
  return new Source(() => api.get<Conversation>(pathOf(id)), ['chat', 'plugin']);
}

export const pathOf = (id: string, more = ''): string => `/chat/conversations/${seg(id)}${more}`;
export const hrefOf = (id: string): string => `${HOME}/${seg(id)}`;

/** Faults of the fields of a config, where the server named them. */
export type Faults = readonly Problem[];
