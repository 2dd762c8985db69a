import { expect } from 'chai';
import { json, result, type Seen } from './fake-daemon.js';
import { bench } from './harness.js';
import { until } from './shim-process.js';

const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

describe('coffer-mcp-shim between the eras', () => {
  const at = bench();

  it('copies the envelope of a sessionless request into headers', async () => {
    const shim = at.shim(['--agent', 'claude_code']);
    shim.request(1, 'tools/call', { name: 'fs__read', arguments: {}, _meta: envelope });
    await shim.answer(1);
    const [call] = at.daemon.posts('tools/call');
    expect(call?.headers).to.include({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'fs__read',
      'x-coffer-agent': 'claude_code',
    });
    expect(call?.headers).to.not.have.property('mcp-session-id');
  });

  it('encodes a name that a header cannot carry, and names resources by their URI', async () => {
    const shim = at.shim();
    const names = ['grüße', ' led', '=?base64?eA==?='];
    for (const [id, name] of names.entries()) shim.request(id, 'tools/call', { name, _meta: envelope });
    shim.request('r', 'resources/read', { uri: 'coffer://a/b', _meta: envelope });
    shim.request('c', 'completion/complete', { name: 'x', _meta: envelope });
    await shim.answer('r');
    await shim.answer('c');
    for (const id of names.keys()) await shim.answer(id);
    const sent = at.daemon.posts('tools/call').map((seen) => seen.headers['mcp-name']);
    expect(sent).to.have.members(names.map((name) => `=?base64?${Buffer.from(name).toString('base64')}?=`));
    expect(at.daemon.posts('resources/read')[0]?.headers['mcp-name']).to.equal('coffer://a/b');
    expect(at.daemon.posts('completion/complete')[0]?.headers).to.not.have.property('mcp-name');
  });

  it('sends sessionless requests without the session that another opening made', async () => {
    const shim = at.shim();
    await shim.open();
    shim.request(1, 'tools/list', { _meta: envelope });
    await shim.answer(1);
    expect(at.daemon.posts('tools/list')[0]?.headers).to.not.have.property('mcp-session-id');
  });

  it('takes initialize after a refused server/discover on the same pipe', async () => {
    const shim = at.shim();
    at.daemon.on.set('server/discover', (seen, response) => {
      json(
        response,
        { jsonrpc: '2.0', id: seen.message.id, error: { code: -32601, message: 'Method not found' } },
        404,
      );
    });
    shim.request(1, 'server/discover', { _meta: envelope });
    expect((await shim.answer(1)).error.code).to.equal(-32601);
    expect((await shim.open()).result.protocolVersion).to.equal('2025-11-25');
  });

  it('cancels a sessionless call by hanging up its POST', async () => {
    const shim = at.shim();
    let hungUp = false;
    at.daemon.on.set('tools/call hang', (_seen, response) => void response.on('close', () => (hungUp = true)));
    shim.request(7, 'tools/call', { name: 'hang', _meta: envelope });
    await until('the call at the daemon', () => at.daemon.posts('tools/call').length === 1);
    shim.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await until('the hang-up', () => hungUp);
    shim.request(8, 'ping');
    await shim.answer(8);
    expect(at.daemon.posts('notifications/cancelled')).to.have.length(0);
    expect(shim.messages.map((message) => message.id)).to.deep.equal([8]);
  });

  it('posts a cancel of a session call after the call, and answers the cancelled id with nothing', async () => {
    const shim = at.shim();
    await shim.open();
    let held: Seen | undefined;
    at.daemon.on.set('tools/call hang', (seen, response) => {
      held = seen;
      at.daemon.on.set('notifications/cancelled', (_cancel, done) => {
        done.writeHead(202).end();
        json(response, result(seen, 'too late'));
      });
    });
    shim.request(7, 'tools/call', { name: 'hang' });
    await until('the call at the daemon', () => at.daemon.posts('tools/call').length === 1);
    shim.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await until('the cancel', () => at.daemon.posts('notifications/cancelled').length === 1);
    expect(held?.message.id).to.equal(7);
    shim.request(8, 'tools/list');
    await shim.answer(8);
    expect(shim.messages.some((message) => message.id === 7)).to.equal(false);
  });

  it('sends neither a call that is cancelled in the same breath nor its cancel, or both in order', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('tools/call hang', (seen, response) => json(response, result(seen, 'too late')));
    for (let id = 0; id < 20; id++) {
      shim.request(id, 'tools/call', { name: 'hang' });
      shim.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    }
    shim.request('last', 'tools/list');
    await shim.answer('last');
    shim.child.stdin.end();
    await shim.ended();
    const called = at.daemon.posts('tools/call');
    const cancels = at.daemon.posts('notifications/cancelled');
    for (let id = 0; id < 20; id++) {
      const call = at.daemon.seen.findIndex((seen) => called.includes(seen) && seen.message.id === id);
      const cancel = at.daemon.seen.findIndex((seen) => cancels.includes(seen) && seen.message.params.requestId === id);
      if (call < 0) expect(cancel).to.equal(-1);
      else expect(cancel).to.be.greaterThan(call);
      expect(shim.messages.some((message) => message.id === id)).to.equal(false);
    }
  });

  it('tells apart the ids 7 and "7" in a cancel', async () => {
    const shim = at.shim();
    let finish: () => void = () => undefined;
    at.daemon.on.set('tools/call hang', (seen, response) => (finish = () => json(response, result(seen, 'done'))));
    shim.request(7, 'tools/call', { name: 'hang', _meta: envelope });
    await until('the call at the daemon', () => at.daemon.posts('tools/call').length === 1);
    shim.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '7' } });
    shim.request(8, 'ping');
    await shim.answer(8);
    finish();
    expect((await shim.answer(7)).result).to.equal('done');
  });

  it('hangs up a listen stream at the end of stdin and leaves at once', async () => {
    const shim = at.shim();
    at.daemon.on.set('subscriptions/listen', (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}\n\n');
    });
    shim.request(1, 'subscriptions/listen', { _meta: envelope });
    await shim.notified('notifications/subscriptions/acknowledged');
    shim.child.stdin.end();
    expect(await shim.ended()).to.equal(0);
    expect(shim.messages).to.have.length(1);
  });
});
