/** A third agent, as anybody could write it: a plugin that names kind-agent in `requires` and describes itself. */
import path from 'node:path';
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { AgentDefinition, AgentPlace, AgentTypes } from '../src/plugin.js';

const settings = ({ dir }: AgentPlace): string => path.join(dir, 'gnu.json');

export const gnu: AgentDefinition = {
  type: 'gnu_coder',
  name: 'gnu-coder',
  label: 'GNU Coder',
  defaultDir: '.gnu-coder',
  program: { command: 'gnu-coder', dirVariable: 'GNU_CODER_HOME' },
  facets: {
    mcpConfig: {
      sources: [{ key: 'gnu', format: 'json', file: settings, path: ['tools', 'mcp'], enabledKey: 'on' }],
      entry: ({ command, args, env }) => ({ run: [command, ...args].join(' '), command, args, env, on: true }),
    },
    configFiles: [
      { key: 'gnu', label: 'Settings', format: 'json', file: settings },
      { key: 'herd', label: 'Herd', format: 'directory', folder: ({ dir }) => path.join(dir, 'herd') },
    ],
    skills: { folder: ({ dir }) => path.join(dir, 'tricks') },
    modelConnection: {
      key: 'gnu',
      format: 'json',
      file: settings,
      protocols: ['openai', 'ollama'],
      managed: [['brain']],
      settings: ({ base_url, model = 'any' }, keyCommand) => [
        { path: ['brain'], value: { at: base_url, model, key_from: keyCommand } },
      ],
    },
  },
};

export default definePlugin({
  name: 'agent-gnu-coder',
  apiVersion: 1,
  requires: ['kind-agent'],
  register(kernel) {
    const forget = kernel.use(serviceToken<AgentTypes>('agent-types')).add(gnu);
    kernel.effect('agent type', () => forget);
  },
});
