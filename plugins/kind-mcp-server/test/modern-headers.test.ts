import { expect } from 'chai';
import type { Obj, Outcome } from '@coffer/kernel';
import { fixtureCommand, startFixture, type RunningFixture } from '@coffer/kernel/testing';
import { client, Home } from './support.js';

function valueOf(o: Outcome): Obj {
  if (o.kind !== 'result') throw new Error(`no result: ${JSON.stringify(o)}`);
  return o.result.value;
}
const tool = (name: string, args: Obj = {}): Obj => ({ name, arguments: args });

describe('headers that repeat a request', () => {
  const home = new Home();
  let server: RunningFixture;
  before(async () => void (server = await startFixture('modern', ['--http', '0'])));
  after(async () => {
    await home.remove();
    await server.stop();
  });

  it('say the version, the method and the name, encoded where they must be', async () => {
    const up = await home.connect({ type: 'http', url: server.url });
    const told = valueOf(await up.call('tools/call', tool('whoami'), client())).structuredContent as Obj;
    expect(told.headers).to.deep.include({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
    });
    expect(told.headers).to.not.have.property('mcp-session-id');
    // The fixture refuses what does not match, so an error about the resource means that its name was understood.
    expect(await up.call('resources/read', { uri: 'test://ü b' }, client())).to.have.nested.property(
      'error.message',
      'Resource not found',
    );
    expect(await up.call('resources/read', { uri: '=?base64?eA==?=' }, client())).to.have.nested.property(
      'error.message',
      'Resource not found',
    );
  });

  it("repeat the arguments that a tool's schema names, also before its list was asked for", async () => {
    const up = await home.connect({ type: 'http', url: server.url });
    const args = { region: 'Zürich', count: 7, inner: { flag: false }, query: 'q' };
    const told = valueOf(await up.call('tools/call', tool('test_header_param', args), client()))
      .structuredContent as Obj;
    expect(told.headers).to.deep.include({
      'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
      'mcp-param-count': '7',
      'mcp-param-flag': 'false',
    });
    expect(told.headers).to.not.have.property('mcp-param-query');
    const less = valueOf(await up.call('tools/call', tool('test_header_param', { region: null }), client()))
      .structuredContent as Obj;
    expect(less.headers).to.not.have.any.keys('mcp-param-region', 'mcp-param-count');
  });

  it('make a tool unusable when its schema asks for them against the rules, but only over HTTP', async () => {
    const over = await home.connect({ type: 'http', url: server.url });
    await over.ask('tools/list', {}, client());
    expect(over.unusable?.('illegal_header')).to.contain('not a string, integer or boolean');
    expect(over.unusable?.('twice_header')).to.contain('twice');
    expect(over.unusable?.('test_header_param')).to.equal(undefined);
    const pipe = await home.connect({ type: 'stdio', ...fixtureCommand('modern') });
    await pipe.ask('tools/list', {}, client());
    expect(pipe.unusable?.('illegal_header')).to.equal(undefined);
  });
});
