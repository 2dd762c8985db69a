import { expect } from 'chai';
import { bench } from './harness.js';
import { until } from './shim-process.js';

describe('coffer-mcp-shim, reading stdin', () => {
  const at = bench();
  const list = (id: number, text = ''): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: { text } });

  it('takes lines byte by byte, with multi-byte text', async () => {
    const shim = at.shim();
    await shim.open();
    for (const byte of Buffer.from(`${list(1, 'grüße 🧰 你好')}\n`)) {
      shim.child.stdin.write(Buffer.of(byte));
      await new Promise((done) => setImmediate(done));
    }
    expect((await shim.answer(1)).result.echo.text).to.equal('grüße 🧰 你好');
  });

  it('takes CRLF, skips blank lines, and takes many lines in one chunk', async () => {
    const shim = at.shim();
    await shim.open();
    shim.child.stdin.write(`\n  \r\n\r\n${list(1)}\r\n\n${list(2)}\n${list(3)}\n`);
    for (const id of [1, 2, 3]) await shim.answer(id);
    expect(shim.lines).to.have.length(4);
  });

  it('takes a last line without a newline', async () => {
    const shim = at.shim();
    await shim.open();
    shim.child.stdin.end(list(1));
    await shim.answer(1);
    expect(await shim.ended()).to.equal(0);
  });

  it('answers a line that is no JSON with a parse error, and goes on', async () => {
    const shim = at.shim();
    await shim.open();
    shim.child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":\n${list(2)}\n`);
    await shim.answer(2);
    const error = shim.messages.find((message) => message.id === null);
    expect(error.error.code).to.equal(-32700);
    expect(at.daemon.posts('tools/list')).to.have.length(1);
  });

  it('refuses a line over 64 MiB and reads on behind it', async () => {
    const shim = at.shim();
    await shim.open();
    const part = Buffer.alloc(8 * 1024 * 1024, 'a');
    for (let i = 0; i < 9; i++) shim.child.stdin.write(part);
    shim.child.stdin.write(`\n${list(2)}\n`);
    await shim.answer(2);
    const refusals = shim.messages.filter((message) => message.id === null);
    expect(refusals.map((message) => message.error.code)).to.deep.equal([-32600]);
  });

  it('forwards a line of 20 MB', async () => {
    const shim = at.shim();
    await shim.open();
    shim.child.stdin.write(`${list(1, 'y'.repeat(20 * 1024 * 1024))}\n`);
    expect((await shim.answer(1)).result.echo.text).to.have.length(20 * 1024 * 1024);
  });

  it('lets the daemon judge JSON that is no JSON-RPC', async () => {
    const shim = at.shim();
    await shim.open();
    at.daemon.on.set('answer', (_seen, response) => {
      const body = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    shim.write({ hello: 1 });
    const error = await until('the refusal', () => shim.messages.find((message) => message.id === null));
    expect(error.error).to.deep.equal({ code: -32600, message: 'Invalid request' });
  });
});
