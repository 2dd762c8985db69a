import { expect } from 'chai';
import type { Schema } from '../../ui/src/kit/core/types.js';
import { tagged } from '../../ui/src/kit/schema.js';

const branch = (tag: string, key: string): Schema => ({
  type: 'object',
  required: ['type', key],
  properties: { type: { const: tag }, [key]: { type: 'string' } },
});
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    place: { oneOf: [branch('file', 'path'), branch('url', 'url')] },
    more: { type: 'array', items: { oneOf: [branch('file', 'path'), branch('url', 'url')] } },
    named: { type: 'object', additionalProperties: { $ref: '#/$defs/place' } },
  },
  $defs: { place: { anyOf: [branch('file', 'path'), branch('url', 'url')] } },
};
const filled = (value: unknown): unknown => tagged(SCHEMA, SCHEMA, value);

describe('a form with branches', () => {
  it('names the branch that it shows, once something is typed in it, wherever it lies', () => {
    expect(filled({ place: { path: '/a' } })).to.deep.equal({ place: { type: 'file', path: '/a' } });
    expect(filled({ more: [{ path: '/a' }, { type: 'url', url: 'x:y' }] })).to.deep.equal({
      more: [
        { type: 'file', path: '/a' },
        { type: 'url', url: 'x:y' },
      ],
    });
    expect(filled({ named: { a: { path: '/a' } } })).to.deep.equal({ named: { a: { type: 'file', path: '/a' } } });
  });

  it('leaves all else as it is: what was named, what it does not know, what is not there', () => {
    for (const value of [
      {},
      { place: { type: 'url', url: 'x:y', extra: [1, null] } },
      { place: { type: 'elsewhere' }, stray: { path: 'x' } },
      { place: null, more: 'text', named: 3 },
      [],
      'text',
      null,
      undefined,
    ])
      expect(filled(value)).to.deep.equal(value);
  });
});
