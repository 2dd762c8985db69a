import { CofferError, type JsonSchema, type KindDefinition } from '@coffer/kernel';
import { KIND } from './config.js';
import { NAME } from './frontmatter.js';

const text = (title: string): JsonSchema => ({ type: 'string', title });
const textOrNone = (title: string): JsonSchema => ({ type: ['string', 'null'], title });

function source(type: string, title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    title,
    required: ['type', ...Object.keys(properties)],
    additionalProperties: false,
    properties: { type: { const: type }, ...properties },
  };
}

const schema: JsonSchema = {
  type: 'object',
  required: ['source', 'description', 'content_hash', 'last_synced_at'],
  additionalProperties: false,
  properties: {
    source: {
      title: 'Source',
      description: 'Where it came from. The vault holds the only copy that counts.',
      type: 'object',
      required: ['type'],
      discriminator: { propertyName: 'type' },
      oneOf: [
        source('folder', 'Folder', { path: text('Path') }),
        source('git', 'Git repository', {
          url: text('Address'),
          ref: textOrNone('Branch or tag'),
          subpath: textOrNone('Folder in the repository'),
          commit: text('Commit'),
        }),
        source('zip', 'Archive', { archive: text('File'), folder: text('Folder in the archive') }),
        source('adopted', 'Taken over from an agent', { agent: textOrNone('Agent'), path: text('Path') }),
      ],
    },
    description: { type: 'string', title: 'Description', description: 'As SKILL.md has it.' },
    content_hash: { type: 'string', title: 'Content hash', description: 'SHA-256 of the whole folder as it came.' },
    last_synced_at: {
      type: ['string', 'null'],
      format: 'date-time',
      title: 'Last taken from its source',
    },
  },
};

/** Skills as resources. They are made by importing and adopting, never by the generic routes. */
export const skillKind: KindDefinition = {
  kind: KIND,
  label: { one: 'Skill', many: 'Skills' },
  schema,
  scopeAxes: ['machine', 'agent'],
  creation: 'own',
  nameRule(name) {
    if (!NAME.test(name))
      throw new CofferError(
        'CONFIG_INVALID',
        'The name of a skill is 1 to 64 lower case letters, digits, dashes or underscores and starts with a letter or digit.',
        { pointer: '/name' },
      );
  },
};
