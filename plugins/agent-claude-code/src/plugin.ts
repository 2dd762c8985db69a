/** Claude Code: where its own files are and what is in them, and conversations with it. */
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { AgentTypes } from '@coffer/kind-agent';
import { claudeChat } from './chat/provider.js';
import { claudeCode } from './definition.js';

export default definePlugin({
  name: 'agent-claude-code',
  apiVersion: 1,
  requires: ['kind-agent'],

  register(kernel) {
    const forget = kernel.use(serviceToken<AgentTypes>('agent-types')).add(claudeCode);
    kernel.effect('agent type', () => forget);
    kernel.tap(kernel.hooks.agents.register, (registry) => registry.add(claudeChat(kernel)));
  },
});
