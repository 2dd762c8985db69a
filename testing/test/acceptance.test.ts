import { expect } from 'chai';
import { acceptance, judge } from '../src/acceptance.js';
import { audit } from '../src/audit.js';
import type { Claim } from '../src/claims.js';
import { parseSpec, readSpecs } from '../src/specs.js';

const claim = (outcome: Claim['outcome'] = 'not run', title = 'one'): Claim => ({ spec: 's', title, outcome });
const specs = [{ id: 's', complete: true, titles: ['one', 'two'] }];
const message = async (promise: Promise<unknown>): Promise<string> => String(await promise.catch((e: unknown) => e));

describe('a claimed scenario', () => {
  it('must exist', () => {
    expect(() => acceptance('no-such-spec', 'x', () => {})).to.throw('no specs/no-such-spec.md');
    expect(() => acceptance('001-mcp-gateway', 'fly to the moon', () => {})).to.throw('no scenario "fly to the moon"');
  });

  it('fails when its test asserts nothing', async () => {
    const empty = claim();
    expect(await message(judge(empty, () => {}))).to.contain('asserts nothing');
    expect(empty.outcome).to.equal('no assertion');
  });

  it('is noted as failed when its test fails', async () => {
    const failing = claim();
    expect(await message(judge(failing, () => void expect(1).to.equal(2)))).to.contain('expected 1 to equal 2');
    expect(failing.outcome).to.equal('failed');
  });

  it('is noted as passed when its test asserted something', async () => {
    const passing = claim();
    await judge(passing, async () => {
      await Promise.resolve();
      expect(true).to.equal(true);
    });
    expect(passing.outcome).to.equal('passed');
  });
});

describe('the acceptance audit', () => {
  it('is content when every scenario of a complete spec passed', () => {
    const { lines, problems } = audit(specs, [claim('passed', 'one'), claim('passed', 'two')]);
    expect(lines).to.deep.equal(['s: 2/2']);
    expect(problems).to.be.empty;
  });

  it('reports what is not claimed, unknown, failed, or asserts nothing', () => {
    expect(audit(specs, [claim('passed')]).problems).to.deep.equal(['  not claimed by any test: s "two"']);
    const all = [claim('failed', 'one'), claim('no assertion', 'two'), claim('passed', 'three')];
    expect(audit(specs, all).problems).to.deep.equal([
      '  failed: s "one"',
      '  no assertion: s "two"',
      '  no such scenario: s "three"',
    ]);
  });

  it('asks nothing of a spec that is not complete', () => {
    expect(audit([{ id: 's', complete: false, titles: ['one'] }], []).problems).to.be.empty;
  });

  it('reads front matter and scenario headings', () => {
    const markdown = '---\ncomplete: true\n---\n\n### Scenario: a b\n\n### Other\n';
    expect(parseSpec('x', markdown)).to.deep.equal({ id: 'x', complete: true, titles: ['a b'] });
    expect(readSpecs().find((s) => s.id === '001-mcp-gateway')?.titles).to.have.length(34);
  });
});
