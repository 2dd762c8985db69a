import { expect } from 'chai';
import { quiet } from '../../src/gateway/exchange.js';
import { type Payload } from '../../src/gateway/payload.js';
import type { Obj, Outcome, WatchEvent } from '../../src/gateway/seam.js';
import type { TestKernel } from '../../src/testing/index.js';
import { until, workshop } from '../support/kernels.js';
import { offering, result, server, tool, type FakeServer } from '../support/sources.js';

describe('a call through the core', () => {
  const make = workshop();
  const x = quiet({ key: 'c', agent: 'robot' });
  const gateway = (servers: FakeServer[], tap?: Parameters<typeof offering>[1]): Promise<TestKernel> =>
    make.kernel({ plugins: [offering(servers, tap)] });
  const faultOf = (o: Outcome): string => (o.kind === 'fault' ? o.fault.name : o.kind);

  it('reaches its server under the server’s own name, all else as it was', async () => {
    const a = server('a');
    const { core } = (await gateway([a])).services;
    await core.call('tools/call', { name: 'a__b__c', arguments: { p: 1 }, _meta: { m: 1 } }, x);
    await core.call('prompts/get', { name: 'a__p' }, x);
    await core.call('resources/read', { uri: 'coffer://a/file:///x?y#z' }, x);
    await core.call(
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'a__p' }, argument: { name: 'n', value: 'v' } },
      x,
    );
    expect(a.calls).to.deep.equal([
      { method: 'tools/call', params: { name: 'b__c', arguments: { p: 1 }, _meta: { m: 1 } } },
      { method: 'prompts/get', params: { name: 'p' } },
      { method: 'resources/read', params: { uri: 'file:///x?y#z' } },
      {
        method: 'completion/complete',
        params: { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'n', value: 'v' } },
      },
    ]);
  });

  it('to nowhere has a fault with a name', async () => {
    const { core } = (await gateway([server('a')])).services;
    const cases: [string, Obj, string][] = [
      ['tools/call', { name: 'ghost__x' }, 'UNKNOWN_TOOL'],
      ['tools/call', { name: 'plain' }, 'UNKNOWN_TOOL'],
      ['tools/call', { name: 'coffer__none' }, 'UNKNOWN_TOOL'],
      ['tools/call', { name: 5 }, 'INVALID_PARAMS'],
      ['tools/call', {}, 'INVALID_PARAMS'],
      ['prompts/get', { name: 'ghost__x' }, 'UNKNOWN_PROMPT'],
      ['resources/read', { uri: 'coffer://ghost/x' }, 'UNKNOWN_RESOURCE'],
      ['resources/read', { uri: 'nothing' }, 'UNKNOWN_RESOURCE'],
      ['completion/complete', {}, 'INVALID_PARAMS'],
      ['tools/list', { cursor: 'x' }, 'INVALID_PARAMS'],
      ['no/such', {}, 'METHOD_NOT_FOUND'],
    ];
    for (const [method, params, name] of cases)
      expect(faultOf(await core.call(method, params, x)), JSON.stringify([method, params])).to.equal(name);
  });

  it('of a raw URI goes to the one server that has it, by list or by template, and several are named', async () => {
    const a = server('a', { lists: { resources: [{ uri: 'file:///both' }, { uri: 'file:///a' }] } });
    const b = server('b', {
      lists: { resources: [{ uri: 'file:///both' }], resourceTemplates: [{ uriTemplate: 'db://{table}' }] },
    });
    const { core } = (await gateway([a, b])).services;
    await core.call('resources/read', { uri: 'file:///a' }, x);
    await core.call('resources/read', { uri: 'db://t' }, x);
    expect([a.calls, b.calls].map((c) => c.map((d) => d.params))).to.deep.equal([
      [{ uri: 'file:///a' }],
      [{ uri: 'db://t' }],
    ]);
    const both = await core.call('resources/read', { uri: 'file:///both' }, x);
    expect(both).to.have.nested.property('fault.name', 'INVALID_PARAMS');
    expect(both).to.have.nested.property('fault.data.servers').deep.equal(['a', 'b']);
  });

  it('is journalled with how it ended, and never with what it carried', async () => {
    const ends: Record<string, Outcome> = {
      ok: result({ content: [{ type: 'text', text: 'SECRET' }] }),
      isError: result({ content: [], isError: true }),
      error: { kind: 'error', error: { code: -32042, message: 'SECRET', data: 1 } },
      timeout: { kind: 'fault', fault: { name: 'TIMEOUT', message: 'too slow' } },
      cancelled: { kind: 'fault', fault: { name: 'CANCELLED', message: 'gone' } },
      unavailable: { kind: 'fault', fault: { name: 'UNAVAILABLE', message: 'down' } },
      input: { kind: 'input', state: 's' },
    };
    const a = server('a', {
      onCall: (_m, p) => {
        if (p['name'] === 'throws') throw new Error('SECRET');
        return ends[p['name'] as string] as Outcome;
      },
    });
    const k = await gateway([a], (v) =>
      v.tap(v.hooks.gateway.admit, (c) => (c.key === 'denied' ? { name: 'DISABLED', message: 'off' } : undefined)),
    );
    for (const name of [...Object.keys(ends), 'throws', 'denied']) {
      const o = await k.services.core.call('tools/call', { name: `a__${name}`, arguments: { a: 'SECRET' } }, x);
      if (ends[name] !== undefined) expect(o).to.equal(ends[name]);
    }
    const rows = (await k.rest('GET', '/invocations')).body.invocations as Obj[];
    expect(JSON.stringify(rows)).to.not.include('SECRET');
    expect(Object.fromEntries(rows.map((r) => [r['capability_key'] as string, r['status'] as string]))).to.deep.equal({
      ok: 'ok',
      isError: 'error',
      error: 'error',
      timeout: 'timeout',
      cancelled: 'cancelled',
      unavailable: 'error',
      throws: 'error',
      denied: 'denied',
    });
    expect(rows[0]).to.deep.include({ server: 'a', capability_type: 'tool', session_id: 'c', agent: 'robot' });
    expect(a.calls.map((c) => c.params['name'])).to.not.include('denied');
  });

  it('is refused when the guard of it throws', async () => {
    const a = server('a');
    const k = await gateway([a], (v) =>
      v.tap(v.hooks.gateway.admit, () => {
        throw new Error('x');
      }),
    );
    expect(faultOf(await k.services.core.call('tools/call', { name: 'a__t' }, x))).to.equal('DISABLED');
    expect(a.calls).to.deep.equal([]);
  });

  it('of a lean client lists built-ins alone, and calls all others by name', async () => {
    const a = server('a', { lists: { tools: [tool('t')] } });
    const k = await gateway([a]);
    const lean = quiet({ key: 'lean', lean: true });
    const listed = await k.services.core.call('tools/list', {}, lean);
    expect((listed as { result: Payload }).result.value['tools'].map((t: Obj) => t['name'] as string)).to.deep.equal([
      'coffer__call_tool',
    ]);
    await k.services.core.call(
      'tools/call',
      { name: 'coffer__call_tool', arguments: { name: 'a__t', arguments: { p: 1 } } },
      lean,
    );
    await k.services.core.call('tools/call', { name: 'a__t' }, lean);
    expect(a.calls.map((c) => c.params)).to.deep.equal([{ name: 't', arguments: { p: 1 } }, { name: 't' }]);
    expect(
      faultOf(
        await k.services.core.call(
          'tools/call',
          { name: 'coffer__call_tool', arguments: { name: 'coffer__call_tool' } },
          lean,
        ),
      ),
    ).to.equal('INVALID_PARAMS');
    expect(
      faultOf(await k.services.core.call('tools/call', { name: 'coffer__call_tool', arguments: { name: 'a__t' } }, x)),
    ).to.equal('UNKNOWN_TOOL');
  });

  it('of a client that goes closes all its servers, and says so once', async () => {
    const a = server('a');
    const seen: string[] = [];
    const k = await gateway([a], (v) => {
      v.tap(v.hooks.gateway.sessionOpened, (s) => void seen.push(`open ${s.id}`));
      v.tap(v.hooks.gateway.sessionClosed, (s) => void seen.push(`close ${s.id}`));
    });
    await k.services.core.call('tools/call', { name: 'a__t' }, x);
    k.services.core.rootsChanged(x.peer);
    await k.services.core.gone(x.peer);
    await k.services.core.gone(x.peer);
    expect(a.opened.map((s) => [s.closed, s.rootsHeard])).to.deep.equal([['at once', 1]]);
    expect(seen).to.deep.equal(['open c', 'close c']);
  });

  it('of a client that comes and goes is told live, once each, before its servers have closed', async () => {
    const k = await gateway([server('a')]);
    const seen: unknown[] = [];
    const peer = { ...x.peer, info: { name: 'a client', version: '1' } };
    k.services.live.listen((e) => void (e.type === 'session' && seen.push(e)));
    await k.services.core.call('tools/call', { name: 'a__t' }, quiet(peer));
    await k.services.core.call('tools/call', { name: 'a__t' }, quiet(peer));
    const told = { type: 'session', id: 'c', agent: 'robot', client: 'a client' };
    expect(seen).to.deep.equal([{ ...told, action: 'opened' }]);
    const going = k.services.core.gone(peer);
    expect(seen[1]).to.deep.equal({ ...told, action: 'closed' });
    await going;
    await k.services.core.gone(peer);
    expect(seen).to.have.length(2);
  });

  it('watches a resource in the client’s own form, and logs bear the server’s name', async () => {
    const a = server('a', { lists: { resources: [{ uri: 'file:///a' }] } });
    const { core } = (await gateway([a])).services;
    const heard: WatchEvent[] = [];
    await core.facts(x);
    const w = core.watch(x, { uris: ['file:///a', 'coffer://ghost/x'], log: 'warning' }, (e) => heard.push(e));
    const honoured = await w.honoured;
    expect(honoured.uris).to.deep.equal(['file:///a']);
    expect(honoured.refused?.map((r) => r.uri)).to.deep.equal(['coffer://ghost/x']);
    expect(a.opened[0]?.want).to.deep.include({ uris: ['file:///a'], log: 'warning' });
    a.opened[0]?.tell({ kind: 'uri', uri: 'file:///a', params: { uri: 'file:///a' } });
    a.opened[0]?.tell({ kind: 'log', params: { level: 'error', logger: 'db', data: 1 } });
    a.opened[0]?.tell({ kind: 'log', params: { level: 'error', data: 2 } });
    expect(heard).to.deep.equal([
      { kind: 'uri', uri: 'file:///a', params: { uri: 'file:///a' } },
      { kind: 'log', params: { level: 'error', logger: 'a/db', data: 1 } },
      { kind: 'log', params: { level: 'error', logger: 'a', data: 2 } },
    ]);
    await w.change({ uris: ['coffer://a/file:///a'] });
    a.opened[0]?.tell({ kind: 'uri', uri: 'file:///a', params: { uri: 'file:///a' } });
    expect(heard.at(-1)).to.have.property('uri', 'coffer://a/file:///a');
    w.stop();
    await until('the filter is empty', () => (a.opened[0]?.want?.uris ?? []).length === 0);
  });
});
