/** Verified against the real program, version 2.1.332: see test/agents.test.ts of the repository. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { AgentDefinition, AgentPlace } from '@coffer/kind-agent';
import { model } from './model.js';
import { plugins } from './plugins.js';

export const settings = ({ dir }: AgentPlace): string => path.join(dir, 'settings.json');

/** With a folder of its own, everything is in that; else this one file lies beside the folder. */
const global = ({ dir, usual, home }: AgentPlace): string => path.join(usual ? home : dir, '.claude.json');

export const claudeCode: AgentDefinition = {
  type: 'claude_code',
  name: 'claude-code',
  label: 'Claude Code',
  defaultDir: '.claude',
  program: { command: 'claude', dirVariable: 'CLAUDE_CONFIG_DIR' },
  facets: {
    mcpConfig: {
      sources: [
        { key: 'global', format: 'json', file: global, path: ['mcpServers'] },
        { key: 'settings', format: 'json', file: settings, path: ['mcpServers'] },
      ],
      entry: ({ command, args, env }) => ({ type: 'stdio', command, args, env }),
      ownBackups,
    },
    configFiles: [
      { key: 'settings', label: 'Settings', format: 'json', file: settings },
      {
        key: 'settings_local',
        label: 'Local settings',
        format: 'json',
        file: ({ dir }) => path.join(dir, 'settings.local.json'),
      },
      { key: 'global', label: 'Global state', format: 'json', file: global },
      {
        key: 'instructions',
        label: 'Instructions',
        format: 'markdown',
        file: ({ dir }) => path.join(dir, 'CLAUDE.md'),
      },
      { key: 'subagents', label: 'Subagents', format: 'directory', folder: ({ dir }) => path.join(dir, 'agents') },
    ],
    skills: { folder: ({ dir }) => path.join(dir, 'skills') },
    sessionContext: { key: 'settings', format: 'json', file: settings, path: ['hooks', 'SessionStart'] },
    nativeMemory: {
      key: 'settings',
      format: 'json',
      file: settings,
      off: [{ path: ['autoMemoryEnabled'], value: false }],
    },
    modelConnection: model,
    plugins,
  },
};

/** It keeps copies of its global file, made whenever it writes that. */
function ownBackups({ dir }: AgentPlace): string[] {
  const folder = path.join(dir, 'backups');
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}
