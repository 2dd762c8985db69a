import { CofferError, type JsonSchema, type KindDefinition } from '@coffer/kernel';
import { KIND } from './config.js';

const schema: JsonSchema = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', minLength: 1, maxLength: 48, title: 'Type', description: 'Which agent it is.' },
    config_dir: {
      type: ['string', 'null'],
      maxLength: 4096,
      default: null,
      title: 'Settings folder',
      description: 'Where it keeps its settings; the usual place when empty.',
    },
    disable_native_memory: {
      type: 'boolean',
      default: false,
      title: 'No memory of its own',
      description:
        'It is told not to keep notes of its own, so that everything is in the memory that all agents share.',
    },
  },
};

/** Agents as resources. They are registered by their own route, which looks at the folder first; they are never switched off. */
export const agentKind: KindDefinition = {
  kind: KIND,
  label: { one: 'Agent', many: 'Agents' },
  schema,
  scopeAxes: ['machine'],
  creation: 'own',
  nameRule(name) {
    if (!/^[a-z0-9][a-z0-9_.-]*$/.test(name))
      throw new CofferError(
        'CONFIG_INVALID',
        'The name of an agent is lower case: letters, digits, dots, dashes, underscores.',
        {
          pointer: '/name',
        },
      );
  },
};
