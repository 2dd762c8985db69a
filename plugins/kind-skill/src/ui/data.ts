import { Source, api, seg, t, type Resource, type Scope, type State } from '@coffer/ui';

export const KIND = 'skill';
export const HOME = '/skills';

export interface Problem {
  file: string;
  line: number | null;
  reason: string;
}
export interface Delivery {
  skill: string;
  agent: string;
  path: string;
  wanted: boolean;
  state: 'linked' | 'copied' | 'not_delivered' | 'missing' | 'tampered' | 'replaced' | 'unreachable' | 'left_over';
  reason: string | null;
}
export interface SkillSource {
  type: 'folder' | 'git' | 'zip' | 'adopted';
  path?: string;
  url?: string;
  ref?: string | null;
  subpath?: string | null;
  commit?: string;
  archive?: string;
  folder?: string;
}
export interface Skill {
  name: string;
  description: string;
  enabled: boolean;
  scope: Scope;
  source: SkillSource;
  edited: boolean;
  last_synced_at: string | null;
  file_count: number;
  size_bytes: number;
  valid: boolean;
  problem: Problem | null;
  path: string;
  deliveries: Delivery[];
}
export interface FileNode {
  name: string;
  path: string;
  type: 'file' | 'folder' | 'link';
  size: number;
  children?: FileNode[];
}
export interface FileContent {
  path: string;
  content: string | null;
  binary: boolean;
  truncated: boolean;
  size: number;
}
export interface Staged {
  name: string;
  folder: string;
  description: string;
  file_count: number;
  size_bytes: number;
  valid: boolean;
  problem: Problem | null;
  taken: boolean;
  edited: boolean;
}
export interface Stage {
  id: string;
  label: string;
  skills: Staged[];
}
export interface Drift {
  skill_name: string;
  agent_name: string | null;
  kind: 'missing_link' | 'tampered_link' | 'replaced_with_regular' | 'missing_master' | 'orphan_master';
  target_path: string;
  reason: string;
  suggested_remedy: string;
}
export interface Unmanaged {
  agent: string;
  name: string;
  path: string;
  location: string;
  valid: boolean;
  problem: Problem | null;
  foreign_link: boolean;
  taken: boolean;
}

export const skillPath = (name: string): string => `/skills/${seg(name)}`;
export const skillHref = (name: string): string => `${HOME}/${seg(name)}`;
export const contentPath = (name: string, file: string): string => `${skillPath(name)}/files/content?path=${seg(file)}`;

export const skills = new Source(
  () => api.get<{ skills: Skill[] }>('/skills').then((a) => a.skills),
  ['resource', 'plugin'],
);
export const targets = new Source(
  () => api.get<{ targets: { agent: string; folder: string }[] }>('/skill-targets').then((a) => a.targets),
  ['plugin', 'resource'],
);
export const unmanaged = new Source(
  () => api.get<{ items: Unmanaged[] }>('/unmanaged-skills').then((a) => a.items),
  ['resource', 'plugin'],
);

export const problemWords = (p: Problem): string =>
  `${p.line === null ? p.file : t('{file}, line {line}', { file: p.file, line: p.line })}: ${p.reason}`;

const STATES: Record<Delivery['state'], [State, () => string]> = {
  linked: ['ok', () => t('Linked')],
  copied: ['warn', () => t('Copied')],
  not_delivered: ['off', () => t('Not delivered')],
  missing: ['warn', () => t('Missing')],
  tampered: ['warn', () => t('Leads elsewhere')],
  replaced: ['warn', () => t('Not a link any more')],
  unreachable: ['away', () => t('Agent not there')],
  left_over: ['warn', () => t('Left over')],
};
export function deliveryState(d: Delivery): { state: State; word: string } {
  const [state, word] = STATES[d.state];
  return { state, word: word() };
}
export const drifted = (d: Delivery): boolean => !['linked', 'copied', 'not_delivered'].includes(d.state);
export const needsYou = (s: Skill): boolean => !s.valid || s.deliveries.some(drifted);

/** Where it came from, in a line. */
export function originOf(r: Resource): { a: string; d: string } {
  const source = r.config['source'] as SkillSource;
  switch (source.type) {
    case 'git':
      return { a: t('From git, {commit}', { commit: (source.commit ?? '').slice(0, 7) }), d: source.url ?? '' };
    case 'zip':
      return { a: t('From an archive'), d: source.archive ?? '' };
    case 'adopted':
      return { a: t('Taken over from an agent'), d: source.path ?? '' };
    default:
      return { a: t('From a folder'), d: source.path ?? '' };
  }
}
