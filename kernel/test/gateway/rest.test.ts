import { expect } from 'chai';
import type { Outcome } from '../../src/gateway/seam.js';
import type { TestKernel } from '../../src/testing/index.js';
import { workshop } from '../support/kernels.js';
import { offering, result, server, tool, type FakeServer } from '../support/sources.js';

/** Each way to ask, with what reaches the server and what is written down. */
const WAYS = [
  {
    path: '/gateway/call',
    body: { name: 'a__t', arguments: { p: 1 } },
    unknown: { name: 'ghost__t' },
    reaches: { method: 'tools/call', params: { name: 't', arguments: { p: 1 } } },
    written: { capability_type: 'tool', capability_key: 't' },
  },
  {
    path: '/gateway/read',
    body: { uri: 'coffer://a/file:///x?y#z' },
    unknown: { uri: 'coffer://ghost/x' },
    reaches: { method: 'resources/read', params: { uri: 'file:///x?y#z' } },
    written: { capability_type: 'resource', capability_key: 'file:///x?y#z' },
  },
  {
    path: '/gateway/prompt',
    body: { name: 'a__p', arguments: { city: 'Rome' } },
    unknown: { name: 'ghost__p' },
    reaches: { method: 'prompts/get', params: { name: 'p', arguments: { city: 'Rome' } } },
    written: { capability_type: 'prompt', capability_key: 'p' },
  },
] as const;

describe('asked over REST', () => {
  const make = workshop();
  const gateway = (servers: FakeServer[], tap?: Parameters<typeof offering>[1]): Promise<TestKernel> =>
    make.kernel({ plugins: [offering(servers, tap)] });

  for (const { path, body, unknown, reaches, written } of WAYS)
    describe(path, () => {
      it('gives the result as its server gave it, and is journalled without what it carried', async () => {
        const value = { contents: [{ uri: 'x', text: 'private words' }], messages: [], content: [], _meta: { m: 1 } };
        const a = server('a', { lists: { tools: [tool('t')] }, onCall: () => result(value) });
        const k = await gateway([a]);
        const answer = await k.rest('POST', path, { ...body, agent: 'robot' });
        expect([answer.status, answer.body]).to.deep.equal([200, value]);
        expect(a.calls).to.deep.equal([reaches]);
        const { invocations } = (await k.rest('GET', '/invocations')).body as { invocations: object[] };
        expect(invocations).to.have.length(1);
        expect(invocations[0]).to.deep.include({ ...written, server: 'a', agent: 'robot', status: 'ok' });
        expect(JSON.stringify(invocations)).to.not.match(/private|Rome/);
      });

      it('is gated like any call, and says by a code what went wrong', async () => {
        const gates: Record<string, Outcome> = {
          UPSTREAM_ERROR: { kind: 'error', error: { code: -32099, message: 'its own words' } },
          UPSTREAM_TIMEOUT: { kind: 'fault', fault: { name: 'TIMEOUT', message: 'too slow' } },
          UPSTREAM_UNAVAILABLE: { kind: 'fault', fault: { name: 'UNAVAILABLE', message: 'asleep' } },
        };
        for (const [code, outcome] of Object.entries(gates)) {
          const { body: said } = await (
            await gateway([server('a', { onCall: () => outcome })])
          ).rest('POST', path, body);
          expect(said).to.have.nested.property('error.code', code);
        }
        const a = server('a');
        const k = await gateway([a], (v) => {
          v.tap(v.hooks.gateway.admit, () => ({ name: 'DISABLED', message: 'It is off.' }));
        });
        expect((await k.rest('POST', path, body)).body).to.have.nested.property('error.code', 'TOOL_DISABLED');
        expect((await k.rest('POST', path, unknown)).body).to.have.nested.property(
          'error.code',
          'CAPABILITY_NOT_FOUND',
        );
        expect((await k.rest('POST', path, { ...body, more: 1 })).status).to.equal(422);
        expect((await k.rest('POST', path, {})).status).to.equal(422);
        expect(a.calls).to.deep.equal([]);
      });
    });

  it('a prompt takes words only, as the protocol has it', async () => {
    const k = await gateway([server('a')]);
    const { status } = await k.rest('POST', '/gateway/prompt', { name: 'a__p', arguments: { n: 1 } });
    expect(status).to.equal(422);
  });
});
