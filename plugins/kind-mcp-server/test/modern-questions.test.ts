import { expect } from 'chai';
import type { Answer, Ask, Obj, Outcome } from '@coffer/kernel';
import { fixtureCommand, startFixture, type RunningFixture } from '@coffer/kernel/testing';
import { client, Home, until, type ClientOptions } from './support.js';

const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {} },
};
const ANSWERS: Record<string, Obj> = {
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm', 'x-new': [1] },
  'elicitation/create': { action: 'accept', content: { a: 'A' }, _meta: { b: 1 } },
  'roots/list': { roots: [{ uri: 'file:///a' }] },
};
const answering = (ask: Ask): Answer => ({ result: ANSWERS[ask.method] ?? {} });

function valueOf(o: Outcome): Obj {
  if (o.kind !== 'result') throw new Error(`no result: ${JSON.stringify(o)}`);
  return o.result.value;
}
function textOf(o: Outcome): string {
  return (valueOf(o).content as Obj[])[0]?.text as string;
}
const tool = (name: string, args: Obj = {}): Obj => ({ name, arguments: args });

for (const transport of ['stdio', 'http'] as const) {
  describe(`a server of the newer era that wants input, over ${transport}`, () => {
    const home = new Home();
    const running: RunningFixture[] = [];
    const target = async (...args: string[]): Promise<Obj> => {
      if (transport === 'stdio') return { type: 'stdio', ...fixtureCommand('modern', args) };
      const server = await startFixture('modern', ['--http', '0', ...args]);
      running.push(server);
      return { type: 'http', url: server.url };
    };
    let sound: Obj;
    before(async () => void (sound = await target()));
    after(async () => {
      await home.remove();
      await Promise.all(running.map((r) => r.stop()));
    });
    const declaring = (o: ClientOptions = {}): ReturnType<typeof client> =>
      client({ capabilities: CAPABILITIES, answer: answering, ...o });

    it('has its questions put to a client of the older era, one by one, and gets the answers whole', async () => {
      const up = await home.connect(sound);
      for (const [name, method] of [
        ['elicit_form', 'elicitation/create'],
        ['sample', 'sampling/createMessage'],
        ['roots', 'roots/list'],
      ] as const)
        expect(JSON.parse(textOf(await up.call('tools/call', tool(name), declaring()))), name).to.deep.equal(
          ANSWERS[method],
        );
      const x = declaring();
      const several = JSON.parse(textOf(await up.call('tools/call', tool('several'), x))) as Obj;
      expect(x.asked.map((a) => a.method)).to.deep.equal([
        'elicitation/create',
        'sampling/createMessage',
        'roots/list',
      ]);
      expect(several).to.deep.equal({
        state: 'kept',
        answers: { z: ANSWERS['elicitation/create'], a: ANSWERS['sampling/createMessage'], m: ANSWERS['roots/list'] },
      });
      const two = JSON.parse(textOf(await up.call('tools/call', tool('two_rounds'), declaring()))) as Obj;
      // Only the latest answers go back.
      expect(two).to.deep.equal({ state: 'state-2:A', answers: { second: ANSWERS['elicitation/create'] } });
      const prompt = await up.call(
        'prompts/get',
        { name: 'test_input_required_result_prompt' },
        declaring({ answer: () => ({ result: { action: 'accept', content: { context: 'ctx' } } }) }),
      );
      expect(valueOf(prompt)).to.have.nested.property('messages[0].content.text', 'ctx');
      const url = declaring();
      await up.call('tools/call', tool('elicit_url'), url);
      expect(url.asked[0]?.params?.elicitationId).to.be.a('string');
      const states = declaring();
      expect(JSON.parse(textOf(await up.call('tools/call', tool('state_only', { times: 2 }), states)))).to.deep.equal({
        n: 2,
        answered: false,
      });
      expect(states.asked).to.deep.equal([]);
    });

    it('is told of a declined question, and of one nobody could answer; a failed sampling ends the call', async () => {
      const up = await home.connect(sound);
      const no = declaring({ answer: () => ({ result: { action: 'decline' } }) });
      expect(JSON.parse(textOf(await up.call('tools/call', tool('elicit_form'), no)))).to.deep.equal({
        action: 'decline',
      });
      const unable = declaring({ answer: () => ({ error: { code: -32603, message: 'no screen' } }) });
      expect(JSON.parse(textOf(await up.call('tools/call', tool('elicit_form'), unable)))).to.deep.equal({
        action: 'cancel',
      });
      for (const name of ['sample', 'roots'])
        expect(await up.call('tools/call', tool(name), unable))
          .to.have.nested.property('error.message')
          .that.contains('no screen');
    });

    it('may not ask what the request did not declare, nor without end', async () => {
      const up = await home.connect(sound);
      for (const rounds of [false, true]) {
        const x = client({ rounds, answer: answering, capabilities: { elicitation: {} } });
        for (const name of ['sample', 'roots', 'elicit_url', 'bad_question'])
          expect(await up.call('tools/call', tool(name), x), name).to.have.nested.property('error.code', -32603);
        expect(x.asked).to.deep.equal([]);
      }
      const x = declaring();
      expect(await up.call('tools/call', tool('endless'), x))
        .to.have.nested.property('error.message')
        .that.contains('more than 10 times');
      expect(x.asked).to.have.length(10);
    });

    it('stops asking when the client cancels', async () => {
      const up = await home.connect(sound);
      const x = declaring({
        answer: () =>
          new Promise<Answer>((resolve) => x.signal.addEventListener('abort', () => resolve({ moved: true }))),
      });
      const call = up.call('tools/call', tool('elicit_form'), x);
      await until(() => x.asked.length === 1, 'the question');
      x.cancel({ name: 'CANCELLED', message: 'enough' });
      expect(await call).to.have.nested.property('fault.message', 'enough');
      const y = declaring();
      const waiting = up.call('tools/call', tool('state_only', { times: 1000 }), y);
      setTimeout(() => y.cancel({ name: 'CANCELLED', message: 'enough' }), 100);
      expect(await waiting).to.have.nested.property('fault.message', 'enough');
    });

    it('has its wish for input and the retry handed on as they are to a client that knows rounds', async () => {
      const up = await home.connect(sound);
      const x = declaring({ rounds: true });
      const first = await up.call('tools/call', tool('two_rounds'), x);
      if (first.kind !== 'input') throw new Error(first.kind);
      expect(first.state).to.equal('state-1');
      expect(first.more).to.deep.equal({});
      expect(first.requests?.first).to.have.nested.property('params.requestedSchema.required[0]', 'a');
      expect(x.asked).to.deep.equal([]);
      const second = await up.call(
        'tools/call',
        tool('two_rounds'),
        declaring({ rounds: true, retry: { state: 'state-1', responses: { first: ANSWERS['elicitation/create'] } } }),
      );
      expect(second).to.deep.include({ kind: 'input', state: 'state-2:A' });
      const last = await up.call(
        'tools/call',
        tool('two_rounds'),
        declaring({ rounds: true, retry: { state: 'state-2:A', responses: { odd: 1 } } }),
      );
      expect(JSON.parse(textOf(last))).to.deep.equal({ state: 'state-2:A', answers: { odd: 1 } });
      expect(await up.call('tools/call', tool('state_only'), declaring({ rounds: true }))).to.deep.equal({
        kind: 'input',
        state: '1',
        more: {},
      });
      const url = await up.call('tools/call', tool('elicit_url'), declaring({ rounds: true }));
      if (url.kind !== 'input') throw new Error(url.kind);
      expect(url.requests?.u?.params).to.deep.equal({ mode: 'url', message: 'Go', url: 'https://example.test/x' });
    });
  });
}
