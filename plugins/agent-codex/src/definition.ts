/** Verified against the real program, version 0.171.0: see test/agents.test.ts of the repository. */
import path from 'node:path';
import type { AgentDefinition, AgentPlace } from '@coffer/kind-agent';
import { model } from './model.js';
import { plugins } from './plugins.js';

export const config = ({ dir }: AgentPlace): string => path.join(dir, 'config.toml');
const hooks = ({ dir }: AgentPlace): string => path.join(dir, 'hooks.json');

export const codex: AgentDefinition = {
  type: 'codex',
  name: 'codex',
  label: 'OpenAI Codex',
  defaultDir: '.codex',
  program: { command: 'codex', dirVariable: 'CODEX_HOME' },
  facets: {
    mcpConfig: {
      sources: [{ key: 'config', format: 'toml', file: config, path: ['mcp_servers'], enabledKey: 'enabled' }],
    },
    configFiles: [
      { key: 'config', label: 'Config', format: 'toml', file: config },
      {
        key: 'instructions',
        label: 'Instructions',
        format: 'markdown',
        file: ({ dir }) => path.join(dir, 'AGENTS.md'),
      },
      { key: 'hooks', label: 'Hooks', format: 'json', file: hooks },
    ],
    skills: { folder: ({ dir }) => path.join(dir, 'skills') },
    sessionContext: {
      key: 'hooks',
      format: 'json',
      file: hooks,
      path: ['hooks', 'SessionStart'],
      note: 'Codex runs a new hook only after you have trusted it: type /hooks in a session.',
    },
    nativeMemory: {
      key: 'config',
      format: 'toml',
      file: config,
      off: [
        { path: ['features', 'memories'], value: false },
        { path: ['memories', 'generate_memories'], value: false },
      ],
    },
    modelConnection: model,
    plugins,
  },
};
