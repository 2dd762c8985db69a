import { expect } from 'chai';
import { NOTE, notes } from '../support/notes.js';
import { plugin, until, workshop } from '../support/kernels.js';
import { openHttp } from '../../src/testing/index.js';
import { fakeClock } from '../../src/testing/clock.js';

const boom = (): never => {
  throw new Error('boom');
};

describe('a plugin that fails while it runs', () => {
  const make = workshop();

  it('is degraded, says where and how often, and the change it watched went through', async () => {
    const bad = plugin('bad', (k) => k.tap(k.hooks.resource.created.for('note'), boom));
    const k = await make.kernel({ plugins: [notes, bad] });
    for (const name of ['a', 'b']) {
      const res = await k.rest('POST', '/resources', { kind: 'note', name, config: { text: 'x' } });
      expect(res.status).to.equal(201);
    }
    const { body } = await k.rest('GET', '/plugins/bad');
    expect(body.state).to.equal('degraded');
    expect(body.note).to.equal('resource.created(note) threw 2 times: Error: boom (coffer plugin show bad)');
    expect(body.errors).to.have.length(1);
    expect(body.errors[0]).to.include({ where: 'resource.created(note)', error: 'Error: boom', count: 2 });
    expect(body.taps[0]).to.include({ hook: 'resource.created(note)', calls: 2, errors: 2, active: true });
    expect((await k.rest('GET', '/daemon/status')).body.plugins).to.deep.include({ active: 1, degraded: 1 });
  });

  it('has failed where the hook says so, with what it and its users did undone', async () => {
    let running = 0;
    const bad = plugin('bad', (k) => {
      k.kinds.define({ ...NOTE, kind: 'other' });
      k.effect('timer', () => (running++, () => void running--));
      k.tap(k.hooks.daemon.ready, boom);
    });
    const user = plugin('user', (k) => k.effect('t', () => (running++, () => void running--)), { requires: ['bad'] });
    const k = await make.kernel({ plugins: [bad, user] });
    await until('both are down', () => running === 0);
    expect(k.host.get('bad').state).to.equal('failed');
    expect(k.host.get('bad').note).to.include('daemon.ready threw once');
    expect(k.host.get('user').note).to.equal('requires bad, which is failed');
    expect(k.services.kinds.get('other')).to.equal(undefined);
  });

  it('leaves the daemon up, whatever of it throws', async () => {
    const clock = fakeClock();
    const bad = plugin('bad', (k) => {
      const h = k.hooks;
      k.kinds.define({
        ...NOTE,
        kind: 'bad',
        credentialRefs: boom,
        redact: boom,
        nameRule: () => undefined,
      });
      for (const hook of [
        h.gateway.sources,
        h.gateway.listed,
        h.gateway.admit,
        h.gateway.invoked,
        h.gateway.sessionOpened,
        h.gateway.sessionClosed,
        h.scope.visible,
        h.http.routes,
        h.backup.trees,
        h.retention.tables,
        h.daemon.stopping,
      ])
        // each hook has arguments of its own; a function that throws fits them all
        k.tap(hook as typeof h.gateway.sessionOpened, boom);
      for (const map of Object.values(h.resource)) k.tap((map as typeof h.resource.created).for('bad'), boom);
      k.tools.define({ name: 'bad', description: '', inputSchema: { type: 'object' }, call: boom });
      k.routes([
        { method: 'GET', path: '/bad', summary: '', response: {}, handle: boom },
        { method: 'GET', path: '/bad/:', summary: '', handle: boom },
      ]);
      k.clock.setTimeout(boom, 10);
      k.clock.setTimeout(() => Promise.reject(new Error('late')), 20);
    });
    const k = await make.kernel({ plugins: [notes, bad], clock });
    await clock.advance(30);
    expect((await k.rest('GET', '/daemon/status')).body.status).to.equal('ready');
    expect((await k.rest('POST', '/resources', { kind: 'note', name: 'fine', config: { text: 'x' } })).status).to.equal(
      201,
    );
    const mcp = await openHttp(`${k.url}/mcp`, { headers: { 'x-coffer-token': k.token } });
    expect((await mcp.request('tools/list')).tools).to.be.an('array');
    await mcp.close();
    expect(k.host.get('bad').state).to.be.oneOf(['failed', 'degraded']);
  });

  it('has a route that throws: 500 without its words, and it is degraded', async () => {
    const bad = plugin('bad', (k) => {
      k.routes([
        {
          method: 'GET',
          path: '/bad',
          summary: '',
          response: {},
          handle: () => {
            throw new Error('the secret is 42');
          },
        },
        { method: 'GET', path: '/(', summary: '', handle: () => undefined },
        { method: 'GET', path: '/good', summary: '', response: {}, handle: () => ({ fine: true }) },
      ]);
    });
    const k = await make.kernel({ plugins: [bad] });
    const res = await k.rest('GET', '/bad');
    expect(res.status).to.equal(500);
    expect(JSON.stringify(res.body)).to.not.include('42');
    expect((await k.rest('GET', '/good')).body).to.deep.equal({ fine: true });
    expect(k.host.get('bad').state).to.equal('degraded');
  });

  it('has timers that throw: it is degraded and says so', async () => {
    const clock = fakeClock();
    const bad = plugin('bad', (k) => {
      k.clock.setInterval(boom, 1000);
      k.clock.setTimeout(async () => boom(), 1500);
    });
    const k = await make.kernel({ plugins: [bad], clock });
    await clock.advance(2500);
    const r = k.host.get('bad');
    expect(r.state).to.equal('degraded');
    expect(r.errors[0]).to.include({ where: 'timer', count: 3 });
  });

  it('has a tool that throws: an error result without its words', async () => {
    const bad = plugin('bad', (k) =>
      k.tools.define({
        name: 'bad',
        description: '',
        inputSchema: { type: 'object' },
        call: () => {
          throw new Error('the secret is 42');
        },
      }),
    );
    const k = await make.kernel({ plugins: [bad] });
    const { status, body } = await k.rest('POST', '/gateway/call', { name: 'coffer__bad' });
    expect(status).to.equal(200);
    expect(body.isError).to.equal(true);
    expect(JSON.stringify(body)).to.not.include('42');
    expect(k.host.get('bad').note).to.include('bad threw once');
  });
});
