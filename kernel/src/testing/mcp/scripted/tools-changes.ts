import type { Obj } from '../../../json.js';
import { NO_ARGUMENTS, object, text } from './content.js';
import type { Call, Handler, Tool, World } from './types.js';

/** How long after the answer a change with `after` is told, in milliseconds. */
const AFTER_MS = 30;

/** Tools that change what the server offers, or its life. */
export const changeTools: Tool[] = [
  change('flip', 'Adds the tool "flipped", or takes it away', 'tools', ({ tools }) => {
    if (!tools.delete('flipped')) {
      tools.set('flipped', {
        definition: { name: 'flipped', description: 'Comes and goes', inputSchema: NO_ARGUMENTS },
        run: () => text('flipped'),
      });
    }
    return tools.has('flipped');
  }),
  change('flip_prompt', 'Adds the prompt "flipped", or takes it away', 'prompts', ({ prompts }) => {
    if (!prompts.delete('flipped')) {
      prompts.set('flipped', { definition: { name: 'flipped' }, get: () => ({ messages: [] }) });
    }
    return prompts.has('flipped');
  }),
  change('flip_resource', 'Adds the resource test://flipped, or takes it away', 'resources', ({ resources }) => {
    const uri = 'test://flipped';
    if (!resources.delete(uri))
      resources.set(uri, { definition: { uri, name: 'flipped' }, contents: { text: 'here' } });
    return resources.has(uri);
  }),
  {
    definition: {
      name: 'burst',
      description: 'Says n times that the tools changed',
      inputSchema: object({ n: { type: 'integer' } }),
    },
    run: (a, call, world) => {
      for (let i = 0; i < (a.n ?? 100); i++) tell(world, call, 'notifications/tools/list_changed');
      return text('ok');
    },
  },
  {
    definition: {
      name: 'touch',
      description: 'Says that each watched resource was updated',
      inputSchema: object({ after: { type: 'boolean' } }),
    },
    run: (a, call, world) => {
      const { subscriptions } = call.session;
      const say = (from?: Call): void => {
        for (const session of world.sessions) {
          for (const uri of session.subscriptions) {
            const params = { uri, title: 'Touched', _meta: { 'x.test/touch': 1 } };
            if (from?.session === session) from.note('notifications/resources/updated', params);
            else session.note('notifications/resources/updated', params);
          }
        }
      };
      if (a.after) setTimeout(say, AFTER_MS);
      else say(call);
      return text([...subscriptions]);
    },
  },
  {
    definition: { name: 'crash', description: 'The process dies before it answers', inputSchema: NO_ARGUMENTS },
    run: () => {
      setTimeout(() => process.exit(1), 20);
      return null;
    },
  },
  {
    definition: { name: 'quit', description: 'The process ends after it answered', inputSchema: NO_ARGUMENTS },
    run: () => {
      setTimeout(() => process.exit(0), 20);
      return text('bye');
    },
  },
];

/** To every session; to the caller's as part of its call, or apart from it when there is no call. */
function tell(world: World, call: Call | undefined, method: string): void {
  for (const session of world.sessions) {
    if (call?.session === session) call.note(method);
    else session.note(method);
  }
}

function change(name: string, description: string, list: string, flip: (world: World) => boolean): Tool {
  const run: Handler = (a: Obj, call, world) => {
    const there = flip(world);
    const method = `notifications/${list}/list_changed`;
    if (a.after) setTimeout(() => tell(world, undefined, method), AFTER_MS);
    else tell(world, call, method);
    return text(there ? 'added' : 'removed');
  };
  return { definition: { name, description, inputSchema: object({ after: { type: 'boolean' } }) }, run };
}
