import { expect } from 'chai';
import { definePlugin, type Plugin } from '../../src/plugin/contract.js';
import { plugin, until, workshop } from '../support/kernels.js';

describe('the plugin host', () => {
  const make = workshop();
  const note = async (plugins: readonly Plugin[], name: string): Promise<string> => {
    const r = (await make.kernel({ plugins })).host.get(name);
    return `${r.state}: ${r.note}`;
  };

  it('registers and starts what others need before them, and ends it after them', async () => {
    const seen: string[] = [];
    const one = (name: string, requires: string[]): Plugin =>
      plugin(
        name,
        (k) => {
          seen.push(`register ${name}`);
          k.effect('run', () => () => void seen.push(`end ${name}`));
        },
        { requires, start: () => void seen.push(`start ${name}`) },
      );
    const k = await make.kernel({ plugins: [one('c', ['b']), one('b', ['a']), one('a', [])] });
    await k.stop({ keep: true });
    const order = ['a', 'b', 'c'];
    expect(seen).to.deep.equal([
      ...order.map((n) => `register ${n}`),
      ...order.map((n) => `start ${n}`),
      ...order.reverse().map((n) => `end ${n}`),
    ]);
  });

  it('tells each plugin of a circle so, and the daemon starts', async () => {
    const k = await make.kernel({
      plugins: [
        plugin('a', () => undefined, { requires: ['b'] }),
        plugin('b', () => undefined, { requires: ['a'] }),
        plugin('c', () => undefined),
      ],
    });
    for (const name of ['a', 'b']) {
      expect(k.host.get(name).state).to.equal('failed');
      expect(k.host.get(name).note).to.include('circle').and.include('a, b');
    }
    expect(k.host.get('c').state).to.equal('active');
  });

  it('names what is missing', async () => {
    expect(await note([plugin('a', () => undefined, { requires: ['ghost'] })], 'a')).to.equal(
      'failed: requires ghost, which is not installed',
    );
  });

  it('fails whoever needs a plugin that failed', async () => {
    const plugins = [
      plugin('a', () => {
        throw new Error('no');
      }),
      plugin('b', () => undefined, { requires: ['a'] }),
    ];
    expect(await note(plugins, 'b')).to.equal('failed: requires a, which is failed');
  });

  it('speaks plainly of a plugin for another API', async () => {
    const plugins = [
      definePlugin({ name: 'new', apiVersion: 2, register: () => expect.fail('must not run') }),
      definePlugin({ name: 'old', apiVersion: 0, register: () => expect.fail('must not run') }),
    ];
    const k = await make.kernel({ plugins });
    expect(k.host.get('new').note).to.equal(
      'needs plugin API 2, this Coffer speaks 1: update Coffer, or use an older version of the plugin',
    );
    expect(k.host.get('old').note).to.include('update the plugin');
  });

  it('refuses requires that is no list, instead of falling over it', async () => {
    const odd = plugin('odd', () => undefined, { requires: 'a' as unknown as string[] });
    expect(await note([odd], 'odd')).to.include('failed: its requires is no list');
  });

  it('takes back all that register declared before it threw, effects too', async () => {
    let running = 0;
    const bad = plugin('bad', (k) => {
      k.kinds.define({ kind: 'half', label: { one: 'h', many: 'hs' }, schema: {} });
      k.tools.define({ name: 'half', description: '', inputSchema: {}, call: () => 1 });
      k.routes([{ method: 'GET', path: '/half', summary: '', handle: () => undefined }]);
      k.tap(k.hooks.gateway.admit, () => expect.fail('must not run'));
      k.effect('timer', () => (running++, () => void running--));
      throw new RangeError('half way');
    });
    const k = await make.kernel({ plugins: [bad] });
    const r = k.host.get('bad');
    expect([r.state, r.note]).to.deep.equal(['failed', 'RangeError: half way']);
    expect(running).to.equal(0);
    expect([r.taps, r.kinds, r.tools, r.routes, r.effects]).to.deep.equal([[], [], [], [], []]);
    expect(k.services.kinds.list()).to.deep.equal([]);
    expect((await k.rest('POST', '/gateway/call', { name: 'coffer__half' })).status).to.equal(404);
    expect((await k.rest('GET', '/half')).status).to.equal(404);
    expect(k.services.hooks.gateway.admit.used).to.equal(false);
  });

  it('refuses an asynchronous register', async () => {
    const bad = plugin('bad', async () => Promise.reject(new Error('late')));
    expect(await note([bad], 'bad')).to.include('register() must be synchronous');
  });

  it('undoes a plugin whose start throws, and fails whoever needs it', async () => {
    let running = 0;
    const bad = plugin('bad', (k) => k.kinds.define({ kind: 'bad', label: { one: 'b', many: 'b' }, schema: {} }), {
      start: (k) => {
        k.effect('timer', () => (running++, () => void running--));
        throw new Error('cannot');
      },
    });
    const k = await make.kernel({
      plugins: [
        plugin('user', () => undefined, { requires: ['bad'], start: () => expect.fail('must not start') }),
        bad,
      ],
    });
    expect([k.host.get('bad').state, k.host.get('bad').note]).to.deep.equal(['failed', 'Error: cannot']);
    expect(k.host.get('user').note).to.equal('requires bad, which is failed');
    expect(running).to.equal(0);
    expect(k.services.kinds.get('bad')).to.equal(undefined);
  });

  it('declaring is over once register is', async () => {
    const seen: string[] = [];
    const late = plugin('late', () => undefined, {
      start: (k) => {
        const tries = [
          () => k.tap(k.hooks.gateway.admit, () => undefined),
          () => k.kinds.define({ kind: 'x', label: { one: '', many: '' }, schema: {} }),
          () => k.tools.define({ name: 'x', description: '', inputSchema: {}, call: () => 1 }),
          () => k.routes([]),
          () => k.provide({ name: 's' }, 1),
        ];
        for (const t of tries) {
          try {
            t();
          } catch (e) {
            seen.push((e as Error).message);
          }
        }
      },
    });
    await make.kernel({ plugins: [late] });
    expect(seen).to.have.length(5);
    for (const s of seen) expect(s).to.include('declared in register(), not later');
  });

  it('a service goes only to those that name its plugin', async () => {
    const token = { name: 'greeter' };
    const seen: unknown[] = [];
    const offers = plugin('offers', (k) => k.provide(token, { hi: 'hello' }));
    const asks = (name: string, requires: string[]): Plugin =>
      plugin(name, (k) => void seen.push(k.use(token)), { requires });
    const k = await make.kernel({
      plugins: [offers, asks('good', ['offers']), asks('rude', []), plugin('second', (v) => v.provide(token, 2))],
    });
    expect(seen).to.deep.equal([{ hi: 'hello' }]);
    expect(k.host.get('rude').note).to.include('name it in requires');
    expect(k.host.get('second').note).to.include('provided already by offers');
  });

  it('a service nobody provides is named', async () => {
    expect(await note([plugin('a', (k) => void k.use({ name: 'none' }))], 'a')).to.equal(
      'failed: Nobody provides service none.',
    );
  });

  it('does not start an effect in a plugin that was stopped while it started', async () => {
    let go: () => void = () => undefined;
    let running = 0;
    let starts = 0;
    const slow = plugin('slow', () => undefined, {
      start: async (v) => {
        if (starts++ === 0) return;
        await new Promise<void>((resolve) => (go = resolve));
        v.effect('timer', () => (running++, () => void running--));
      },
    });
    const k = await make.kernel({ plugins: [slow] });
    await k.host.disable('slow');
    const enabling = k.host.enable('slow');
    await until('it starts', () => starts === 2);
    await k.host.disable('slow');
    go();
    await enabling;
    expect(running).to.equal(0);
    expect(k.host.get('slow').note).to.equal('disabled by the user');
  });
});

describe('an effect that does not end', () => {
  const make = workshop();
  it('is given up after a while, and the others end', async function () {
    this.timeout(20_000);
    const ended: string[] = [];
    const k = await make.kernel({
      plugins: [
        plugin('p', (v) => {
          v.effect('first', () => () => void ended.push('first'));
          v.effect('hangs', () => () => new Promise<void>(() => undefined));
          v.effect('throws', () => () => {
            throw new Error('x');
          });
        }),
      ],
    });
    await k.rest('POST', '/plugins/p/disable');
    await until('first has ended', () => ended.length > 0);
    expect(k.host.get('p').state).to.equal('disabled');
  });
});
