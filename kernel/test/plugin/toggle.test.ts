import { expect } from 'chai';
import type { Kernel, Plugin } from '../../src/plugin/contract.js';
import { NOTE } from '../support/notes.js';
import { plugin, workshop } from '../support/kernels.js';

describe('disabling and enabling a plugin while the daemon runs', () => {
  const make = workshop();
  const token = { name: 'svc' };
  const full = (log: string[], name = 'full'): Plugin =>
    plugin(
      name,
      (k: Kernel) => {
        k.kinds.define({ ...NOTE, kind: 'thing' });
        k.tools.define({
          name: 'ping',
          description: '',
          inputSchema: { type: 'object' },
          call: () => ({ pong: true }),
        });
        k.routes([{ method: 'GET', path: '/full', summary: '', response: {}, handle: () => ({}) }]);
        k.provide(token, 1);
        k.tap(k.hooks.gateway.admit, () => undefined);
        k.tap(k.hooks.agents.register, (agents) =>
          agents.add({
            key: 'robot',
            displayName: '',
            configSchema: {},
            availability: () => ({ available: true }),
            createAdapter: () => expect.fail('not used'),
          }),
        );
        k.effect('one', () => (log.push('start one'), () => void log.push('end one')));
      },
      { start: (k) => k.effect('two', () => (log.push('start two'), () => void log.push('end two'))) },
    );

  it('takes everything of it away, newest effect first, and brings it back', async () => {
    const log: string[] = [];
    const k = await make.kernel({ plugins: [full(log)] });
    await k.rest('POST', '/resources', { kind: 'thing', name: 'a', config: { text: 'x' } });
    log.length = 0;

    const off = await k.rest('POST', '/plugins/full/disable', undefined, { 'X-Coffer-Actor': 'ui' });
    expect(off.body).to.deep.include({
      state: 'disabled',
      note: 'disabled by the user',
      kinds: [],
      tools: [],
      routes: [],
      services: [],
      taps: [],
      effects: [],
    });
    expect(log).to.deep.equal(['end two', 'end one']);
    expect((await k.rest('GET', '/kinds')).body.kinds).to.deep.equal([]);
    expect((await k.rest('GET', '/full')).status).to.equal(404);
    expect(k.services.agents.list()).to.deep.equal([]);
    expect(k.services.hooks.gateway.admit.used).to.equal(false);
    expect((await k.rest('POST', '/gateway/call', { name: 'coffer__ping' })).status).to.equal(404);
    const orphan = (await k.rest('GET', '/resources/thing/a')).body;
    expect(orphan.status.reason).to.include('unknown kind');
    expect((await k.rest('PATCH', '/resources/thing/a', { description: 'x' })).body.error.code).to.equal(
      'UNKNOWN_KIND',
    );

    const on = await k.rest('POST', '/plugins/full/enable');
    expect(on.body).to.deep.include({
      state: 'active',
      note: '',
      kinds: ['thing'],
      tools: ['ping'],
      routes: ['GET /full'],
      services: ['svc'],
      effects: ['one', 'two'],
    });
    expect((await k.rest('GET', '/full')).status).to.equal(200);
    expect((await k.rest('POST', '/gateway/call', { name: 'coffer__ping' })).body.structuredContent).to.deep.equal({
      pong: true,
    });
    expect(k.services.agents.list().map((a) => a.key)).to.deep.equal(['robot']);
    expect((await k.rest('GET', '/resources/thing/a')).body.status.status).to.equal('unknown');
    const events = (await k.rest('GET', '/audit')).body.entries.map(
      (e: { event_type: string; actor: string }) => `${e.event_type} ${e.actor}`,
    );
    expect(events).to.include.members(['plugin_disabled ui', 'plugin_enabled api']);
  });

  it('survives a restart', async () => {
    const home = make.folder();
    const first = await make.kernel({ plugins: [full([])], home });
    await first.rest('POST', '/plugins/full/disable');
    await first.stop({ keep: true });
    const k = await make.kernel({ plugins: [full([])], home });
    expect(k.host.get('full').state).to.equal('disabled');
  });

  it('takes down whoever needs it, however far, and brings them back', async () => {
    const log: string[] = [];
    const user = (name: string, requires: string[]): Plugin =>
      plugin(name, (k) => k.effect(name, () => (log.push(`start ${name}`), () => void log.push(`end ${name}`))), {
        requires,
      });
    const k = await make.kernel({ plugins: [user('c', ['b']), user('b', ['full']), full(log)] });
    log.length = 0;
    await k.rest('POST', '/plugins/full/disable');
    expect(log).to.deep.equal(['end c', 'end b', 'end two', 'end one']);
    expect(k.host.get('b').note).to.equal('requires full, which is disabled');
    expect(k.host.get('c').note).to.equal('requires b, which is failed');
    log.length = 0;
    await k.rest('POST', '/plugins/full/enable');
    expect(log).to.deep.equal(['start one', 'start two', 'start b', 'start c']);
    expect(['b', 'c', 'full'].map((n) => k.host.get(n).state)).to.deep.equal(['active', 'active', 'active']);
  });

  it('an unknown name is 404', async () => {
    const k = await make.kernel();
    for (const verb of ['enable', 'disable'])
      expect((await k.rest('POST', `/plugins/ghost/${verb}`)).body.error.code).to.equal('PLUGIN_NOT_FOUND');
  });
});

describe('two plugins that want the same', () => {
  const make = workshop();
  const second = async (one: (k: Kernel) => void, two = one): Promise<string> => {
    const k = await make.kernel({ plugins: [plugin('first', one), plugin('second', two)] });
    expect(k.host.get('first').state).to.equal('active');
    expect(k.host.get('second').state).to.equal('failed');
    return k.host.get('second').note;
  };

  it('kind', async () =>
    expect(await second((k) => k.kinds.define(NOTE))).to.include('already defined by plugin first'));
  it('tool', async () => {
    const tool = (k: Kernel): void => k.tools.define({ name: 't', description: '', inputSchema: {}, call: () => 1 });
    expect(await second(tool)).to.include('coffer__t is already defined by plugin first');
  });
  it('route', async () => {
    const route = (k: Kernel): void => k.routes([{ method: 'GET', path: '/x', summary: '', handle: () => undefined }]);
    expect(await second(route)).to.include('GET /x is declared already by plugin first');
  });
  it('name: the first counts', async () => {
    const seen: number[] = [];
    await make.kernel({ plugins: [plugin('same', () => void seen.push(1)), plugin('same', () => void seen.push(2))] });
    expect(seen).to.deep.equal([1]);
  });

  for (const [what, define, says] of [
    ['a kind', (k: Kernel) => k.kinds.define({ ...NOTE, kind: 'Bad Kind' }), 'lower case'],
    ['a schema', (k: Kernel) => k.kinds.define({ ...NOTE, schema: { type: 'nothing' } }), 'no JSON Schema'],
    [
      'a tool',
      (k: Kernel) => k.tools.define({ name: 'a__b', description: '', inputSchema: {}, call: () => 1 }),
      'does not fit',
    ],
    [
      'the tool of lean sessions',
      (k: Kernel) => k.tools.define({ name: 'call_tool', description: '', inputSchema: {}, call: () => 1 }),
      'already defined',
    ],
  ] as const) {
    it(`${what} that cannot be fails its plugin`, async () => {
      const k = await make.kernel({ plugins: [plugin('p', define)] });
      expect(k.host.get('p').state).to.equal('failed');
      expect(k.host.get('p').note).to.include(says);
    });
  }
});
