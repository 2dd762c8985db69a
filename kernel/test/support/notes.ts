/** A small kind with a field for each rule that the kernel keeps. */
import type { KindDefinition } from '../../src/resources/types.js';
import { CofferError } from '../../src/errors.js';
import type { Plugin } from '../../src/plugin/contract.js';
import { plugin } from './kernels.js';

export const NOTE: KindDefinition = {
  kind: 'note',
  label: { one: 'note', many: 'notes' },
  schema: {
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 200 },
      colour: { enum: ['red', 'green'], default: 'red' },
      lines: { type: 'integer', minimum: 1, maximum: 9 },
      address: { type: 'string', format: 'uri' },
      code: { type: 'string', pattern: '^[a-z]+$' },
      key: { type: 'string' },
      secret: { type: 'string' },
      tags: { type: 'object', additionalProperties: { type: 'string', maxLength: 4 } },
    },
  },
  scopeAxes: ['machine', 'agent'],
  credentialRefs: (config) => (typeof config['key'] === 'string' ? [config['key']] : []),
  redact: ({ secret: _secret, ...config }) => config,
  nameRule: (name) => {
    if (name.endsWith('-')) throw new CofferError('CONFIG_INVALID', 'A note ends with no dash.');
  },
};

export const notes: Plugin = plugin('kind-note', (k) => k.kinds.define(NOTE));
