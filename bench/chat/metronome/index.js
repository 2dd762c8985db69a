/** `WORDS EVERY`: so many words, one every so many milliseconds, each the time at which it was said, in milliseconds since the epoch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin } from '@coffer/kernel';

const now = () => performance.timeOrigin + performance.now();

const metronome = {
  key: 'metronome',
  displayName: 'Metronome',
  configSchema: { type: 'object', properties: {} },
  availability: () => ({ available: true }),
  createAdapter: () => ({
    async *runTurn({ history, signal }) {
      const [words, every] = (history.at(-1)?.text ?? '').split(' ').map(Number);
      for (let i = 0; i < words; i++) {
        yield { type: 'text_delta', text: `${now().toFixed(2)} ` };
        if (every > 0) await sleep(every, undefined, { signal });
      }
      yield { type: 'turn_done', stop_reason: 'end_turn' };
    },
  }),
};

export default definePlugin({
  name: 'agent-metronome',
  apiVersion: 1,
  register: (kernel) => kernel.tap(kernel.hooks.agents.register, (registry) => registry.add(metronome)),
});
