import { ElicitRequestSchema, ElicitationCompleteNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { startDaemon, until, type RealDaemon } from '@coffer/testing';

describe('questions of a server, answered by the official client through the shim', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  before(async () => {
    d = await startDaemon();
    const { command, args } = fixtureCommand('scripted');
    await d.addStdio('a', args, { command });
  });
  after(() => d.stop());

  it('elicitation by form and by URL, its completion included', async () => {
    const client = await d.shim({ capabilities: { elicitation: { form: {}, url: {} } } });
    const asked: unknown[] = [];
    const completed: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, (r) => {
      asked.push(r.params.mode ?? 'form');
      return { action: 'accept', content: {} };
    });
    client.setNotificationHandler(
      ElicitationCompleteNotificationSchema,
      (n) => void completed.push(n.params.elicitationId),
    );
    await client.callTool({ name: 'a__elicit_form', arguments: {} });
    await client.callTool({ name: 'a__elicit_url', arguments: {} });
    expect(asked).to.deep.equal(['form', 'url']);
    const error = (await client.callTool({ name: 'a__url_required', arguments: {} }).catch((e: unknown) => e)) as {
      code: number;
      data: { elicitations: object[] };
    };
    expect(error.code).to.equal(-32042);
    expect(error.data.elicitations).to.have.length(1);
    await until('the completion', () => completed.length > 0);
    expect(completed).to.deep.equal(['e2']);
    const rows = (await d.rest('GET', '/invocations')).body.invocations;
    expect(rows.map((r: { rounds: number }) => r.rounds)).to.deep.equal([0, 1, 1]);
  });
});
