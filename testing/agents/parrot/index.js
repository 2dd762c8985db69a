/**
 * An agent that exists only in tests, and does what the message says, line by line:
 *   say TEXT · think TEXT · note TEXT · words N (a word every 20 ms) · wait FILE (until it exists) · tool NAME JSON · result TEXT ·
 *   failed TEXT (of the last tool) · usage MODEL IN OUT · session ID · fail CODE · hang · end
 * Any other message is said back. That Coffer learns of it by its registration alone is what it proves.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin } from '@coffer/kernel';

const KNOWN = /^(say|think|note|words|wait|tool|result|failed|usage|session|fail|hang|end)\b/;

/** Every turn that was begun, newest last; `state` says what became of it. */
async function* turn({ history, config, sessionId, signal }) {
  const message = history.at(-1)?.text ?? '';
  const lines = message.split('\n');
  const commands = lines.every((l) => KNOWN.test(l)) ? lines : [`say You said: ${message}`];
  let calls = 0;
  yield { type: 'session', session_id: sessionId ?? `parrot-${process.pid}-${Math.random()}` };
  yield { type: 'usage', model: config.model ?? 'parrot-1', input_tokens: message.length, output_tokens: 1 };
  for (const line of commands) {
    const [word, ...rest] = line.split(' ');
    const text = rest.join(' ');
    switch (word) {
      case 'say':
        for (const part of text.replaceAll('\\n', '\n').match(/\S+\s*|\s+/g) ?? [])
          yield { type: 'text_delta', text: part };
        break;
      case 'think':
        yield { type: 'thinking_delta', text };
        break;
      case 'note':
        yield { type: 'note', text };
        break;
      case 'words':
        for (let i = 1; i <= Number(text); i++) {
          yield { type: 'text_delta', text: `${i} ` };
          await sleep(20, undefined, { signal });
        }
        break;
      case 'wait':
        while (!existsSync(text)) await sleep(10, undefined, { signal });
        break;
      case 'tool': {
        const [name, ...input] = rest;
        yield { type: 'tool_call', id: `call-${++calls}`, name, input: JSON.parse(input.join(' ') || '{}') };
        break;
      }
      case 'result':
      case 'failed':
        yield { type: 'tool_result', id: `call-${calls}`, output: { content: text }, is_error: word === 'failed' };
        break;
      case 'usage':
        yield { type: 'usage', model: rest[0], input_tokens: Number(rest[1]), output_tokens: Number(rest[2]) };
        break;
      case 'session':
        yield { type: 'session', session_id: text };
        break;
      case 'fail':
        yield { type: 'turn_failed', code: text, message: `The parrot fails: ${text}.` };
        return;
      case 'hang':
        await sleep(3_600_000, undefined, { signal });
        break;
      case 'end':
        return;
    }
  }
  yield { type: 'turn_done', stop_reason: 'end_turn' };
}

const parrot = {
  key: 'parrot',
  displayName: 'Parrot',
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      cwd: { type: 'string', title: 'Folder', description: 'Where it works' },
      model: { type: 'string', title: 'Model', description: 'What it thinks with' },
      colour: { enum: ['green', 'grey'], title: 'Colour', description: 'Of its feathers' },
    },
  },
  availability: () => ({ available: true }),
  models: () => ['parrot-1', 'parrot-2'],
  createAdapter: () => ({ runTurn: turn }),
};
const dodo = {
  ...parrot,
  key: 'dodo',
  displayName: 'Dodo',
  availability: () => ({ available: false, reason: 'it is extinct' }),
};

export default definePlugin({
  name: 'agent-parrot',
  apiVersion: 1,
  register: (kernel) =>
    kernel.tap(kernel.hooks.agents.register, (registry) => {
      registry.add(parrot);
      registry.add(dodo);
    }),
});
