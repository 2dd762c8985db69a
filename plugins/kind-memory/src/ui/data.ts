import { Source, api, seg, t } from '@coffer/ui';

export const HOME = '/memory';

export interface MemoryStore {
  name: string;
  label: string;
  identity: string | null;
  fact_count: number;
  folder_path: string;
  updated_at: string | null;
}
export interface Fact {
  id: string;
  name: string;
  description: string | null;
  text: string;
  actor: string | null;
  agent: string | null;
  created_at: string;
  updated_at: string;
  version: string;
  path: string;
}
export interface Hit {
  /** `<store>:<fact>` */
  id: string;
  text: string;
}

/** What was told by a hand edit too: the daemon sees the files. */
const EVENTS = ['memory', 'retrieval', 'resource'];

export const memoryStores = new Source(
  () => api.get<{ stores: MemoryStore[] }>('/memory_stores').then((a) => a.stores),
  EVENTS,
);

export const storePath = (store: string): string => `/memory_stores/${seg(store)}`;
export const factPath = (store: string, id: string): string => `${storePath(store)}/facts/${seg(id)}`;

export function factsOf(store: string): Source<Fact[]> {
  return new Source(
    () => api.get<{ facts: Fact[] }>(`${storePath(store)}/facts?limit=1000`).then((a) => a.facts),
    EVENTS,
  );
}

export function rulesOf(store: string): Source<string> {
  return new Source(() => api.get<{ text: string }>(`${storePath(store)}/rules`).then((a) => a.text), EVENTS);
}

/** Who wrote it: an agent by name, a person here, or nobody that said so. */
export function writer(f: Fact): string {
  return f.agent ?? (f.actor === null ? t('in an editor') : t('you'));
}
