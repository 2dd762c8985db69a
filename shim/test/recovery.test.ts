import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { json, result, type Handler } from './fake-daemon.js';
import { bench } from './harness.js';
import { until } from './shim-process.js';

describe('coffer-mcp-shim when the daemon goes away', () => {
  const at = bench();
  const drop: Handler = (_seen, response) => void response.destroy();

  it('opens the session again at a daemon with a new port and token, silently, with all that was set', async () => {
    const shim = at.shim(['--lean']);
    await shim.open();
    shim.request('level', 'logging/setLevel', { level: 'debug' });
    shim.request('a', 'resources/subscribe', { uri: 'coffer://s/a' });
    shim.request('b', 'resources/subscribe', { uri: 'coffer://s/b' });
    for (const id of ['level', 'a', 'b']) await shim.answer(id);
    shim.request('un', 'resources/unsubscribe', { uri: 'coffer://s/a' });
    await shim.answer('un');
    await until('the standing stream', () => at.daemon.streams.size === 1);
    at.daemon.seen.length = 0;

    await at.daemon.restart();
    shim.request('call', 'tools/call', { name: 'echo' });
    expect((await shim.answer('call')).result.method).to.equal('tools/call');

    const posts = at.daemon.seen.filter(
      (one) => one.http === 'POST' && one.headers['x-coffer-token'] === at.daemon.token,
    );
    expect(posts.map((one) => one.message.method)).to.deep.equal([
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'resources/subscribe',
      'tools/call',
    ]);
    expect(posts[0]?.message.params._meta['coffer/lean']).to.equal(true);
    expect(posts[3]?.message.params.uri).to.equal('coffer://s/b');
    expect(shim.messages.filter((message) => message.id === 'open')).to.have.length(1);
    await shim.notified('notifications/tools/list_changed');
    await shim.notified('notifications/resources/list_changed');
    expect(shim.messages.some((message) => message.method === 'notifications/prompts/list_changed')).to.equal(false);
    await until('the standing stream', () => at.daemon.streams.size === 1);
    await until('the leash', () => at.daemon.leashes.size === 1);
  });

  it('finds a moved daemon while the client idles', async () => {
    const shim = at.shim();
    await shim.open();
    await until('the standing stream', () => at.daemon.streams.size === 1);
    await at.daemon.restart();
    await until('the standing stream at the new daemon', () => at.daemon.streams.size === 1);
    at.daemon.push({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } });
    await shim.notified('notifications/message');
  });

  it('recovers once for many requests', async () => {
    const shim = at.shim();
    await shim.open();
    await at.daemon.restart();
    for (let id = 0; id < 20; id++) shim.request(id, 'tools/call', { name: 'echo' });
    for (let id = 0; id < 20; id++) expect((await shim.answer(id)).result.method).to.equal('tools/call');
    expect(at.daemon.posts('initialize')).to.have.length(2);
    expect(at.daemon.posts('tools/call')).to.have.length(20);
  });

  it('never repeats a call that may have run', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('tools/call pay', drop);
    shim.request(1, 'tools/call', { name: 'pay' });
    const { error } = await shim.answer(1);
    expect(error.code).to.equal(-32603);
    expect(error.message).to.match(/may or may not have run.*not repeated/);
    shim.request(2, 'tools/list');
    await shim.answer(2);
    expect(at.daemon.posts('tools/call')).to.have.length(1);
  });

  it('never repeats a call of the sessionless era that may have run, nor a batch with one', async () => {
    const shim = at.shim();
    at.daemon.on.set('tools/call pay', drop);
    at.daemon.on.set('answer', drop);
    shim.request(1, 'tools/call', { name: 'pay', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    expect((await shim.answer(1)).error.message).to.match(/not repeated/);
    await shim.open();
    shim.write([
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'pay' } },
    ]);
    const errors = await until('the errors of the batch', () => shim.messages.find(Array.isArray));
    expect(errors.map((one: { id: number }) => one.id)).to.deep.equal([2, 3]);
    expect(at.daemon.posts('tools/call')).to.have.length(1);
    expect(at.daemon.seen.filter((one) => Array.isArray(one.message))).to.have.length(1);
  });

  for (const method of [
    'tools/list',
    'resources/templates/list',
    'resources/read',
    'prompts/get',
    'completion/complete',
    'ping',
  ]) {
    it(`repeats ${method}, which does no harm, once`, async () => {
      const shim = at.shim();
      await shim.open();
      at.daemon.on.set(method, (seen, response) => {
        at.daemon.on.delete(method);
        drop(seen, response);
      });
      shim.request(1, method, {});
      expect((await shim.answer(1)).result.method).to.equal(method);
      at.daemon.on.set(method, drop);
      shim.request(2, method, {});
      expect((await shim.answer(2)).error.code).to.equal(-32603);
      expect(at.daemon.posts(method)).to.have.length(4);
    });
  }

  it('ends calls in flight with clean errors when the daemon dies, and serves the next one', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('tools/call hang', () => undefined);
    at.daemon.on.set('tools/call half', (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0","id":"half","res');
    });
    shim.request('hang', 'tools/call', { name: 'hang' });
    shim.request('half', 'tools/call', { name: 'half' });
    await until('both calls', () => at.daemon.posts('tools/call').length === 2);
    await at.daemon.restart();
    for (const id of ['hang', 'half'])
      expect((await shim.answer(id)).error.message).to.match(/may or may not have run/);
    shim.request('next', 'tools/list');
    expect((await shim.answer('next')).result.method).to.equal('tools/list');
    expect(at.daemon.posts('tools/call')).to.have.length(2);
  });

  it('takes a rotated token and keeps its session', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.token = randomUUID();
    at.daemon.announce();
    shim.request(1, 'tools/call', { name: 'echo' });
    await shim.answer(1);
    expect(at.daemon.posts('initialize')).to.have.length(1);
  });

  it('opens the session again when the daemon has forgotten it, and then makes the call', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.sessions.clear();
    shim.request(1, 'tools/call', { name: 'echo' });
    expect((await shim.answer(1)).result.method).to.equal('tools/call');
    expect(at.daemon.posts('initialize')).to.have.length(2);
  });

  it('drops the answer to a question whose session is dead, and tells the client that it is', async () => {
    const shim = at.shim();
    await shim.open();
    await until('the standing stream', () => at.daemon.streams.size === 1);
    at.daemon.push({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: {} });
    await shim.notified('elicitation/create');
    await at.daemon.restart();
    shim.request(1, 'tools/list');
    await shim.answer(1);
    expect((await shim.notified('notifications/cancelled')).params.requestId).to.equal('q');
    shim.write({ jsonrpc: '2.0', id: 'q', result: { action: 'accept' } });
    shim.request(2, 'tools/list');
    await shim.answer(2);
    expect(at.daemon.seen.some((one) => one.message?.id === 'q')).to.equal(false);
  });

  it('sees through a stranger on the port of a dead daemon', async () => {
    const shim = at.shim();
    await shim.open();
    const { port } = at.daemon;
    await at.daemon.stop();
    let calls = 0;
    const stranger = http.createServer((_request, response) => void (calls++, response.end('<html>')));
    at.later(() => void (stranger.closeAllConnections(), stranger.close()));
    await new Promise<void>((done) => stranger.listen(port, '127.0.0.1', done));
    shim.request(1, 'tools/call', { name: 'echo' });
    await until('the stranger is called', () => calls > 0);
    at.daemon.startedAt = 'later';
    await at.daemon.start();
    expect(at.daemon.port).to.not.equal(port);
    expect((await shim.answer(1)).result.method).to.equal('tools/call');
  });

  it('says so when no daemon comes back, and stays for one that comes later', async () => {
    const shim = at.shim();
    await shim.open();
    await at.daemon.stop();
    shim.request(1, 'tools/call', { name: 'echo' });
    expect((await shim.answer(1)).error.message).to.match(/not reachable.*coffer up/);
    at.daemon.startedAt = 'later';
    await at.daemon.start();
    shim.request(2, 'tools/call', { name: 'echo' });
    expect((await shim.answer(2)).result.method).to.equal('tools/call');
  });

  it('ends the old session when the client opens another', async () => {
    const shim = at.shim();
    await shim.open();
    const [old] = at.daemon.sessions;
    at.daemon.on.set('initialize', (seen, response) => {
      at.daemon.sessions.add('second');
      response.setHeader('mcp-session-id', 'second');
      json(response, result(seen, { protocolVersion: '2025-06-18', capabilities: {} }));
    });
    shim.request(2, 'initialize', {});
    await shim.answer(2);
    await until('the end of the old session', () => !at.daemon.sessions.has(old ?? ''));
    expect([...at.daemon.sessions]).to.deep.equal(['second']);
  });
});
