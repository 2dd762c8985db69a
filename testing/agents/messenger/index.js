/** A channel that exists only in tests: what is posted to it is said in the conversation of its one peer, as a phone would say it. */
import { definePlugin, serviceToken } from '@coffer/kernel';

export default definePlugin({
  name: 'messenger',
  apiVersion: 1,
  requires: ['chat'],
  register(kernel) {
    const chat = kernel.use(serviceToken('chat'));
    const channel = { channel_name: 'phone-bot', peer_chat_id: '42' };
    let conversation;
    kernel.routes([
      {
        method: 'POST',
        path: '/messenger',
        summary: 'A message from the phone',
        body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        response: { type: 'object' },
        async handle({ body }) {
          conversation ??= await chat.create({ agent_key: 'parrot', channel }, 'system');
          const said = { text: body.text, title: body.text.split('\n')[0], from: channel.channel_name };
          return { conversation: conversation.id, ...chat.send(conversation.id, said) };
        },
      },
    ]);
  },
});
