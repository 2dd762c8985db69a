import { use } from 'chai';
import { record, type Claim } from './claims.js';
import { readSpecs } from './specs.js';

const titles = new Map(readSpecs().map((spec) => [spec.id, new Set(spec.titles)]));
const COUNTED = Symbol.for('coffer.counted');

use((chai) => {
  // chai types its prototype as one of assertions only; `assert` is the one method every assertion ends in
  const prototype = chai.Assertion.prototype as unknown as { assert(...args: unknown[]): void; [COUNTED]?: true };
  if (prototype[COUNTED]) return;
  prototype[COUNTED] = true;
  const assert = prototype.assert;
  prototype.assert = function (this: unknown, ...args: unknown[]): void {
    record().assertions++;
    assert.apply(this, args);
  };
});

/**
 * A test that claims a scenario of `specs/<spec>.md`. Throws at load when the spec has no scenario of that title; fails when the
 * test asserted nothing (with chai). `scripts/acceptance.mjs` counts the claims.
 */
export function acceptance(spec: string, title: string, test: (this: Mocha.Context) => void | Promise<void>): void {
  if (!titles.has(spec)) throw new Error(`There is no specs/${spec}.md. Known: ${[...titles.keys()].join(', ')}.`);
  if (!titles.get(spec)?.has(title)) throw new Error(`specs/${spec}.md has no scenario "${title}".`);
  const claim: Claim = { spec, title, outcome: 'not run' };
  record().claims.push(claim);
  it(`${title} [${spec}]`, function () {
    return judge(claim, () => test.call(this));
  });
}

/** Runs a claimed test and notes how it ended. */
export async function judge(claim: Claim, test: () => void | Promise<void>): Promise<void> {
  const before = record().assertions;
  claim.outcome = 'failed';
  await test();
  if (record().assertions === before) {
    claim.outcome = 'no assertion';
    throw new Error(`"${claim.title}" is claimed by a test that asserts nothing.`);
  }
  claim.outcome = 'passed';
}
