import { expect } from 'chai';
import fc from 'fast-check';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe as read } from '../src/incoming.js';
import { splitLines } from '../src/lines.js';
import { readEvents } from '../src/sse.js';
import { standing } from '../src/standing.js';
import { until } from './shim-process.js';

/** Cuts bytes at the given places. */
function pieces(bytes: Buffer, cuts: number[]): Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end));
}

describe('the parts of coffer-mcp-shim', () => {
  it('split lines the same wherever the stream is cut', () => {
    const text = fc.string({ unit: 'grapheme' }).map((one) => one.replace(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat()), (lines, cuts) => {
        const got: string[] = [];
        const splitter = splitLines(
          Infinity,
          (line) => got.push(line.toString()),
          () => undefined,
        );
        for (const piece of pieces(Buffer.from(lines.map((line) => `${line}\n`).join('')), cuts)) splitter.push(piece);
        splitter.end();
        expect(got).to.deep.equal(lines);
      }),
    );
  });

  it('refuse a line over the limit once, however it is cut, and keep one of just the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        const got: string[] = [];
        let refused = 0;
        const splitter = splitLines(
          4,
          (line) => got.push(line.toString()),
          () => refused++,
        );
        for (const piece of pieces(Buffer.from('1234\n12345678\nab\n12345'), cuts)) splitter.push(piece);
        splitter.end();
        expect(got).to.deep.equal(['1234', 'ab']);
        expect(refused).to.equal(2);
      }),
    );
  });

  it('read the same events wherever the stream is cut, and drop one that its end cuts off', () => {
    const stream = Buffer.from(
      ': beat\n\nevent: message\r\ndata: {"a":"é"}\r\n\r\ndata:1\ndata: 2\n\nid: 3\n\ndata: cut',
    );
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        const got: string[] = [];
        const feed = readEvents((data) => got.push(data.toString()));
        for (const piece of pieces(stream, cuts)) feed(piece);
        expect(got).to.deep.equal(['{"a":"é"}', '1\n2']);
      }),
    );
  });

  it('tell big messages apart without parsing them', () => {
    const big = 'x'.repeat(100_000);
    const of = (message: object): unknown => read(Buffer.from(JSON.stringify(message)));
    expect(of({ jsonrpc: '2.0', id: 'q"1', method: 'sampling/createMessage', params: { big } })).to.deep.equal({
      kind: 'request',
      id: 'q"1',
    });
    expect(of({ jsonrpc: '2.0', method: 'notifications/message', params: { big } })).to.deep.equal({
      kind: 'notification',
    });
    expect(of({ jsonrpc: '2.0', id: 1, result: { method: 'x', big } })).to.deep.equal({ kind: 'answer' });
    expect(of({ result: { big }, jsonrpc: '2.0', id: 1 })).to.deep.equal({ kind: 'answer' });
    expect(read(Buffer.from(`<html>${big}`))).to.deep.equal({ kind: 'noise' });
  });

  it('open a stream again that has lost its heartbeat, though its connection stands', async () => {
    let opened = 0;
    const server = http.createServer((_request, response) => {
      opened++;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const stream = standing({
      path: '/mcp/leash',
      daemon: () => ({ pid: 1, port, token: 't', startedAt: '' }),
      headers: () => ({}),
      silence: 30,
      fell: () => Promise.resolve(),
    });
    try {
      stream.open();
      await until('a second opening', () => opened === 2);
    } finally {
      stream.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
});
