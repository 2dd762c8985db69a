import { expect } from 'chai';
import type { Answer, Ask, Obj, Outcome, WatchEvent } from '@coffer/kernel';
import { fixtureCommand, startFixture, type RunningFixture } from '@coffer/kernel/testing';
import { client, Home, until, type ClientOptions } from './support.js';

const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {} },
};
const K = 'io.modelcontextprotocol/';
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
  describe(`a server of the newer era over ${transport}`, () => {
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

    it('is recognised by its discovery, which tells who it is', async () => {
      const up = await home.connect(sound);
      expect(up.fixed).to.equal(false);
      expect(up.facts).to.deep.include({
        protocolVersion: '2026-07-28',
        info: { name: 'modern', version: '1.0.0' },
        instructions: 'Instructions of modern.',
      });
      expect(up.facts.capabilities.tools).to.deep.equal({ listChanged: true });
    });

    it('is told of the client with each request, and of nothing between the client and Coffer', async () => {
      const up = await home.connect(sound);
      const params = {
        ...tool('whoami', { q: 1 }),
        'x-extra': [1],
        _meta: { traceparent: 't', progressToken: 'theirs', 'coffer/agent': 'a', [`${K}protocolVersion`]: '1900' },
      };
      const told = valueOf(
        await up.call(
          'tools/call',
          params,
          declaring({ progress: true, log: 'notice', info: { name: 'mine', version: '3' } }),
        ),
      ).structuredContent as Obj;
      expect(told.meta).to.deep.include({
        traceparent: 't',
        [`${K}protocolVersion`]: '2026-07-28',
        [`${K}clientInfo`]: { name: 'mine', version: '3' },
        [`${K}clientCapabilities`]: { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } },
        [`${K}logLevel`]: 'notice',
      });
      expect(told.meta).to.not.have.property('coffer/agent');
      expect(told.meta.progressToken).to.be.a('number');
      expect(told.params).to.deep.include({ 'x-extra': [1], arguments: { q: 1 } });
      const bare = valueOf(await up.call('tools/call', tool('whoami'), client())).structuredContent as Obj;
      expect(bare.meta).to.not.have.any.keys('progressToken', `${K}logLevel`);
      expect(bare.meta[`${K}clientCapabilities`]).to.deep.equal({});
    });

    it('gives results without what is between it and Coffer, and hints beside them', async () => {
      const up = await home.connect(sound);
      for (const rounds of [false, true]) {
        const x = client({ rounds });
        expect(await up.call('tools/call', tool('echo', { a: 1 }), x).then(valueOf)).to.deep.equal({
          content: [{ type: 'text', text: '{"a":1}' }],
        });
        expect(await up.call('tools/call', tool('keep_meta'), x).then(valueOf)).to.deep.equal({
          content: [{ type: 'text', text: 'meta' }],
          _meta: { 'x.test/own': 1 },
        });
        expect(await up.call('tools/call', tool('array'), x).then(valueOf)).to.deep.equal({
          content: [],
          structuredContent: [1, 2],
        });
        const read = await up.call('resources/read', { uri: 'test://static-text' }, x);
        expect(read).to.deep.include({ kind: 'result', hints: { ttlMs: 1234, cacheScope: 'public' } });
        expect(Object.keys(valueOf(read))).to.deep.equal(['contents']);
        expect(valueOf(await up.call('prompts/get', { name: 'test_simple_prompt' }, x))).to.have.nested.property(
          'messages[0].role',
          'user',
        );
        expect(
          valueOf(
            await up.call(
              'completion/complete',
              { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'h' } },
              x,
            ),
          ),
        ).to.deep.equal({ completion: { values: ['hx'], total: 1, hasMore: false } });
      }
      const big = await up.call('tools/call', tool('big', { bytes: 300_000 }), client());
      if (big.kind !== 'result') throw new Error(big.kind);
      const bytes = Buffer.concat(big.result.chunks).toString();
      expect(bytes).to.not.contain('resultType').and.not.contain('serverInfo');
      expect(JSON.parse(bytes)).to.deep.equal({ content: [{ type: 'text', text: 'x'.repeat(300_000) }] });
    });

    it('brings progress and log lines to the calls that asked for them, and to no other', async () => {
      const up = await home.connect(sound);
      const [a, b, c] = [client({ progress: true }), client({ progress: true }), client()];
      await Promise.all([
        up.call('tools/call', { ...tool('slow', { steps: 3, ms: 10 }), _meta: { progressToken: 1 } }, a),
        up.call('tools/call', { ...tool('slow', { steps: 5, ms: 10 }), _meta: { progressToken: 1 } }, b),
        up.call('tools/call', tool('slow', { steps: 2, ms: 10 }), c),
      ]);
      expect(a.progressed).to.deep.equal([1, 2, 3].map((progress) => ({ progress, total: 3 })));
      expect(b.progressed).to.have.length(5);
      expect(c.progressed).to.deep.equal([]);
      const [quiet, loud] = [client(), client({ log: 'info' })];
      await up.call('tools/call', tool('log'), quiet);
      await up.call('tools/call', tool('log'), loud);
      expect([quiet.logged, loud.logged]).to.deep.equal([
        [],
        [{ level: 'info', logger: 'modern', data: { msg: 'hello' } }],
      ]);
    });

    it('hears of a cancelled call', async () => {
      const up = await home.connect(sound);
      const x = client();
      const before = (JSON.parse(textOf(await up.call('tools/call', tool('cancelled_log'), client()))) as unknown[])
        .length;
      const call = up.call('tools/call', tool('slow', { steps: 1000, ms: 20 }), x);
      setTimeout(() => x.cancel({ name: 'CANCELLED', message: 'enough' }), 100);
      expect(await call).to.deep.equal({ kind: 'fault', fault: { name: 'CANCELLED', message: 'enough' } });
      await until(
        async () =>
          (JSON.parse(textOf(await up.call('tools/call', tool('cancelled_log'), client()))) as unknown[]).length >
          before,
        'the cancellation at the server',
      );
      expect(up.open).to.equal(0);
    });

    it('has its errors passed on verbatim, but not those that are about how Coffer asked', async () => {
      const up = await home.connect(sound);
      expect(await up.call('resources/read', { uri: 'test://none' }, client())).to.deep.equal({
        kind: 'error',
        error: { code: -32602, message: 'Resource not found', data: { uri: 'test://none' } },
      });
      for (const code of [-32021, -32002, -32042, -32099, -32603, 7]) {
        const odd = await home.connect(await target('--mode', `error:${code}`));
        expect(await odd.call('tools/call', tool('echo'), client())).to.deep.equal({
          kind: 'error',
          error: { code, message: 'As asked', data: { x: 1 } },
        });
      }
      for (const code of [-32020, -32022]) {
        const odd = await home.connect(await target('--mode', `error:${code}`));
        expect(await odd.call('tools/call', tool('echo'), client()))
          .to.deep.include({ kind: 'error' })
          .and.have.nested.property('error.code', -32603);
      }
    });

    it('is answered plainly for when its results are of no known type', async () => {
      for (const [mode, words] of [
        ['unknown-type', 'a type that Coffer does not know'],
        ['bad-input', 'a form that is not MCP'],
      ] as const) {
        const odd = await home.connect(await target('--mode', mode));
        for (const rounds of [true, false])
          expect(await odd.call('tools/call', tool('echo'), declaring({ rounds })))
            .to.have.nested.property('error.message')
            .that.contains(words);
      }
      const odd = await home.connect(await target('--mode', 'input-anywhere'));
      expect(await odd.ask('tools/list', {}, client())).to.have.nested.property('error.code', -32603);
    });

    it('tells what changes on one standing stream, which is widened before the old one ends', async () => {
      const heard: WatchEvent[] = [];
      const up = await home.connect(await target(), client(), { events: { watched: (e) => heard.push(e) } });
      expect(await up.watch({ tools: true, log: 'error' })).to.deep.equal({ tools: true, uris: [], log: 'error' });
      const wide = await up.watch({ tools: true, prompts: true, uris: ['test://watched-resource'] });
      expect(wide).to.deep.equal({ tools: true, prompts: true, uris: ['test://watched-resource'] });
      const listeners = async (): Promise<unknown> =>
        JSON.parse(textOf(await up.call('tools/call', tool('listeners'), client())));
      await until(async () => ((await listeners()) as unknown[]).length === 1, 'the end of the narrow stream');
      expect(await listeners()).to.deep.equal([
        { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['test://watched-resource'] },
      ]);
      for (const name of ['touch', 'test_trigger_tool_change', 'test_trigger_prompt_change'])
        await up.call('tools/call', tool(name), client());
      await until(() => heard.length === 3, 'the notifications');
      expect(heard).to.deep.equal([
        {
          kind: 'uri',
          uri: 'test://watched-resource',
          params: { uri: 'test://watched-resource', _meta: { 'x.test/update': 1 } },
        },
        { kind: 'tools' },
        { kind: 'prompts' },
      ]);
      expect(up.open).to.equal(0);
      await up.watch({});
      await until(async () => ((await listeners()) as unknown[]).length === 0, 'the end of the stream');
    });

    it('opens the stream again when it ends, and takes everything for changed after the gap', async () => {
      const heard: WatchEvent[] = [];
      const up = await home.connect(await target(), client(), { events: { watched: (e) => heard.push(e) } });
      await up.watch({ tools: true, uris: ['test://watched-resource'] });
      await up.call('tools/call', tool('end_streams'), client());
      await until(() => heard.length === 2, 'the changes of the gap');
      expect(heard.map((e) => e.kind)).to.have.members(['tools', 'uri']);
      await up.call('tools/call', tool('test_trigger_tool_change'), client());
      await until(() => heard.length === 3, 'a change on the new stream');
    });

    it('is not asked again and again for streams it does not have', async () => {
      const up = await home.connect(await target('--mode', 'no-listen'));
      const honoured = await up.watch({ tools: true, uris: ['test://watched-resource'] });
      expect(honoured.tools).to.equal(undefined);
      expect(honoured.refused?.map((r) => r.uri)).to.deep.equal(['test://watched-resource']);
    });

    it('says how long its lists are good, unless it tells when they change', async () => {
      const up = await home.connect(await target('--ttl', '5000', '--page', '4'));
      await up.ask('tools/list', {}, client());
      expect(up.freshMs?.('tools')).to.equal(5000);
      expect(up.freshMs?.('prompts')).to.equal(undefined);
      await up.watch({ tools: true });
      expect(up.freshMs?.('tools')).to.equal(undefined);
    });
  });
}
