import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { readExpectations, runConformance, startDaemon, type RealDaemon } from '@coffer/testing';

describe('the official conformance suite through the gateway', function () {
  this.timeout(180_000);
  let d: RealDaemon;
  before(async () => {
    d = await startDaemon();
    const { command, args } = fixtureCommand('scripted');
    await d.addStdio('s', args, { command });
  });
  after(() => d.stop());

  it('2025-11-25: every scenario ends as testing/conformance/expected-2025-11-25.json says', async () => {
    const report = await runConformance({
      url: `http://127.0.0.1:${d.port}/mcp`,
      headers: { 'X-Coffer-Token': d.token },
      namePrefix: 's__',
      uriPrefix: 'coffer://s/',
      specVersion: '2025-11-25',
      expected: readExpectations('2025-11-25'),
    });
    expect(report.differences).to.deep.equal([]);
    expect(report.checks.failed).to.equal(0);
    expect(report.scenarios.passed).to.be.greaterThan(30);
  });
});
