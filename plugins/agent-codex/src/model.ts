import path from 'node:path';
import { CofferError } from '@coffer/kernel';
import type { ModelFacet } from '@coffer/kind-agent';

/** How it finds the provider again; the same word in `model_provider` and in the table of providers. */
const PROVIDER = 'coffer';

/**
 * It takes the key from a command (`auth`), started without a shell, so neither a file nor the environment holds one. Since 2026 it
 * speaks OpenAI's Responses API alone.
 */
export const model: ModelFacet = {
  key: 'config',
  format: 'toml',
  file: ({ dir }) => path.join(dir, 'config.toml'),
  protocols: ['openai'],
  managed: [['model'], ['model_provider'], ['model_providers', PROVIDER]],
  settings({ base_url, model: main, wire_api = 'responses', protocol }, [command = '', ...args]) {
    if (protocol === 'anthropic' || protocol === 'ollama')
      throw new CofferError('LLM_INCOMPATIBLE', 'Codex speaks the protocol of OpenAI alone.');
    return [
      ...(main === undefined ? [] : [{ path: ['model'], value: main }]),
      { path: ['model_provider'], value: PROVIDER },
      {
        path: ['model_providers', PROVIDER],
        value: { name: 'Coffer', base_url, wire_api, auth: { command, args } },
      },
    ];
  },
};
