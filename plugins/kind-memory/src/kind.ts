import type { KindDefinition } from '@coffer/kernel';

export const KIND = 'memory';

/** Characters of one fact. */
export const FACT_CHARS = { default: 8192, least: 64, most: 32_768 } as const;

/** A store of facts as a resource. It has no scope: what one agent learnt, all may know. */
export const memoryKind: KindDefinition = {
  kind: KIND,
  label: { one: 'Memory store', many: 'Memory' },
  creation: 'own',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      label: { type: 'string', maxLength: 200, title: 'Name', description: 'What the store is shown as' },
      identity: {
        type: 'string',
        readOnly: true,
        title: 'Project',
        description: 'The remote its repository came from, or the path where it has none',
      },
      max_fact_chars: {
        type: 'integer',
        minimum: FACT_CHARS.least,
        maximum: FACT_CHARS.most,
        default: FACT_CHARS.default,
        title: 'Length of a fact',
        description: 'The most characters of one fact; what is longer belongs in a knowledge base',
      },
    },
  },
};
