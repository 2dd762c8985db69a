import { expect } from 'chai';
import type { Answer, Ask, Obj, Outcome, WatchEvent } from '@coffer/kernel';
import { fixtureCommand, startFixture, type RunningFixture } from '@coffer/kernel/testing';
import { client, Home, until } from './support.js';

const CAPABILITIES = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } };

function textOf(o: Outcome): string {
  if (o.kind !== 'result') throw new Error(`no result: ${JSON.stringify(o)}`);
  return (o.result.value.content as Obj[])[0]?.text as string;
}

for (const transport of ['stdio', 'http'] as const) {
  describe(`what happens during a call, over ${transport}`, () => {
    const home = new Home();
    let server: RunningFixture | undefined;
    const target = async (): Promise<Obj> => {
      if (transport === 'stdio') return { type: 'stdio', ...fixtureCommand('scripted') };
      server ??= await startFixture('scripted', ['--http', '0']);
      return { type: 'http', url: server.url };
    };
    const tool = (name: string, args: Obj = {}): Obj => ({ name, arguments: args });
    after(async () => {
      await home.remove();
      await server?.stop();
    });

    it('brings progress to the call that asked for it, in parallel calls too, and to no other', async () => {
      const up = await home.connect(await target());
      const [a, b, c] = [client({ progress: true }), client({ progress: true }), client()];
      await Promise.all([
        up.call('tools/call', { ...tool('slow', { steps: 3, ms: 10 }), _meta: { progressToken: 1 } }, a),
        up.call('tools/call', { ...tool('slow', { steps: 5, ms: 10 }), _meta: { progressToken: 1 } }, b),
        up.call('tools/call', tool('slow', { steps: 2, ms: 10 }), c),
      ]);
      expect(a.progressed.map((p) => [p.progress, p.total])).to.deep.equal([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
      expect(b.progressed)
        .to.have.length(5)
        .and.satisfy((all: Obj[]) => all.every((p) => !('progressToken' in p)));
      expect(c.progressed).to.deep.equal([]);
    });

    it('tells the server of a cancelled call, by the id the server knows it by', async () => {
      const up = await home.connect(await target());
      const x = client();
      const call = up.call('tools/call', tool('slow', { steps: 1000, ms: 20 }), x);
      setTimeout(() => x.cancel({ name: 'CANCELLED', message: 'enough' }), 100);
      expect(await call).to.deep.equal({ kind: 'fault', fault: { name: 'CANCELLED', message: 'enough' } });
      await until(async () => {
        const log = JSON.parse(textOf(await up.call('tools/call', tool('cancelled_log'), client()))) as unknown[];
        return log.length === 1 && JSON.stringify(log).includes('enough');
      }, 'the cancellation at the server');
      expect(up.open).to.equal(0);
    });

    it('does not send a call that was cancelled before', async () => {
      const up = await home.connect(await target());
      const x = client();
      x.cancel();
      expect(await up.call('tools/call', tool('echo'), x)).to.have.nested.property('fault.name', 'CANCELLED');
    });

    it('puts a question to the client of the call and brings its answer back whole', async () => {
      const answers: Record<string, Obj> = {
        'sampling/createMessage': {
          role: 'assistant',
          content: { type: 'text', text: 'hm' },
          model: 'm',
          'x-new': [1],
        },
        'elicitation/create': { action: 'accept', content: { name: 'Ann' }, _meta: { a: 1 } },
        'roots/list': { roots: [{ uri: 'file:///a' }] },
      };
      const x = client({ capabilities: CAPABILITIES, answer: (ask) => ({ result: answers[ask.method] ?? {} }) });
      const up = await home.connect(await target(), x);
      for (const [name, method] of [
        ['sample', 'sampling/createMessage'],
        ['elicit_form', 'elicitation/create'],
        ['elicit_url', 'elicitation/create'],
        ['roots', 'roots/list'],
      ] as const)
        expect(JSON.parse(textOf(await up.call('tools/call', tool(name), x))), name).to.deep.equal(answers[method]);
      const sampling = x.asked.find((a) => a.method === 'sampling/createMessage');
      expect(sampling?.params).to.deep.include({
        systemPrompt: 'be brief',
        temperature: 0,
        _meta: { 'x.test/ask': 1 },
      });
    });

    it("brings the client's own refusal back to the server", async () => {
      const x = client({ answer: () => ({ error: { code: -32601, message: 'Method not found' } }) });
      const up = await home.connect(await target(), x);
      expect(textOf(await up.call('tools/call', tool('sample', { force: true }), x))).to.contain('-32601');
    });

    it('takes a question back when the server does', async () => {
      const x = client({
        capabilities: CAPABILITIES,
        answer: (_, gone) =>
          new Promise<Answer>((resolve) => gone?.addEventListener('abort', () => resolve({ moved: true }))),
      });
      const up = await home.connect(await target(), x);
      await up.call('tools/call', tool('impatient', { ms: 50 }), x);
      expect(x.withdrawn.map((a) => a.method)).to.deep.equal(['elicitation/create']);
    });

    it('asks each of ten parallel calls its own question', async () => {
      const up = await home.connect(await target(), client({ capabilities: CAPABILITIES }));
      const clients = Array.from({ length: 10 }, () =>
        client({
          capabilities: CAPABILITIES,
          answer: async () => (
            await new Promise((r) => setTimeout(r, 30)),
            { result: { action: 'accept', content: { name: 'x' } } }
          ),
        }),
      );
      await Promise.all(clients.map((x) => up.call('tools/call', tool('elicit_form'), x)));
      expect(clients.reduce((n, x) => n + x.asked.length, 0)).to.equal(10);
      expect(Math.max(...clients.map((x) => x.asked.length))).to.be.at.most(transport === 'http' ? 1 : 10);
    });

    it('brings log lines to the call, at the level the client asked for', async () => {
      const up = await home.connect(await target());
      await up.watch({ log: 'error' });
      const quiet = client();
      await up.call('tools/call', tool('log'), quiet);
      expect(quiet.logged.map((l) => l.level)).to.deep.equal(['error', 'critical', 'alert', 'emergency']);
      expect(quiet.logged[0]).to.deep.equal({ level: 'error', logger: 'scripted', data: { msg: 'hello error' } });
      const loud = client({ log: 'notice' });
      await up.call('tools/call', tool('log'), loud);
      expect(loud.logged).to.have.length(6);
    });

    it('answers pings', async () => {
      const up = await home.connect(await target());
      expect(textOf(await up.call('tools/call', tool('ping_client'), client()))).to.equal('{}');
    });

    it('watches what it is asked to, tells what the server refuses, and lets go', async () => {
      const heard: WatchEvent[] = [];
      const up = await home.connect(await target(), client(), { events: { watched: (e) => heard.push(e) } });
      const honoured = await up.watch({ tools: true, prompts: true, uris: ['test://watched-resource', 'test://none'] });
      expect(honoured).to.deep.include({ tools: true, prompts: true, uris: ['test://watched-resource'] });
      expect(honoured.refused).to.deep.equal([
        { uri: 'test://none', error: { code: -32002, message: 'Resource not found', data: { uri: 'test://none' } } },
      ]);
      await up.call('tools/call', tool('touch'), client());
      await up.call('tools/call', tool('burst', { n: 2 }), client());
      await until(() => heard.length >= 3, 'the notifications');
      expect(heard).to.deep.include({
        kind: 'uri',
        uri: 'test://watched-resource',
        params: { uri: 'test://watched-resource', title: 'Touched', _meta: { 'x.test/touch': 1 } },
      });
      expect(heard.filter((e) => e.kind === 'tools')).to.have.length(2);
      expect((await up.watch({ tools: true })).uris).to.deep.equal([]);
      expect(textOf(await up.call('tools/call', tool('touch'), client()))).to.equal('[]');
    });

    it('turns "open a page first" into a question for a client of rounds, and its retry into a fresh call', async () => {
      const up = await home.connect(await target());
      const plain = await up.call('tools/call', tool('url_required'), client());
      expect(plain).to.have.nested.property('error.code', -32042);
      const asked = await up.call(
        'tools/call',
        tool('url_required'),
        client({ rounds: true, capabilities: CAPABILITIES }),
      );
      if (asked.kind !== 'input') throw new Error(asked.kind);
      expect(asked.requests?.u1).to.have.nested.property('params.url', 'https://example.test/e2');
      const declined = client({
        rounds: true,
        capabilities: CAPABILITIES,
        retry: { state: asked.state as string, responses: { u1: { action: 'decline' } } },
      });
      expect(await up.call('tools/call', tool('url_required'), declined)).to.have.nested.property('error.code', -32603);
      const accepted = client({
        rounds: true,
        capabilities: CAPABILITIES,
        retry: { state: asked.state as string, responses: { u1: { action: 'accept' } } },
      });
      expect(textOf(await up.call('tools/call', tool('echo', { text: 'made' }), accepted))).to.equal('made');
    });
  });
}

describe('a question on a pipe, which belongs to no call in particular', () => {
  const home = new Home();
  after(() => home.remove());
  const stdio = (...args: string[]): Obj => ({ type: 'stdio', ...fixtureCommand('scripted', args) });

  it('moves to another call when the one that carried it ends', async () => {
    const up = await home.connect(stdio(), client({ capabilities: CAPABILITIES }));
    const taker = client({
      capabilities: CAPABILITIES,
      answer: () => ({ result: { action: 'accept', content: { name: 'b' } } }),
    });
    let asks = 0;
    const first = client({
      capabilities: CAPABILITIES,
      answer: async () => (asks++, await new Promise((r) => setTimeout(r, 50)), { moved: true }),
    });
    const asking = up.call('tools/call', { name: 'elicit_form', arguments: {} }, first);
    await until(() => asks === 1, 'the question');
    const other = up.call('tools/call', { name: 'slow', arguments: { steps: 20, ms: 20 } }, taker);
    expect(textOf(await asking)).to.contain('"accept"');
    await other;
    expect(taker.asked).to.have.length(1);
  });

  it('asked between calls: roots are answered from the working folder', async () => {
    const x = client({ capabilities: { roots: {} }, cwd: '/some/project' });
    const up = await home.connect(stdio('--ask-roots'), x);
    await until(async () => {
      const told = JSON.parse(
        textOf(
          await up.call(
            'tools/call',
            { name: 'whoami', arguments: {} },
            client({ capabilities: { roots: {} }, answer: () => ({ moved: true }) }),
          ),
        ),
      ) as Obj;
      return JSON.stringify(told.roots ?? null).includes('file:///some/project');
    }, 'the roots at the server');
  });

  it('goes to no list request of a client of rounds', async () => {
    const x = client({
      capabilities: CAPABILITIES,
      rounds: true,
      answer: (ask: Ask) => ({ result: ask.method === 'roots/list' ? { roots: [] } : {} }),
    });
    const up = await home.connect(stdio('--ask-roots'), x);
    await up.ask('tools/list', {}, x);
    expect(x.asked).to.deep.equal([]);
  });
});
