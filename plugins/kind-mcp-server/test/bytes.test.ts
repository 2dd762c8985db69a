import { expect } from 'chai';
import fc from 'fast-check';
import { readMessage } from '../src/wire/message.js';
import { oneLine } from '../src/wire/bytes.js';
import { lineSplitter } from '../src/wire/lines.js';
import { splice } from '../src/wire/splice.js';
import { sseReader, type SseEvent } from '../src/wire/sse-stream.js';

const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>;
const id = fc.oneof(fc.nat(), fc.constantFrom(0, 1, 9, 10, 2 ** 31, 999_999_999_999_999));

/** The bytes of a text, cut at any places. */
function cutAt(text: string, at: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length)).filter((c) => c.length > 0);
}

describe('reading a line of a server as bytes', () => {
  for (const [order, write] of [
    ['id first', (n: number, result: string) => `{"jsonrpc":"2.0","id":${n},"result":${result}}`],
    ['result first', (n: number, result: string) => `{"result":${result},"jsonrpc":"2.0","id":${n}}`],
  ] as const) {
    it(`finds id and result without parsing, ${order}, wherever the line is cut`, () => {
      fc.assert(
        fc.property(id, object, fc.array(fc.nat(), { maxLength: 6 }), (n, value, at) => {
          const text = JSON.stringify(value);
          const found = splice(cutAt(write(n, text), at));
          expect(found?.id).to.equal(n);
          expect(Buffer.concat(found?.chunks ?? []).toString()).to.equal(text);
        }),
      );
    });
  }

  it('understands any other shape by parsing it once', () => {
    fc.assert(
      fc.property(id, object, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), (n, value, at, spaced) => {
        const text = JSON.stringify({ id: n, jsonrpc: '2.0', result: value }, null, spaced ? 1 : 0);
        const read = readMessage(oneLine(cutAt(text, at)));
        expect(read).to.deep.equal({ kind: 'message', message: { id: n, jsonrpc: '2.0', result: value } });
      }),
    );
  });

  it('gives the same value whichever way it came', () => {
    fc.assert(
      fc.property(id, object, fc.array(fc.nat(), { maxLength: 4 }), (n, value, at) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        const read = readMessage(cutAt(`{"jsonrpc":"2.0","id":${n},"result":${JSON.stringify(value)}}`, at));
        if (read.kind !== 'result') throw new Error(read.kind);
        expect(read.id).to.equal(n);
        expect(read.result.value).to.deep.equal(json);
        expect(JSON.parse(Buffer.concat([...read.result.chunks]).toString())).to.deep.equal(json);
      }),
    );
  });

  it('hands a big result on in the chunks it came in', () => {
    const text = JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] });
    const chunks = cutAt(`{"jsonrpc":"2.0","id":5,"result":${text}}`, [50_000, 100_000, 150_000]);
    const read = readMessage(chunks);
    if (read.kind !== 'result') throw new Error(read.kind);
    expect(read.result.chunks).to.have.length(4);
    expect(read.result.chunks[1]?.buffer).to.equal(chunks[1]?.buffer);
    expect(Buffer.concat([...read.result.chunks]).toString()).to.equal(text);
  });

  for (const [what, line] of [
    ['a result that is cut short', '{"jsonrpc":"2.0","id":5,"result":{"a":[1,2}}'],
    ['plain text', 'Server running on stdio'],
    ['JSON that is no JSON-RPC', '{"not":"rpc"}'],
    ['an empty array', '[]'],
    ['a number', '42'],
  ] as const)
    it(`takes ${what} for noise`, () => expect(readMessage([Buffer.from(line)])).to.deep.equal({ kind: 'noise' }));

  it('is not misled by members beside a small result', () => {
    const read = readMessage([Buffer.from('{"jsonrpc":"2.0","id":5,"result":{"a":1},"more":{"b":2}}')]);
    expect(read).to.have.nested.property('message.result').deep.equal({ a: 1 });
  });
});

describe('cutting a stream into lines', () => {
  it('gives the lines whatever the chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\n'))),
        fc.array(fc.nat(), { maxLength: 10 }),
        (lines, at) => {
          const got: string[] = [];
          const push = lineSplitter(
            1e6,
            (c) => got.push(Buffer.concat(c).toString()),
            () => got.push('too long'),
          );
          for (const c of cutAt(lines.map((l) => `${l}\n`).join(''), at)) push(c);
          expect(got).to.deep.equal(lines);
        },
      ),
    );
  });

  it('says once when a line is over the limit, ended or not, and then nothing', () => {
    for (const text of ['x'.repeat(30), `${'x'.repeat(30)}\nshort\n`]) {
      const got: string[] = [];
      const push = lineSplitter(
        20,
        (c) => got.push(Buffer.concat(c).toString()),
        () => got.push('too long'),
      );
      push(Buffer.from('fine\n'));
      for (const c of cutAt(text, [7, 14, 21])) push(c);
      expect(got).to.deep.equal(['fine', 'too long']);
    }
  });
});

describe('reading server-sent events as bytes', () => {
  const stream =
    ': hello\n\nid: 7\nretry: 50\ndata: {"a":1}\n\nevent: endpoint\ndata: /messages?x=1\r\n\r\ndata:one\ndata: two\n\n: end\nid: 9\n\ndata: {"ü":"漢"}\n\n';
  it('gives the events whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (at) => {
        const got: unknown[] = [];
        const read = sseReader(
          1e6,
          (e: SseEvent) => got.push([e.type, e.id, Buffer.concat(e.data).toString()]),
          (ms) => got.push(ms),
          () => got.push('too long'),
        );
        for (const c of cutAt(stream, at)) read(c);
        expect(got).to.deep.equal([
          50,
          ['message', '7', '{"a":1}'],
          ['endpoint', '7', '/messages?x=1'],
          ['message', '7', 'one two'],
          ['message', '9', '{"ü":"漢"}'],
        ]);
      }),
    );
  });
});
