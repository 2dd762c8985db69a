import { CofferError } from '@coffer/kernel';
import type { ModelFacet } from '@coffer/kind-agent';
import path from 'node:path';

/** One word for a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/**
 * It speaks Anthropic's protocol alone. The key is asked of a command whenever one is needed, so none stands in a file.
 * ANTHROPIC_SMALL_FAST_MODEL is the older name of the model for small jobs and still counts; newer versions prefer
 * ANTHROPIC_DEFAULT_HAIKU_MODEL.
 */
export const model: ModelFacet = {
  key: 'settings',
  format: 'json',
  file: ({ dir }) => path.join(dir, 'settings.json'),
  protocols: ['anthropic'],
  managed: [
    ['apiKeyHelper'],
    ['env', 'ANTHROPIC_BASE_URL'],
    ['env', 'ANTHROPIC_MODEL'],
    ['env', 'ANTHROPIC_SMALL_FAST_MODEL'],
  ],
  settings({ base_url, model: main, fast_model, protocol }, keyCommand) {
    if (protocol === 'ollama' || protocol === 'openai')
      throw new CofferError('LLM_INCOMPATIBLE', 'Claude Code speaks the protocol of Anthropic alone.');
    const set = [
      { path: ['apiKeyHelper'], value: keyCommand.map(quoted).join(' ') },
      { path: ['env', 'ANTHROPIC_BASE_URL'], value: base_url },
    ];
    if (main !== undefined) set.push({ path: ['env', 'ANTHROPIC_MODEL'], value: main });
    if (fast_model !== undefined) set.push({ path: ['env', 'ANTHROPIC_SMALL_FAST_MODEL'], value: fast_model });
    return set;
  },
};
