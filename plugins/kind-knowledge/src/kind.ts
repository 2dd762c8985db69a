import type { KindDefinition, Obj } from '@coffer/kernel';

export const KIND = 'knowledge_base';

/** Characters and bytes. */
export const DEFAULTS = { chunk_size: 800, chunk_overlap: 100, max_document_bytes: 25 * 1_048_576 } as const;

export interface BaseConfig {
  chunk_size: number;
  chunk_overlap: number;
  max_document_bytes: number;
}

export function configOf({ config }: { config: Obj }): BaseConfig {
  return { ...DEFAULTS, ...config };
}

/** A knowledge base as a resource. It has no scope: what is known is known to all agents. */
export const knowledgeKind: KindDefinition = {
  kind: KIND,
  label: { one: 'Knowledge base', many: 'Knowledge' },
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      chunk_size: {
        type: 'integer',
        minimum: 64,
        maximum: 2048,
        default: DEFAULTS.chunk_size,
        title: 'Length of a passage',
        description: 'Characters of the passages that documents are cut into. A change cuts them anew.',
      },
      chunk_overlap: {
        type: 'integer',
        minimum: 0,
        maximum: 1024,
        default: DEFAULTS.chunk_overlap,
        title: 'Overlap',
        description: 'Characters that two pieces of one long paragraph share.',
      },
      max_document_bytes: {
        type: 'integer',
        minimum: 1024,
        maximum: 104_857_600,
        default: DEFAULTS.max_document_bytes,
        title: 'Largest file',
        description: 'Bytes of a file that is taken in.',
      },
    },
  },
};
