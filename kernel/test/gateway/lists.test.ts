import { expect } from 'chai';
import { CofferError } from '../../src/errors.js';
import { quiet } from '../../src/gateway/exchange.js';
import type { Exchange, ListType, Obj, WatchEvent } from '../../src/gateway/seam.js';
import { fakeClock, type FakeClock } from '../../src/testing/clock.js';
import type { TestKernel } from '../../src/testing/index.js';
import { until, workshop } from '../support/kernels.js';
import { offering, server, tool, type FakeServer } from '../support/sources.js';

describe('lists of all servers as one', () => {
  const make = workshop();
  interface Client {
    x: Exchange;
    heard: WatchEvent[];
    names(type?: ListType): Promise<string[]>;
  }
  const gateway = async (
    servers: FakeServer[],
    tap?: Parameters<typeof offering>[1],
  ): Promise<{ k: TestKernel; clock: FakeClock; client(key?: string): Promise<Client> }> => {
    const clock = fakeClock();
    const k = await make.kernel({ clock, plugins: [offering(servers, tap)] });
    const methods = {
      tools: 'tools/list',
      prompts: 'prompts/list',
      resources: 'resources/list',
      resourceTemplates: 'resources/templates/list',
    };
    return {
      k,
      clock,
      async client(key = 'c') {
        const x = quiet({ key });
        const heard: WatchEvent[] = [];
        await k.services.core.facts(x);
        await k.services.core.watch(x, { tools: true, prompts: true, resources: true }, (e) => heard.push(e)).honoured;
        return {
          x,
          heard,
          async names(type = 'tools') {
            const o = await k.services.core.call(methods[type], {}, x);
            if (o.kind !== 'result') throw new Error(JSON.stringify(o));
            return (o.result.value[type] as Obj[]).map((i) => (i['uri'] ?? i['uriTemplate'] ?? i['name']) as string);
          },
        };
      },
    };
  };

  it('have every item of each, in the order of offers, under its wire name; what is no object is left out', async () => {
    const a = server('a', {
      lists: {
        tools: [tool('x'), tool('y__z')],
        prompts: [{ name: 'p' }],
        resources: [{ uri: 'file:///a' }],
        resourceTemplates: [{ uriTemplate: 'file:///{p}' }],
      },
    });
    const b = server('b', { lists: { tools: [null as unknown as Obj, tool('x'), { noName: 1 }] } });
    const c = await (await gateway([a, b])).client();
    expect(await c.names()).to.deep.equal(['a__x', 'a__y__z', 'b__x']);
    expect(await c.names('prompts')).to.deep.equal(['a__p']);
    expect(await c.names('resources')).to.deep.equal(['coffer://a/file:///a']);
    expect(await c.names('resourceTemplates')).to.deep.equal(['coffer://a/file:///{p}']);
  });

  it('do not start or list what is hidden, and answer it as disabled', async () => {
    const h = server('h', { hidden: true, lists: { tools: [tool('x')] } });
    const { client, k } = await gateway([h]);
    const c = await client();
    expect(await c.names()).to.deep.equal([]);
    expect(h.opened).to.deep.equal([]);
    expect(await k.services.core.call('tools/call', { name: 'h__x' }, c.x))
      .to.deep.include({ kind: 'fault' })
      .and.have.nested.property('fault.name', 'DISABLED');
  });

  it('are good for a minute, and asking again in that time asks no server', async () => {
    const a = server('a', { lists: { tools: [tool('x')] } });
    const { client, clock } = await gateway([a]);
    const c = await client();
    await c.names();
    await clock.advance(59_999);
    await c.names();
    expect(a.listed).to.have.length(1);
    await clock.advance(1);
    a.lists.tools = [tool('y')];
    expect(await c.names()).to.deep.equal(['a__y']);
    await clock.advance(5000);
    // listing never notifies
    expect(c.heard).to.deep.equal([]);
  });

  it('leave out what fails, say why, and announce it when it is back', async () => {
    const bad = server('bad', { onList: () => Promise.reject(new CofferError('UPSTREAM_UNAVAILABLE', 'bad is down')) });
    const good = server('good', { lists: { tools: [tool('x')] } });
    const { client, clock, k } = await gateway([bad, good]);
    const c = await client();
    expect(await c.names()).to.deep.equal(['good__x']);
    expect(k.services.gateway.missing('c')).to.deep.equal([{ server: 'bad', reason: 'bad is down' }]);
    delete bad.onList;
    bad.lists.tools = [tool('y')];
    // another type that works must not make the gateway forget what is still missing
    await c.names('prompts');
    await clock.advance(2500);
    expect(c.heard).to.deep.include({ kind: 'tools' });
    expect(await c.names()).to.deep.equal(['bad__y', 'good__x']);
    expect(k.services.gateway.missing('c')).to.deep.equal([]);
  });

  it('ask one that is down once, however often they are made, until it is tried again behind', async () => {
    const bad = server('bad', { onList: () => Promise.reject(new CofferError('UPSTREAM_UNAVAILABLE', 'bad is down')) });
    const good = server('good', { lists: { tools: [tool('x')] } });
    const { client, clock, k } = await gateway([bad, good]);
    const c = await client();
    for (let i = 0; i < 10; i++) expect(await c.names()).to.deep.equal(['good__x']);
    expect(bad.listed).to.have.length(1);
    expect(k.services.gateway.missing('c')).to.deep.equal([{ server: 'bad', reason: 'bad is down' }]);
    await clock.advance(2000);
    expect(bad.listed).to.have.length(2);
    delete bad.onList;
    bad.lists.tools = [tool('y')];
    // the server itself says that it is back
    bad.opened[0]?.tell({ kind: 'tools' });
    expect(await c.names()).to.deep.equal(['bad__y', 'good__x']);
  });

  it('wait for a slow one only so long', async () => {
    let go: (items: Obj[]) => void = () => undefined;
    const slow = server('slow', { budgetMs: 100, onList: () => new Promise((resolve) => (go = resolve)) });
    const { client, clock } = await gateway([slow, server('good', { lists: { tools: [tool('x')] } })]);
    const c = await client();
    const listing = c.names();
    await clock.advance(0);
    await clock.advance(100);
    expect(await listing).to.deep.equal(['good__x']);
    go([tool('late')]);
    await clock.advance(0);
    await clock.advance(50);
    expect(c.heard).to.deep.equal([{ kind: 'tools' }]);
    expect(await c.names()).to.deep.equal(['slow__late', 'good__x']);
  });

  it('make one notification of a burst of changes, and serve nothing old after it', async () => {
    const a = server('a', { lists: { tools: [tool('x')] } });
    const { client, clock } = await gateway([a]);
    const c = await client();
    await c.names();
    a.lists.tools = [tool('y')];
    for (let i = 0; i < 500; i++) a.opened[0]?.tell({ kind: 'tools' });
    expect(await c.names()).to.deep.equal(['a__y']);
    await clock.advance(1000);
    expect(c.heard).to.deep.equal([{ kind: 'tools' }]);
    expect(a.listed).to.have.length(2);
  });

  it('keep nothing that was out of date before it arrived', async () => {
    const answers: ((items: Obj[]) => void)[] = [];
    const a = server('a', { lists: { tools: [tool('v0')] } });
    const { client, clock } = await gateway([a]);
    const c = await client();
    await c.names();
    await clock.advance(30_000);
    a.onList = () => new Promise((resolve) => answers.push(resolve));
    a.opened[0]?.tell({ kind: 'tools' });
    const listing = c.names();
    await until('it asks', () => answers.length === 1);
    a.opened[0]?.tell({ kind: 'tools' });
    answers[0]?.([tool('v1')]);
    await listing;
    delete a.onList;
    a.lists.tools = [tool('v2')];
    expect(await c.names()).to.deep.equal(['a__v2']);
  });

  it('of a second client are answered from the first at once, and corrected where its own differ', async () => {
    const a = server('a', { lists: { tools: [tool('x')] } });
    const { client, clock } = await gateway([a]);
    await (await client('one')).names();
    let go: (items: Obj[]) => void = () => undefined;
    a.onList = () => new Promise((resolve) => (go = resolve));
    const two = await client('two');
    expect(await two.names()).to.deep.equal(['a__x']);
    expect(a.listed).to.have.length(2);
    go([tool('x'), tool('mine')]);
    await clock.advance(0);
    await clock.advance(50);
    expect(two.heard).to.deep.equal([{ kind: 'tools' }]);
    expect(await two.names()).to.deep.equal(['a__x', 'a__mine']);
  });

  it('are curated by a tap, and empty for a server whose guard throws', async () => {
    let broken = false;
    const { client, k } = await gateway([server('a', { lists: { tools: [tool('x'), tool('off')] } })], (v) =>
      v.tap(v.hooks.gateway.listed, (l) => {
        if (broken) throw new Error('guard');
        return { ...l, items: l.items.filter((i) => i['name'] !== 'off') };
      }),
    );
    const c = await client();
    expect(await c.names()).to.deep.equal(['a__x']);
    broken = true;
    k.services.core.changed();
    await until('it is told', () => k.host.get('fakes').state === 'degraded');
    expect(await c.names()).to.deep.equal([]);
  });

  it('follow a change of offers: the old server drains, the new one is listed, once announced', async () => {
    const a = server('a', { lists: { tools: [tool('x')] } });
    const { client, k, clock } = await gateway([a]);
    const c = await client();
    await c.names();
    a.key = '2';
    a.lists.tools = [tool('y')];
    k.services.core.changed();
    k.services.core.changed();
    expect(await c.names()).to.deep.equal(['a__y']);
    await clock.advance(1000);
    expect(a.opened.map((s) => s.closed)).to.deep.equal(['drained', 'no']);
    expect(c.heard).to.deep.equal([{ kind: 'tools' }]);
    expect(a.opened[1]?.want).to.deep.include({ tools: true });
  });

  it('of one server whose opening throws do not take the others along', async () => {
    const { client } = await gateway([server('good', { lists: { tools: [tool('x')] } })], (v) =>
      v.tap(v.hooks.gateway.sources, (_s, sources) =>
        sources.offer({
          name: 'bad',
          ref: 'x:bad',
          key: '1',
          listKey: () => 'bad',
          open: () => {
            throw new Error('x');
          },
        }),
      ),
    );
    expect(await (await client()).names()).to.deep.equal(['good__x']);
  });
});
