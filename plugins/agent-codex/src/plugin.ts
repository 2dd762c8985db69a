/** Codex: where its own files are and what is in them, and conversations with it. */
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { AgentTypes } from '@coffer/kind-agent';
import { codexChat } from './chat/provider.js';
import { codex } from './definition.js';

export default definePlugin({
  name: 'agent-codex',
  apiVersion: 1,
  requires: ['kind-agent'],

  register(kernel) {
    const forget = kernel.use(serviceToken<AgentTypes>('agent-types')).add(codex);
    kernel.effect('agent type', () => forget);
    kernel.tap(kernel.hooks.agents.register, (registry) => registry.add(codexChat(kernel)));
  },
});
