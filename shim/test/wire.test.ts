import { expect } from 'chai';
import { json, result } from './fake-daemon.js';
import { bench } from './harness.js';
import { until } from './shim-process.js';

describe('coffer-mcp-shim, the road up and down', () => {
  const at = bench();

  it('opens a session, signs it with folder, agent and lean, and binds later requests to it', async () => {
    const shim = at.shim(['--agent', 'clau de/ü', '--lean']);
    const answer = await shim.open();
    expect(answer.result.protocolVersion).to.equal('2025-11-25');
    shim.request(2, 'tools/list');
    await shim.answer(2);
    const [opening] = at.daemon.posts('initialize');
    expect(opening?.message.params._meta).to.deep.equal({
      'coffer/cwd': process.cwd(),
      'coffer/agent': 'clau de/ü',
      'coffer/lean': true,
    });
    const [list] = at.daemon.posts('tools/list');
    expect(list?.headers).to.include({
      'x-coffer-agent': encodeURIComponent('clau de/ü'),
      'x-coffer-cwd': encodeURIComponent(process.cwd()),
      'x-coffer-lean': '1',
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': [...at.daemon.sessions][0],
      accept: 'application/json, text/event-stream',
    });
    expect(list?.headers['x-coffer-client'])
      .to.match(/^[0-9a-f-]{36}$/)
      .and.equal(opening?.headers['x-coffer-client']);
  });

  it('adds nothing to an initialize without params, nor agent and lean when they were not given', async () => {
    const shim = at.shim();
    shim.request(1, 'initialize');
    await shim.answer(1);
    expect(at.daemon.posts('initialize')[0]?.message).to.not.have.property('params');
    expect(at.daemon.posts('initialize')[0]?.headers).to.not.have.any.keys('x-coffer-agent', 'x-coffer-lean');
  });

  it('keeps ids in value and type', async () => {
    const shim = at.shim();
    await shim.open();
    const ids = [0, '0', '', 1, '1', '7d0e1c1e-7a6b-4a53-9f0a-0a5f1c1d2e3f', 2 ** 53 - 1, -5];
    for (const id of ids) shim.request(id, 'tools/list');
    for (const id of ids) expect((await shim.answer(id)).id).to.equal(id);
  });

  it('forwards the bytes of a line as they came', async () => {
    const shim = at.shim();
    await shim.open();
    const line =
      '{"jsonrpc": "2.0",\t"id":3,"method":"tools/list","params":{"n":1.0,"big":12345678901234567890,"s":"\\u00e9é"}}';
    shim.child.stdin.write(`  ${line}\r\n`);
    await shim.answer(3);
    expect(at.daemon.posts('tools/list')[0]?.body).to.equal(`  ${line}`);
  });

  it('holds lines back until initialize is answered, but not pings and discover', async () => {
    const shim = at.shim();
    let release: () => void = () => undefined;
    at.daemon.on.set('initialize', (seen, response) => {
      release = () => {
        at.daemon.sessions.add('s1');
        response.setHeader('mcp-session-id', 's1');
        json(response, result(seen, { protocolVersion: '2025-06-18', capabilities: {} }));
      };
    });
    shim.request(1, 'initialize', {});
    shim.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    shim.request(2, 'tools/list');
    shim.request(3, 'ping');
    shim.request(4, 'server/discover');
    await shim.answer(3);
    await shim.answer(4);
    expect(at.daemon.posts('tools/list')).to.have.length(0);
    release();
    await shim.answer(2);
    const order = at.daemon.seen.filter((one) => one.http === 'POST').map((one) => one.message.method as string);
    expect(order.filter((method) => method !== 'ping' && method !== 'server/discover')).to.deep.equal([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
  });

  it('lets a slow call block no other', async () => {
    const shim = at.shim();
    await shim.open();
    let release: () => void = () => undefined;
    at.daemon.on.set('tools/call slow', (seen, response) => (release = () => json(response, result(seen, {}))));
    shim.request(1, 'tools/call', { name: 'slow' });
    for (let id = 2; id < 30; id++) shim.request(id, 'tools/call', { name: 'quick' });
    await shim.answer(29);
    expect(shim.messages.some((message) => message.id === 1)).to.equal(false);
    release();
    await shim.answer(1);
  });

  it('keeps a call open for longer than its idle connections', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set(
      'tools/call slow',
      (seen, response) => void setTimeout(() => json(response, result(seen, 'late')), 4600),
    );
    shim.request(1, 'tools/call', { name: 'slow' });
    expect((await shim.answer(1)).result).to.equal('late');
  });

  it('writes each event of a stream as one line, multi-byte text cut anywhere', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('tools/call stream', (seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const progress = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, message: 'grüße 🧰' },
      };
      const bytes = Buffer.from(
        `:\n\nid: 4\r\ndata: ${JSON.stringify(progress)}\r\n\r\ndata:{"jsonrpc":"2.0",\ndata:"id":1,"result":"🧰"}\n\n`,
      );
      let next = 0;
      const step = (): void => {
        if (next === bytes.length) return void response.end();
        response.write(bytes.subarray(next, ++next), step);
      };
      step();
      void seen;
    });
    shim.request(1, 'tools/call', { name: 'stream' });
    expect((await shim.answer(1)).result).to.equal('🧰');
    expect((await shim.notified('notifications/progress')).params.message).to.equal('grüße 🧰');
    expect(shim.lines.every((line) => line.startsWith('{'))).to.equal(true);
  });

  it('carries a result of 11 MB whole, as JSON and as an event, past a client that reads late', async () => {
    const shim = at.shim();
    await shim.open();
    const blob = 'x'.repeat(11 * 1024 * 1024);
    at.daemon.on.set('tools/call json', (seen, response) => json(response, result(seen, blob)));
    at.daemon.on.set('tools/call sse', (seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(result(seen, blob))}\n\n`);
    });
    shim.child.stdout.pause();
    shim.request(1, 'tools/call', { name: 'json' });
    shim.request(2, 'tools/call', { name: 'sse' });
    await until('both calls at the daemon', () => at.daemon.posts('tools/call').length === 2);
    shim.request(3, 'ping');
    await until('a ping that passes a client that does not read', () => at.daemon.posts('ping').length === 1);
    shim.child.stdout.resume();
    expect((await shim.answer(1)).result).to.have.length(blob.length);
    expect((await shim.answer(2)).result).to.have.length(blob.length);
    await shim.answer(3);
  });

  it('turns raw line breaks in an answer into spaces', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('tools/call pretty', (seen, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(result(seen, { a: 1 }), null, 2) + '\r\n');
    });
    shim.request(1, 'tools/call', { name: 'pretty' });
    expect((await shim.answer(1)).result).to.deep.equal({ a: 1 });
  });

  it('passes a batch on as it is', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('answer', (seen, response) => {
      json(
        response,
        seen.message.map((one: { id: unknown }) => ({ jsonrpc: '2.0', id: one.id, result: {} })),
      );
    });
    shim.write([
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    await until('the answer to the batch', () => shim.messages.find(Array.isArray));
    expect(shim.messages.find(Array.isArray)).to.have.length(2);
  });

  describe('what the daemon answers wrongly', () => {
    it('passes a JSON-RPC error under an HTTP error, and binds one without an id to its request', async () => {
      const shim = at.shim();
      shim.request('early', 'tools/list');
      expect((await shim.answer('early')).error).to.deep.equal({ code: -32600, message: 'Not initialized' });
      at.daemon.on.set('tools/call own', (seen, response) => {
        json(
          response,
          { jsonrpc: '2.0', id: seen.message.id, error: { code: -32020, message: 'Headers', data: 1 } },
          400,
        );
      });
      await shim.open();
      shim.request(1, 'tools/call', { name: 'own' });
      expect((await shim.answer(1)).error).to.deep.equal({ code: -32020, message: 'Headers', data: 1 });
    });

    const wrong: Record<string, [number, string, string]> = {
      'an HTML page': [200, 'text/html', '<html>hello</html>'],
      'an HTTP 500': [500, 'application/json', '{"error":{"code":"internal","message":"no"}}'],
      'an error for another request': [
        400,
        'application/json',
        '{"jsonrpc":"2.0","id":99,"error":{"code":-1,"message":"no"}}',
      ],
      'JSON that is no JSON-RPC': [200, 'application/json', '{"ok":true}'],
      'no body at all': [200, 'application/json', ''],
      'a stream without an answer': [200, 'text/event-stream', ':\n\n'],
      'an event that is no message': [200, 'text/event-stream', 'data: hello\n\n'],
    };
    for (const [name, [status, type, body]] of Object.entries(wrong)) {
      it(`makes an error of ${name}`, async () => {
        const shim = at.shim();
        await shim.open();
        at.daemon.on.set(
          'tools/call wrong',
          (_seen, response) => void response.writeHead(status, { 'content-type': type }).end(body),
        );
        shim.request('w', 'tools/call', { name: 'wrong' });
        const { error } = await shim.answer('w');
        expect(error.code).to.equal(-32603);
        expect(error.message).to.match(/^The Coffer daemon /);
        expect(at.daemon.posts('tools/call')).to.have.length(1);
      });
    }
  });

  describe('what comes by itself', () => {
    it('writes messages of the standing stream, and posts the answers to its questions', async () => {
      const shim = at.shim();
      await shim.open();
      await until('the standing stream', () => at.daemon.streams.size === 1);
      at.daemon.push({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      at.daemon.push({ jsonrpc: '2.0', id: 'q1', method: 'roots/list' });
      await shim.notified('notifications/tools/list_changed');
      await shim.notified('roots/list');
      shim.write({ jsonrpc: '2.0', id: 'q1', result: { roots: [] } });
      const posted = await until('the answer at the daemon', () =>
        at.daemon.seen.find((one) => one.message?.id === 'q1'),
      );
      expect(posted.message.result).to.deep.equal({ roots: [] });
    });

    it('opens the standing stream again when it falls', async () => {
      const shim = at.shim();
      await shim.open();
      const first = await until('the standing stream', () => [...at.daemon.streams][0]);
      at.daemon.streams.clear();
      first.destroy();
      await until('another stream', () => at.daemon.streams.size === 1);
      expect(at.daemon.posts('initialize')).to.have.length(1);
    });

    it('holds a leash under the same client id, and gives it up where there is none', async () => {
      const shim = at.shim();
      shim.request(1, 'ping');
      await until('the leash', () => at.daemon.leashes.size === 1);
      const leash = at.daemon.seen.find((one) => one.path === '/mcp/leash');
      expect(leash?.headers['x-coffer-client']).to.equal(at.daemon.posts('ping')[0]?.headers['x-coffer-client']);
      at.daemon.leashStatus = 404;
      for (const one of at.daemon.leashes) one.destroy();
      const tries = (): number => at.daemon.seen.filter((one) => one.path === '/mcp/leash').length;
      await until('a second try', () => tries() === 2);
      await new Promise((done) => setTimeout(done, 1200));
      expect(tries()).to.equal(2);
    });
  });
});
