import { expect } from 'chai';
import { createTestKernel, openHttp, type HttpClient, type TestKernel } from '@coffer/kernel/testing';
import { offering, result, server } from '../support/sources.js';

describe('methods that are names of every object', () => {
  let k: TestKernel;
  let client: HttpClient;
  before(async () => {
    const a = server('a', { lists: { tools: [] }, onCall: () => result({ content: [] }) });
    k = await createTestKernel({ plugins: [offering([a])] });
    client = await openHttp(`${k.url}/mcp`, { headers: { 'X-Coffer-Token': k.token } });
  });
  after(async () => {
    await client.close();
    await k.stop();
  });

  for (const method of ['toString', 'constructor', 'valueOf', '__proto__', 'hasOwnProperty']) {
    it(`${method} is unknown, and the calls beside it are logged`, async () => {
      const before = k.services.invocations.list({ limit: 500 }).invocations.length;
      const params = { name: 'a__echo' };
      const [odd] = await Promise.all([
        client.start(method, params).message,
        client.request('tools/call', params),
        client.request('tools/call', params),
      ]);
      expect(odd['error'].code).to.equal(-32601);
      expect(k.services.invocations.list({ limit: 500 }).invocations.length - before).to.equal(2);
      expect(k.host.records.values().next().value?.state).to.equal('active');
    });
  }

  it('a row that cannot be written does not take the others along', async () => {
    const before = k.services.invocations.list({ limit: 500 }).invocations.length;
    const row = {
      timestamp: new Date().toISOString(),
      server: 'a',
      ref: null,
      type: 'tool',
      key: 'x',
      durationMs: 1,
    } as const;
    const more = { status: 'ok', error: null, sessionId: 's', agent: null, rounds: 0 } as const;
    k.services.invocations.add({ ...row, ...more });
    // what SQLite cannot bind: a function where text belongs
    k.services.invocations.add({ ...row, ...more, key: (() => 'x') as unknown as string });
    k.services.invocations.add({ ...row, ...more });
    expect(k.services.invocations.list({ limit: 500 }).invocations.length - before).to.equal(2);
  });
});
