import { expect } from 'chai';
import { kindContract } from '../../src/testing/index.js';
import { notes } from '../support/notes.js';
import { plugin } from '../support/kernels.js';

kindContract(
  [notes],
  {
    kind: 'note',
    valid: { text: 'a' },
    changed: { text: 'b', colour: 'green' },
    invalid: [{}, { text: 1 }, { text: 'x', more: 1 }],
  },
  { describe, it, before, after },
);

kindContract(
  [
    plugin('kind-plain', (k) =>
      k.kinds.define({ kind: 'plain', label: { one: 'plain', many: 'plains' }, schema: { type: 'object' } }),
    ),
  ],
  { kind: 'plain', valid: {}, changed: { a: 1 }, invalid: [] },
  { describe, it, before, after },
);

describe('the contract of kinds', () => {
  it('is failed by a kind that accepts what it says it refuses', async () => {
    const tests: (() => Promise<void>)[] = [];
    const ends: (() => Promise<void>)[] = [];
    kindContract(
      [notes],
      { kind: 'note', valid: { text: 'a' }, changed: { text: 'b' }, invalid: [{ text: 'fine' }] },
      {
        describe: (_t, body) => body(),
        it: (_t, body) => void tests.push(body),
        before: (b) => void tests.unshift(b),
        after: (b) => void ends.push(b),
      },
    );
    await tests[0]?.();
    let said = '';
    await tests[2]?.().catch((e: unknown) => (said = String(e)));
    for (const end of ends) await end();
    expect(said).to.include('status 201');
  });
});
