import { expect } from 'chai';
import fc from 'fast-check';
import type { Obj } from '../../src/json.js';
import { fakeClock } from '../../src/testing/clock.js';
import { HttpClient, openHttp, type HttpOptions, type TestKernel } from '../../src/testing/index.js';
import { until, workshop } from '../support/kernels.js';
import { offering, result, server, tool, type FakeServer } from '../support/sources.js';
import { openEvents } from '../support/wire.js';

describe('/mcp in the older era', () => {
  const make = workshop();
  const clients: HttpClient[] = [];
  afterEach(() => clients.splice(0).forEach((c) => c.abandon()));
  const open = async (k: TestKernel, options: HttpOptions = {}): Promise<HttpClient> => {
    const c = await openHttp(`${k.url}/mcp`, {
      ...options,
      headers: { 'x-coffer-token': k.token, ...options.headers },
    });
    clients.push(c);
    return c;
  };
  const bare = (k: TestKernel): HttpClient => {
    const c = new HttpClient(`${k.url}/mcp`, { headers: { 'x-coffer-token': k.token } });
    clients.push(c);
    return c;
  };
  const gateway = (servers: FakeServer[] = [], clock = fakeClock()): Promise<TestKernel> =>
    make.kernel({ plugins: [offering(servers)], clock });

  it('agrees on a version it knows and never echoes one it does not', async () => {
    const k = await gateway();
    for (const v of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
      expect((await open(k, { protocolVersion: v })).facts?.['protocolVersion']).to.equal(v);
    for (const v of ['1999-01-01', 'x'])
      expect((await open(k, { protocolVersion: v })).facts?.['protocolVersion']).to.equal('2025-11-25');
  });

  it('answers each id as it came, and null is no id', async () => {
    const k = await gateway([server('a')]);
    const c = await open(k);
    for (const id of [0, '0', '', 1, '1', 2 ** 53 - 1, 'b5f6-uuid']) {
      const res = await c.raw('POST', { jsonrpc: '2.0', id, method: 'tools/list' });
      expect(JSON.parse(res.body)).to.have.property('id', id);
    }
    const none = await c.raw('POST', { jsonrpc: '2.0', id: null, method: 'tools/list' });
    expect([none.status, JSON.parse(none.body).error.code]).to.deep.equal([400, -32600]);
    const endless = await c.raw('POST', '{"jsonrpc":"2.0","id":1e999,"method":"tools/list"}');
    expect([endless.status, JSON.parse(endless.body).error.code]).to.deep.equal([400, -32600]);
  });

  it('refuses what comes before initialize, without a session, or for one that is gone', async () => {
    const k = await gateway();
    const c = bare(k);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await c.raw('POST', call)).status).to.equal(400);
    expect(JSON.parse((await c.raw('POST', { ...call, method: 'ping' })).body).result).to.deep.equal({});
    expect((await c.raw('POST', call, { 'mcp-session-id': 'ghost' })).status).to.equal(404);
    expect((await c.raw('GET')).status).to.equal(400);
    expect((await c.raw('GET', undefined, { 'mcp-session-id': 'ghost' })).status).to.equal(404);
    expect((await c.raw('DELETE', undefined, { 'mcp-session-id': 'ghost' })).status).to.equal(404);
    expect((await c.raw('PUT', call)).status).to.equal(405);
    const broken = await c.raw('POST', '{"jsonrpc"');
    expect([broken.status, JSON.parse(broken.body).error.code]).to.deep.equal([400, -32700]);
    const s = await open(k);
    expect((await s.raw('POST', { jsonrpc: '2.0', method: 'notifications/initialized' })).status).to.equal(202);
    expect((await s.raw('DELETE')).status).to.equal(200);
    expect((await s.raw('POST', call)).status).to.equal(404);
    expect(k.services.core.standings.all.size).to.equal(0);
  });

  it('has batches in 2025-03-26 alone, and no handshake in one', async () => {
    const k = await gateway([server('a', { lists: { tools: [tool('t')] } })]);
    const batch =
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}},5]';
    const c = await open(k, { protocolVersion: '2025-03-26' });
    const res = await c.raw('POST', batch);
    const answers = res.body
      .split('\n')
      .filter((l) => l.startsWith('data: '))
      .map((l) => JSON.parse(l.slice(6)) as Obj);
    expect(
      answers
        .filter((a) => a['result'] !== undefined)
        .map((a) => a['id'] as number)
        .sort(),
    ).to.deep.equal([1, 2]);
    expect(answers.filter((a) => a['error']?.code === -32600)).to.have.length(2);
    expect((await c.raw('POST', '[{"jsonrpc":"2.0","method":"notifications/x"}]')).status).to.equal(202);
    for (const v of ['2025-06-18', '2024-11-05'])
      expect((await (await open(k, { protocolVersion: v })).raw('POST', batch)).status).to.equal(400);
  });

  it('refuses an id that still runs, and says nothing to one that was cancelled', async () => {
    const a = server('a', {
      onCall: (_m, _p, x) =>
        new Promise((resolve) => x.signal.addEventListener('abort', () => resolve(result({ late: true })))),
    });
    const c = await open(await gateway([a]));
    const running = c.raw('POST', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'a__t' } });
    await until('it runs', () => a.calls.length === 1);
    const second = await c.raw('POST', { jsonrpc: '2.0', id: 7, method: 'tools/list' });
    expect([second.status, JSON.parse(second.body).error.code]).to.deep.equal([400, -32600]);
    await c.cancel(7, 'enough');
    expect((await running).body).to.equal('');
  });

  it('puts questions on the stream of their call, or on the standing one, and asks only what the client can', async () => {
    const answers: unknown[] = [];
    const a = server('a', {
      onCall: async (_m, _p, x) => {
        answers.push(await x.ask({ method: 'elicitation/create', params: { message: 'who?', requestedSchema: {} } }));
        return result({ content: [] });
      },
    });
    const k = await gateway([a]);
    const able: HttpOptions = {
      capabilities: { elicitation: {} },
      onRequest: () => ({ action: 'accept', content: { n: 1 } }),
    };
    await (await open(k, able)).callTool('a__t');
    const json = await open(k, { ...able, headers: { accept: 'application/json' } });
    await json.listen();
    await json.callTool('a__t');
    await (await open(k)).callTool('a__t');
    expect(answers.slice(0, 2)).to.deep.equal([
      { result: { action: 'accept', content: { n: 1 } } },
      { result: { action: 'accept', content: { n: 1 } } },
    ]);
    expect(answers[2]).to.have.nested.property('error.code', -32601);
  });

  it('keeps what is said while the standing stream is down, and the newest stream counts', async () => {
    const clock = fakeClock();
    const a = server('a', { lists: { tools: [tool('t')] } });
    const k = await gateway([a], clock);
    const c = await open(k);
    await c.request('tools/list');
    a.opened[0]?.tell({ kind: 'tools' });
    await clock.advance(300);
    await c.listen();
    await c.waitFor('notifications/tools/list_changed');
    const headers = { 'mcp-session-id': c.sessionId };
    const newest = await openEvents(k, '/mcp', { headers });
    a.opened[0]?.tell({ kind: 'prompts' });
    await clock.advance(300);
    await until('the newest hears it', () => newest.events.length === 1);
    expect(c.notifications).to.have.length(1);
    newest.close();
  });

  it('ends a session that was idle, and those of a shim whose leash fell, after a grace', async () => {
    const clock = fakeClock();
    const k = await gateway([server('a')], clock);
    await open(k);
    expect(k.services.core.standings.all.size).to.equal(1);
    await clock.advance(1800_000 + 120_000);
    await until('it was reaped', () => k.services.core.standings.all.size === 0);
    const headers = { 'x-coffer-client': 'shim-1' };
    const leash = await openEvents(k, '/mcp/leash', { headers });
    await open(k, { headers });
    await clock.advance(3600_000);
    expect(k.services.core.standings.all.size).to.equal(1);
    leash.close();
    await until('the grace runs', () => clock.pending > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(9999);
    expect(k.services.core.standings.all.size).to.equal(1);
    await clock.advance(1);
    await until('it is gone', () => k.services.core.standings.all.size === 0);
  });

  it('answers whatever it is sent, never with 500, and stays up', async function () {
    this.timeout(60_000);
    const k = await gateway([server('a', { lists: { tools: [tool('t')] } })]);
    const c = await open(k);
    const methods = fc.constantFrom(
      'tools/list',
      'tools/call',
      'resources/read',
      'resources/subscribe',
      'logging/setLevel',
      'completion/complete',
      'initialize',
      'prompts/get',
      'notifications/cancelled',
      'x',
    );
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id: fc.jsonValue(),
        method: fc.oneof(methods, fc.jsonValue()),
        params: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      message.map((m) => JSON.stringify(m)),
      fc.json(),
      fc.string(),
    );
    const header = fc.oneof(fc.constant(undefined), fc.stringMatching(/^[\x21-\x7e]{1,20}$/));
    await fc.assert(
      fc.asyncProperty(body, header, header, async (text, session, version) => {
        const res = await c.raw('POST', text, {
          'mcp-session-id': session ?? c.sessionId,
          'mcp-protocol-version': version,
        });
        expect(res.status).to.be.within(200, 499);
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE', 'GET'),
        fc.webPath(),
        fc.json(),
        async (method, at, text) => {
          const res = await fetch(`${k.url}/api/v1${at.replace(/\/daemon\/shutdown/, '')}`, {
            method,
            headers: { 'x-coffer-token': k.token },
            ...(method === 'GET' ? {} : { body: text }),
          });
          expect(res.status).to.be.within(200, 499);
          await res.text();
        },
      ),
      { numRuns: 200 },
    );
    expect((await k.rest('GET', '/daemon/status')).body.status).to.equal('ready');
  });
});
