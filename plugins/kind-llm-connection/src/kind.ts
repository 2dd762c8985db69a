import { CofferError, type KindDefinition } from '@coffer/kernel';
import { KIND, normalUrl, PROTOCOLS, WIRES, type ConnectionConfig } from './config.js';

/** Types of agents, as their plugins name them: `claude_code`. */
export const AGENT_TYPE = '^[a-z][a-z0-9_]{0,63}$';

/** A model endpoint as a resource. It is made and changed by its own routes: a key comes in there, and agents' files follow a change. */
export const connectionKind: KindDefinition = {
  kind: KIND,
  label: { one: 'LLM connection', many: 'LLM connections' },
  creation: 'own',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['protocol', 'base_url'],
    properties: {
      protocol: {
        enum: [...PROTOCOLS],
        title: 'Protocol',
        description: 'How the endpoint speaks. It stays as it is once the connection exists.',
      },
      base_url: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        title: 'Base URL',
        description: 'Where the API begins: for OpenAI’s protocol with /v1, for Anthropic’s and Ollama’s without.',
      },
      credential_ref: {
        type: ['string', 'null'],
        default: null,
        title: 'Key',
        description: 'The credential that holds the key. Ollama needs none.',
        'x-coffer': { widget: 'credential-ref' },
      },
      compatible_agents: {
        type: ['array', 'null'],
        default: null,
        uniqueItems: true,
        maxItems: 50,
        items: { type: 'string', pattern: AGENT_TYPE },
        title: 'Agents',
        description: 'Types of agents that may run on it. Left out: those that speak its protocol.',
      },
      wire_api: {
        enum: [...WIRES],
        default: 'responses',
        title: 'OpenAI API',
        description: 'Which of OpenAI’s two APIs the endpoint offers.',
      },
    },
  },
  credentialRefs: (config) => {
    const { credential_ref: ref } = config as Partial<ConnectionConfig>;
    return typeof ref === 'string' ? [ref] : [];
  },
  nameRule: (name) => {
    // The name is part of a command line and of another program's settings.
    if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(name))
      throw new CofferError('CONFIG_INVALID', 'A name has letters, digits and _ . - only.', { path: '/name' });
  },
};

/** What the schema cannot say. Throws CONFIG_INVALID. */
export function checkConfig(config: ConnectionConfig): ConnectionConfig {
  if (config.protocol === 'ollama' && config.credential_ref !== null)
    throw new CofferError('CONFIG_INVALID', 'Ollama takes no key: leave it out.', { path: '/credential_ref' });
  if (config.protocol !== 'ollama' && config.credential_ref === null)
    throw new CofferError('CONFIG_INVALID', 'A key is needed: give its value, or the name of a stored credential.', {
      path: '/credential_ref',
    });
  return { ...config, base_url: normalUrl(config.base_url) };
}
