import { setTimeout as sleep } from 'node:timers/promises';
import type { Obj } from '../../../json.js';
import { errorMember, RpcFailure } from '../rpc.js';
import { NO_ARGUMENTS, object, text } from './content.js';
import type { Call, Handler, Tool } from './types.js';

/** Tools that speak to the client while they run: progress, logs, questions. */
export const dialogueTools: Tool[] = [
  tool('slow', 'Progress in steps; stops when cancelled', slow, {
    steps: { type: 'integer' },
    ms: { type: 'integer' },
    heard: { type: 'boolean', description: 'Answer only after the client answered a ping, so that it heard each step' },
  }),
  tool('mute', 'Never answers', () => null),
  tool('cancelled_log', 'Which requests were cancelled, and why', (_a, call) => text(call.session.cancelled)),
  tool('log', 'Logs at each level the client asked for', (_a, call) => {
    const from = LEVELS.indexOf(call.session.level ?? 'debug');
    for (const level of LEVELS.slice(from)) {
      call.note('notifications/message', { level, logger: 'scripted', data: { msg: `hello ${level}` } });
    }
    return text('logged');
  }),
  tool('ping_client', 'Pings the client', async (_a, call) => text(await call.ask('ping'))),
  question('sample', 'Asks the model', 'sampling', 'sampling/createMessage', (a) => ({
    messages: [{ role: 'user', content: { type: 'text', text: a.text ?? 'hi' } }],
    systemPrompt: 'be brief',
    modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.5 },
    temperature: 0,
    maxTokens: 10,
    _meta: { 'x.test/ask': 1 },
  })),
  question('elicit_form', 'Asks the user with a form', 'elicitation', 'elicitation/create', (a) =>
    form(a.message ?? 'Your name?', 'name'),
  ),
  question('elicit_url', 'Sends the user to a page', 'elicitation', 'elicitation/create', () => page('e1')),
  question('roots', 'Asks for the roots', 'roots', 'roots/list', () => undefined),
  tool('two_questions', 'Two forms, one after the other', async (_a, call) => {
    const first = await call.ask('elicitation/create', form('first?', 'a'));
    if (first.action !== 'accept') return text(`stopped at 1: ${first.action}`);
    const second = await call.ask('elicitation/create', form('second?', 'b'));
    return text(`${first.content?.a}+${second.content?.b ?? second.action}`);
  }),
  tool('both_questions', 'A form and a sampling at the same time', async (_a, call) => {
    const [left, right] = await Promise.all([
      call.ask('elicitation/create', form('left?', 'a')),
      call.ask('sampling/createMessage', { messages: [], maxTokens: 5 }),
    ]);
    return text(`${left.content?.a}|${right.content?.text}`);
  }),
  tool('impatient', 'Takes its question back after ms', async (a, call) => {
    try {
      await call.ask('elicitation/create', form('quick?', 'a'), a.ms ?? 200);
      return text('in time');
    } catch (e) {
      return text(errorMember(e));
    }
  }),
  tool('url_required', 'Refuses until a page was visited', (_a, call) => {
    setTimeout(() => call.session.note('notifications/elicitation/complete', { elicitationId: 'e2' }), 20);
    throw new RpcFailure(-32042, 'This request needs a page to be visited.', { elicitations: [page('e2')] });
  }),
];

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

async function slow(a: Obj, call: Call): Promise<Obj | null> {
  const total = a.steps ?? 5;
  const progressToken = call.params._meta?.progressToken;
  for (let progress = 1; progress <= total; progress++) {
    await sleep(a.ms ?? 20);
    if (call.isCancelled()) return null;
    if (progressToken !== undefined) {
      call.note('notifications/progress', { progressToken, progress, total, message: `step ${progress}` });
    }
  }
  if (a.heard) await call.ask('ping');
  return text('done');
}

function form(message: string, key: string): Obj {
  return { mode: 'form', message, requestedSchema: object({ [key]: { type: 'string', title: key } }, [key]) };
}

function page(elicitationId: string): Obj {
  return { mode: 'url', message: 'Please sign in', url: `https://example.test/${elicitationId}`, elicitationId };
}

function tool(name: string, description: string, run: Handler, properties?: Obj): Tool {
  return { definition: { name, description, inputSchema: properties ? object(properties) : NO_ARGUMENTS }, run };
}

/** Like a proper server it asks only what the client said it can do, unless called with `force`. The answer comes back whole. */
function question(
  name: string,
  description: string,
  capability: string,
  method: string,
  params: (a: Obj) => Obj | undefined,
): Tool {
  const run: Handler = async (a, call) => {
    if (!a.force && !call.session.opening?.capabilities?.[capability]) {
      return { ...text(`the client did not declare ${capability}`), isError: true };
    }
    try {
      const answer = await call.ask(method, params(a));
      return { ...text(answer), structuredContent: { answer } };
    } catch (e) {
      return { ...text(errorMember(e)), isError: true };
    }
  };
  return tool(name, description, run, {
    force: { type: 'boolean' },
    message: { type: 'string' },
    text: { type: 'string' },
  });
}
