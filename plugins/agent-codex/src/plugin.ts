/** Codex: where its own files are and what is in them. */
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { AgentTypes } from '@coffer/kind-agent';
import { codex } from './definition.js';

export default definePlugin({
  name: 'agent-codex',
  apiVersion: 1,
  requires: ['kind-agent'],

  register(kernel) {
    const forget = kernel.use(serviceToken<AgentTypes>('agent-types')).add(codex);
    kernel.effect('agent type', () => forget);
  },
});
