import { expect } from 'chai';
import { startFixture } from '../../kernel/src/testing/mcp/index.js';
import { allPass, compare, readExpectations, runConformance, type Expectations } from '../src/conformance/index.js';
import { inbound, outbound } from '../src/conformance/relay.js';

const expected = allPass(readExpectations('2025-11-25'));

describe('the official conformance suite', () => {
  it('passes on the scripted server, all of 2025-11-25', async function () {
    this.timeout(120_000);
    const server = await startFixture('scripted', ['--http', '0']);
    try {
      const report = await runConformance({ url: server.url, specVersion: '2025-11-25', expected });
      expect(report.differences).to.deep.equal([]);
      expect(report.scenarios.passed).to.equal(Object.keys(expected).length);
    } finally {
      await server.stop();
    }
  });

  it('passes through the relay with the header a server wants', async function () {
    this.timeout(120_000);
    const server = await startFixture('scripted', ['--http', '0', '--require-header', 'x-coffer-token=t']);
    try {
      const headers = { 'x-coffer-token': 't' };
      const report = await runConformance({ url: server.url, headers, specVersion: '2025-11-25', expected });
      expect(report.differences).to.deep.equal([]);
    } finally {
      await server.stop();
    }
  });

  it('reports every difference from what is expected', () => {
    const result = new Map([
      ['good', [{ id: 'a', status: 'SUCCESS' as const }]],
      ['bad', [{ id: 'b', status: 'FAILURE' as const, errorMessage: 'no' }]],
      ['empty', []],
      ['better', [{ id: 'c', status: 'SUCCESS' as const }]],
      ['new', [{ id: 'd', status: 'SUCCESS' as const }]],
    ]);
    const pass = { expect: 'pass' as const };
    const known: Expectations = {
      good: pass,
      bad: pass,
      empty: pass,
      better: { expect: 'fail', reason: 'x' },
      gone: pass,
    };
    expect(compare(result, known).differences).to.deep.equal([
      'bad fails: b (no)',
      'empty fails: no checks',
      'better passes now; expect it to',
      'new is not among the expectations; it passes',
      'gone is expected but did not run',
    ]);
  });
});

describe('the relay of the conformance suite', () => {
  const options = { url: '', namePrefix: 's__', uriPrefix: 'coffer://s/' };

  it('puts prefixes on what goes in', () => {
    const call = (method: string, params: object) =>
      JSON.parse(inbound(JSON.stringify({ method, params }), options)).params;
    expect(call('tools/call', { name: 't' })).to.deep.equal({ name: 's__t' });
    expect(call('prompts/get', { name: 'p' })).to.deep.equal({ name: 's__p' });
    expect(call('resources/read', { uri: 'test://a' })).to.deep.equal({ uri: 'coffer://s/test://a' });
    expect(call('completion/complete', { ref: { name: 'p' } })).to.deep.equal({ ref: { name: 's__p' } });
    expect(call('initialize', { name: 'x' })).to.deep.equal({ name: 'x' });
    expect(inbound('{broken', options)).to.equal('{broken');
  });

  it('takes them off what comes out', () => {
    expect(outbound('{"name":"s__t","uri":"coffer://s/test://a","title":"s__t"}', options)).to.equal(
      '{"name":"t","uri":"test://a","title":"s__t"}',
    );
    expect(outbound('{"uri":"coffer://s/test%3A%2F%2Fa"}', { ...options, uriEncoded: true })).to.equal(
      '{"uri":"test://a"}',
    );
  });
});
