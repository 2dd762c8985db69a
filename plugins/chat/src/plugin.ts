/** Conversations with any agent that a plugin brings: one talk, many screens. */
import { definePlugin, serviceToken } from '@coffer/kernel';
import { chatRoutes } from './api.js';
import { createChat, type Chat } from './chat.js';
import { chatRetention } from './retention.js';
import { openStore } from './store.js';

/** Channels take it as `serviceToken<Chat>('chat')`. */
const CHAT = serviceToken<Chat>('chat');
export type { AgentView, Chat, ConversationView, Said } from './chat.js';
export type * from './types.js';

export default definePlugin({
  name: 'chat',
  apiVersion: 1,

  register(kernel) {
    const store = openStore(kernel);
    const left = store.sweep();
    if (left > 0) kernel.log.warn('turns that an earlier Coffer did not end are marked failed', { turns: left });
    const chat = createChat(kernel, store);

    kernel.provide(CHAT, chat);
    kernel.routes(chatRoutes(chat));
    kernel.tap(kernel.hooks.retention.tables, (tables) => chatRetention(chat).forEach((t) => tables.add(t)));
    kernel.effect('turns', () => () => chat.close());
  },
});
