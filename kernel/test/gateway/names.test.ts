import { expect } from 'chai';
import fc from 'fast-check';
import { matchesTemplate, splitName, splitUri, wireName, wireUri } from '../../src/gateway/names.js';
import { Payload } from '../../src/gateway/payload.js';

const serverName = fc
  .stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,12}$/)
  .filter((n) => !n.includes('__') && !n.endsWith('_'));
const anyName = fc.string({ minLength: 1 });

describe('names on the wire', () => {
  it('go there and back', () => {
    fc.assert(
      fc.property(serverName, anyName, (server, key) => {
        expect(splitName(wireName(server, key))).to.deep.equal({ server, key });
        expect(splitUri(wireUri(server, key))).to.deep.equal({ server, key });
      }),
    );
  });
  it('are one to one', () => {
    const tight = fc.stringMatching(/^[ab_]{1,6}$/);
    const servers = tight.filter((n) => !n.includes('__') && !n.startsWith('_') && !n.endsWith('_'));
    fc.assert(
      fc.property(servers, tight, servers, tight, (s1, t1, s2, t2) => {
        if (wireName(s1, t1) === wireName(s2, t2)) expect([s1, t1]).to.deep.equal([s2, t2]);
      }),
      { numRuns: 2000 },
    );
    expect(splitName('a____x')).to.deep.equal({ server: 'a', key: '__x' });
    expect(splitName('a___thing')).to.deep.equal({ server: 'a', key: '_thing' });
  });
  it('that are none have no reading', () => {
    for (const n of ['', 'a', 'a_b', '__x', 'a__']) expect(splitName(n), n).to.equal(undefined);
    for (const u of ['', 'file:///a', 'coffer://', 'coffer://a', 'coffer:///x', 'coffer://a/'])
      expect(splitUri(u), u).to.equal(undefined);
  });
  it('templates keep their variables, and match what they expand to', () => {
    expect(wireUri('a', 'file:///{path}')).to.equal('coffer://a/file:///{path}');
    for (const [t, u, fits] of [
      ['file:///{path}', 'file:///a.md', true],
      ['file:///{path}', 'file:///a/b', false],
      ['file:///{+path}', 'file:///a/b', true],
      ['db://{table}{?q,limit}', 'db://t?q=1', true],
      ['db://{table}{?q,limit}', 'db://t', true],
      ['a.b/{x}', 'aXb/1', false],
      ['a(b)[c]/{x}', 'a(b)[c]/1', true],
    ] as const)
      expect(matchesTemplate(t, u), `${t} ${u}`).to.equal(fits);
  });
});

describe('a payload', () => {
  const cut = (bytes: Buffer, at: number[]): Buffer[] => {
    const points = [0, ...at.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
    return points.slice(1).map((end, i) => bytes.subarray(points[i], end));
  };
  it('is the same value however its bytes were cut, and the same bytes however it is read', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat()), (value, at) => {
        const text = JSON.stringify(value);
        const raw = Payload.raw(cut(Buffer.from(text), at));
        expect(raw.value).to.deep.equal(JSON.parse(text));
        expect(Buffer.concat(raw.chunks).toString()).to.equal(text);
        expect(Buffer.concat(Payload.of(value).chunks).toString()).to.equal(text);
        expect(raw.size).to.equal(Buffer.byteLength(text));
      }),
    );
  });
  it('never denies a text that it holds, however it was cut', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ab]{1,30}$/),
        fc.stringMatching(/^[ab]{1,5}$/),
        fc.array(fc.nat(), { maxLength: 20 }),
        (text, needle, at) => {
          expect(Payload.raw(cut(Buffer.from(text), at)).mayHold(needle)).to.equal(text.includes(needle));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
