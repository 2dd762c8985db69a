/** Codex: conversations with it. */
import { definePlugin } from '@coffer/kernel';
import { codexChat } from './chat/provider.js';

export default definePlugin({
  name: 'agent-codex',
  apiVersion: 1,
  register(kernel) {
    kernel.tap(kernel.hooks.agents.register, (registry) => registry.add(codexChat(kernel)));
  },
});
