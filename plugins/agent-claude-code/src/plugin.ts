/** Claude Code: conversations with it. */
import { definePlugin } from '@coffer/kernel';
import { claudeChat } from './chat/provider.js';

export default definePlugin({
  name: 'agent-claude-code',
  apiVersion: 1,
  register(kernel) {
    kernel.tap(kernel.hooks.agents.register, (registry) => registry.add(claudeChat(kernel)));
  },
});
