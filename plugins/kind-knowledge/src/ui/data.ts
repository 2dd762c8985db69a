import { Source, api, resourcePath, seg } from '@coffer/ui';

export const KIND = 'knowledge_base';
export const HOME = '/knowledge';

export interface KnowledgeDocument {
  document_id: string;
  title: string;
  source_filename: string | null;
  source_format: string | null;
  source_mode: 'converted' | 'edited';
  bytes: number;
  updated_at: string;
  path: string;
}
export interface Passage {
  document_id: string;
  title: string;
  headings: string[];
  text: string;
  position: number;
}

/** What was told by a hand edit too: the daemon sees the files. */
const EVENTS = ['knowledge', 'retrieval', 'resource'];

export const basePath = (name: string): string => resourcePath(KIND, name);
export const baseHref = (name: string): string => `${HOME}/${encodeURIComponent(name)}`;
export const documentPath = (name: string, id: string): string => `${basePath(name)}/documents/${seg(id)}`;

export function documentsOf(name: string): Source<KnowledgeDocument[]> {
  return new Source(
    () =>
      api.get<{ documents: KnowledgeDocument[] }>(`${basePath(name)}/documents?limit=1000`).then((a) => a.documents),
    EVENTS,
  );
}
