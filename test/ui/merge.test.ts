import { expect } from 'chai';
import { merge, same } from '../../ui/src/kit/merge.js';

describe('two changes of one value are put together', () => {
  const base = { a: 1, deep: { x: 1, y: 2 }, list: [1, 2], gone: true };

  it('when they touch different fields, however deep', () => {
    const mine = { ...base, a: 2, deep: { x: 9, y: 2 } };
    const theirs = { a: 1, deep: { x: 1, y: 8, z: 3 }, list: [1, 2, 3] };
    expect(merge(base, mine, theirs)).to.deep.equal({
      value: { a: 2, deep: { x: 9, y: 8, z: 3 }, list: [1, 2, 3] },
      clashes: [],
    });
  });

  it('and when they meet, mine stands and the place is named', () => {
    const mine = { ...base, a: 2, deep: { x: 5, y: 2 }, list: [2, 1] };
    const theirs = { ...base, a: 3, deep: { x: 6, y: 2 }, list: [] };
    expect(merge(base, mine, theirs)).to.deep.equal({ value: mine, clashes: ['/a', '/deep/x', '/list'] });
  });

  it('what one took away and the other changed is a clash; what both made alike is none', () => {
    const { gone: _gone, ...without } = base;
    expect(merge(base, without, { ...base, gone: false }).clashes).to.deep.equal(['/gone']);
    expect(merge(base, { ...base, a: 7 }, { ...base, a: 7 })).to.deep.equal({ value: { ...base, a: 7 }, clashes: [] });
    expect(merge(base, base, without)).to.deep.equal({ value: without, clashes: [] });
  });

  it('a key that is a name of objects is a key like any other', () => {
    const mine: unknown = JSON.parse('{"__proto__": {"hurt": 1}}');
    const merged = merge({}, mine, { a: 1 }).value as object;
    expect(Object.keys(merged).sort()).to.deep.equal(['__proto__', 'a']);
    expect('hurt' in merged).to.equal(false);
  });

  it('content counts, not the order of keys', () => {
    expect(same({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).to.equal(true);
    expect(same({ a: 1 }, { a: 1, b: undefined })).to.equal(false);
    expect(same([], {})).to.equal(false);
  });
});
