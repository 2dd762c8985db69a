import { expect } from 'chai';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import { Payload } from '../../src/gateway/payload.js';
import { until } from '../support/kernels.js';
import { KEY, modernClient, type ModernClient } from '../support/modern.js';
import { offering, result, server, tool, type FakeServer } from '../support/sources.js';

describe('a client of the newer era (2026-07-28)', () => {
  let k: TestKernel;
  let ask: ModernClient;
  let a: FakeServer;
  before(async () => {
    const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    a = server('a', {
      lists: {
        tools: [tool('echo'), { name: 'mirrored', inputSchema: schema }],
        resources: [{ uri: 'x://y', name: 'y' }],
      },
    });
    k = await createTestKernel({ plugins: [offering([a])] });
    ask = modernClient(k.url, k.token);
  });
  after(() => k.stop());

  it('discovers at once, before any server was spoken to', async () => {
    const { result: r, status } = await ask('server/discover');
    expect(status).to.equal(200);
    expect(r).to.include({ resultType: 'complete', cacheScope: 'private' });
    expect(r.supportedVersions).to.include.members(['2026-07-28', '2025-11-25']);
    expect(r._meta[`${KEY}serverInfo`]).to.include({ name: 'coffer' });
    expect(r.instructions).to.be.a('string');
    expect(a.listed).to.deep.equal([]);
  });

  it('gets lists with caching hints, private and not to be kept while nobody listens', async () => {
    const { result: r } = await ask('tools/list');
    expect(r).to.include({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(r.tools.map((t: { name: string }) => t.name)).to.include('a__echo');
  });

  it('gets results whole: bytes with our fields at their end, or remade where something of it must change', async () => {
    const answers = [
      Payload.raw([Buffer.from('{"content":[{"type":"text","te'), Buffer.from('xt":"x"}],"own":1}')]),
      Payload.of({ content: [], _meta: { mine: 1 } }),
      Payload.of({ structuredContent: [1] }),
      Payload.of({}),
    ];
    const want = [
      { content: [{ type: 'text', text: 'x' }], own: 1 },
      { content: [], _meta: { mine: 1 } },
      { content: [], structuredContent: [1] },
      { content: [] },
    ];
    for (const [i, payload] of answers.entries()) {
      a.onCall = () => ({ kind: 'result', result: payload });
      const { result: r } = await ask('tools/call', { name: 'a__echo' });
      const { resultType, _meta, ...rest } = r;
      expect(resultType).to.equal('complete');
      expect(_meta).to.have.property(`${KEY}serverInfo`);
      const { _meta: own = {}, ...expected } = want[i] as { _meta?: object };
      expect(rest).to.deep.equal(expected);
      expect(_meta).to.include(own);
    }
  });

  it('is told of headers that contradict the body, before any server is', async () => {
    const before = a.calls.length;
    const bad: [string, Record<string, string>, number][] = [
      ['another version', { 'mcp-protocol-version': '2025-11-25' }, -32020],
      ['another method', { 'mcp-method': 'tools/list' }, -32020],
      ['another name', { 'mcp-name': 'a__other' }, -32020],
      ['a name that is no base64', { 'mcp-name': '=?base64?***?=' }, -32020],
    ];
    for (const [what, headers, code] of bad) {
      const { status, error } = await ask('tools/call', { name: 'a__echo' }, { headers });
      expect([status, error.code], what).to.deep.equal([400, code]);
    }
    const encoded = { 'mcp-name': `=?base64?${Buffer.from('a__echo').toString('base64')}?=` };
    a.onCall = () => result({ content: [] });
    expect((await ask('tools/call', { name: 'a__echo' }, { headers: encoded })).status).to.equal(200);
    expect(a.calls.length).to.equal(before + 1);
  });

  it('must mirror what a schema asks for, unless a shim speaks for it', async () => {
    a.onCall = () => result({ content: [] });
    const direct = { client: '', headers: { 'x-coffer-client': '' } };
    const call = { name: 'a__mirrored', arguments: { region: 'eu' } };
    await ask('tools/list', {}, direct);
    expect((await ask('tools/call', call, direct)).error.code).to.equal(-32020);
    const headers = { 'x-coffer-client': '', 'mcp-param-region': 'eu' };
    expect((await ask('tools/call', call, { headers })).status).to.equal(200);
    await ask('tools/list');
    expect((await ask('tools/call', call)).status).to.equal(200);
  });

  it('gets the numbers of its era', async () => {
    const number = async (method: string, params: object, o: object = {}): Promise<[number, number]> => {
      const { status, error } = await ask(method, params, o);
      return [status, error.code as number];
    };
    expect(await number('ping', {})).to.deep.equal([404, -32601]);
    expect(await number('initialize', {})).to.deep.equal([404, -32601]);
    expect(await number('tools/call', { name: 'nobody__x' })).to.deep.equal([200, -32602]);
    expect(await number('resources/read', { uri: 'coffer://nobody/x' })).to.deep.equal([200, -32602]);
    const other = {
      meta: { [`${KEY}protocolVersion`]: '2027-01-01' },
      headers: { 'mcp-protocol-version': '2027-01-01' },
    };
    expect(await number('tools/list', {}, other)).to.deep.equal([400, -32022]);
    expect(await number('tools/list', {}, { meta: { [`${KEY}clientCapabilities`]: 5 } })).to.deep.equal([400, -32602]);
    const errors: [number, [number, number]][] = [
      [-32002, [200, -32602]],
      [-32022, [200, -32603]],
      [-32050, [200, -32603]],
      [-32021, [400, -32021]],
      [-32000, [200, -32000]],
      [42, [200, 42]],
    ];
    for (const [code, want] of errors) {
      a.onCall = () => ({ kind: 'error', error: { code, message: 'theirs', data: { a: 1 } } });
      expect(await number('tools/call', { name: 'a__echo' }), String(code)).to.deep.equal(want);
    }
    for (const [name, code] of [
      ['TIMEOUT', -33001],
      ['UNAVAILABLE', -33010],
      ['DISABLED', -33000],
    ] as const) {
      a.onCall = () => ({ kind: 'fault', fault: { name, message: 'ours' } });
      expect(await number('tools/call', { name: 'a__echo' })).to.deep.equal([200, code]);
    }
  });

  it('hears progress under its own token and logs from its own level, on the stream of the call', async () => {
    a.onCall = (_m, _p, x) => {
      x.progress({ progress: 1, total: 2 });
      x.log({ level: 'debug', data: 'quiet' });
      x.log({ level: 'error', data: 'loud' });
      return result({ content: [] });
    };
    const meta = { progressToken: 'tok', [`${KEY}logLevel`]: 'warning' };
    const { messages } = await ask('tools/call', { name: 'a__echo' }, { meta });
    expect(messages.map((m) => m['method'])).to.deep.equal([
      'notifications/progress',
      'notifications/message',
      undefined,
    ]);
    expect(messages[0]?.['params']).to.deep.equal({ progress: 1, total: 2, progressToken: 'tok' });
    expect(messages[1]?.['params']).to.deep.equal({ level: 'error', data: 'loud', logger: 'a' });
    const silent = await ask('tools/call', { name: 'a__echo' });
    expect(silent.messages).to.have.length(1);
  });

  it('cancels by hanging up', async () => {
    let signal: AbortSignal | undefined;
    a.onCall = (_m, _p, x) => {
      signal = x.signal;
      return new Promise((resolve) =>
        x.signal.addEventListener('abort', () =>
          resolve({ kind: 'fault', fault: { name: 'CANCELLED', message: 'gone' } }),
        ),
      );
    };
    const stop = new AbortController();
    const call = ask('tools/call', { name: 'a__echo' }, { signal: stop.signal }).catch(() => undefined);
    await until('the call to run', () => signal !== undefined);
    stop.abort();
    await call;
    await until('the cancel', () => signal?.aborted === true);
  });

  it('listens: acknowledged first, each event with the id of its subscription, and lists it is told of may be kept', async () => {
    const stop = new AbortController();
    const res = await fetch(`${k.url}/mcp`, {
      method: 'POST',
      signal: stop.signal,
      headers: {
        'x-coffer-token': k.token,
        'x-coffer-client': 'listener',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'sub-1',
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: { [`${KEY}protocolVersion`]: '2026-07-28', [`${KEY}clientCapabilities`]: {} },
        },
      }),
    });
    let heard = '';
    void (async () => {
      for await (const chunk of res.body as ReadableStream<Uint8Array>) heard += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await until('the acknowledgement', () => heard.includes('acknowledged'));
    expect(heard).to.include('"toolsListChanged":true').and.include(`"${KEY}subscriptionId":"sub-1"`);
    expect((await ask('tools/list', {}, { client: 'listener' })).result.ttlMs).to.equal(60_000);
    a.opened.at(-1)?.tell({ kind: 'tools' });
    await until('the change', () => heard.includes('notifications/tools/list_changed'));
    a.opened.at(-1)?.tell({ kind: 'prompts' });
    stop.abort();
    await until('the end of listening', () => a.opened.at(-1)?.want?.tools === false);
    expect(heard).to.not.include('prompts/list_changed');
  });

  it('is one client by its name, and all unnamed requests of one agent are another', async () => {
    a.onCall = () => result({ content: [] });
    const before = a.opened.length;
    await ask('tools/call', { name: 'a__echo' }, { client: 'two' });
    await ask('tools/call', { name: 'a__echo' }, { client: 'two' });
    const unnamed = { headers: { 'x-coffer-client': '' }, agent: 'codex' };
    await ask('tools/call', { name: 'a__echo' }, unnamed);
    await ask('tools/call', { name: 'a__echo' }, unnamed);
    expect(a.opened.length - before).to.equal(2);
    const sessions = (await k.rest('GET', '/gateway/sessions')).body.sessions as {
      id: string;
      protocol_version: string;
    }[];
    expect(sessions.map((s) => s.id)).to.include.members(['c:two', 'a:codex']);
    expect(sessions.find((s) => s.id === 'c:two')?.protocol_version).to.equal('2026-07-28');
  });
});
