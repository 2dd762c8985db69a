import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { acceptance, startDaemon, type Ran, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';

describe('the command line', function () {
  this.timeout(120_000);
  let d: RealDaemon;
  before(async () => void (d = await startDaemon()));
  after(() => d.stop());
  const ok = async (...args: string[]): Promise<string> => {
    const ran = await d.cli(args);
    expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).to.equal(0);
    return ran.stdout;
  };
  const json = async (...args: string[]): Promise<any> => JSON.parse(await ok(...args, '--json')); // eslint-disable-line @typescript-eslint/no-explicit-any -- any answer
  const rest = async (at: string): Promise<any> => (await d.rest('GET', at)).body; // eslint-disable-line @typescript-eslint/no-explicit-any -- any answer

  acceptance(SPEC, 'command line covers every visual operation', async () => {
    const { command, args } = fixtureCommand('scripted');
    await ok('mcp', 'add', 'a', '--description', 'made by hand', '--', command, ...args);
    expect((await rest('/resources/mcp_server/a')).description).to.equal('made by hand');
    expect((await json('mcp', 'list')).resources[0].ref).to.equal('mcp_server:a');
    expect(await ok('mcp', 'show', 'a')).to.include('healthy');
    expect(
      (await json('mcp', 'tool', 'list', 'a')).tools.map((t: { original_name: string }) => t.original_name),
    ).to.include('echo');
    await ok('mcp', 'tool', 'disable', 'a', 'echo');
    await ok('mcp', 'resource', 'disable', 'a', 'test://static-text');
    await ok('mcp', 'prompt', 'disable', 'a', 'test_simple_prompt');
    const caps = await rest('/resources/mcp_server/a/capabilities');
    expect(caps.tools.find((t: { original_name: string }) => t.original_name === 'echo').enabled).to.equal(false);
    await ok('mcp', 'tool', 'enable', 'a', 'echo');
    expect(await ok('mcp', 'call', 'a__echo', '{"text":"typed"}')).to.include('typed');
    await ok('mcp', 'refresh', 'a');
    await ok('mcp', 'test', 'a');
    expect((await json('mcp', 'search', 'echo')).tools[0].name).to.match(/^a__/);
    expect((await json('mcp', 'invocations', 'a')).invocations[0].capability_key).to.equal('echo');
    await ok('resource', 'disable', 'mcp_server:a');
    expect((await rest('/resources/mcp_server/a')).enabled).to.equal(false);
    await ok('resource', 'enable', 'mcp_server:a');
    await ok('scope', 'set', 'mcp_server:a', '--machine', '*=claude-code');
    expect((await rest('/resources/mcp_server/a/scope')).scope).to.deep.equal({ '*': ['claude-code'] });
    await ok('scope', 'clear', 'mcp_server:a');
    const set = await d.cli(['credentials', 'set', 'a/key'], { input: 'a secret\n' });
    expect(set.code, set.stderr).to.equal(0);
    expect(
      (await json('credentials', 'list')).refs.map((r: { ref: string } | string) =>
        typeof r === 'string' ? r : r.ref,
      ),
    ).to.include('a/key');
    expect(await ok('credentials', 'get', 'a/key')).to.not.include('a secret');
    expect(await ok('credentials', 'get', 'a/key', '--show')).to.include('a secret');
    await ok('credentials', 'delete', 'a/key', '--force');
    await ok('retention', 'set', 'mcp_invocations', '--days', '7');
    const policies = (await rest('/retention/policies')).policies;
    expect(policies.find((p: { table_name: string }) => p.table_name === 'mcp_invocations').retention_days).to.equal(7);
    await ok('retention', 'prune-now');
    expect((await json('machines', 'list')).machines).to.have.length(1);
    expect((await json('plugin', 'list')).plugins.map((p: { name: string }) => p.name)).to.include('kind-mcp-server');
    const events = (await json('audit', 'list', '--limit', '500')).audit_events;
    for (const e of [
      'resource_created',
      'capability_disabled',
      'resource_disabled',
      'credential_set',
      'retention_updated',
    ]) {
      const row = events.find((x: { event_type: string }) => x.event_type === e);
      expect(row?.actor, e).to.equal('cli');
    }
    await ok('mcp', 'remove', 'a', '--force');
    expect((await rest('/resources')).resources).to.deep.equal([]);
  });

  acceptance(SPEC, 'command line surfaces same errors', async () => {
    const fails = async (...args: string[]): Promise<Ran> => {
      const ran = await d.cli(args);
      expect(ran.code, args.join(' ')).to.not.equal(0);
      expect(ran.stdout).to.equal('');
      return ran;
    };
    const missing = await fails('resource', 'show', 'mcp_server:nobody');
    const api = await d.rest('GET', '/resources/mcp_server/nobody');
    expect(missing.code).to.equal(4);
    expect(missing.stderr).to.include(`${api.body.error.code}: ${api.body.error.message}`);
    await ok('mcp', 'add', 'dup', '--', 'no-such-program-anywhere');
    expect((await fails('mcp', 'add', 'dup', '--', 'x')).code).to.equal(5);
    expect((await fails('mcp', 'add', 'bad__name', '--', 'x')).code).to.equal(6);
    expect((await fails('mcp', 'add', 'c', '--credential', 'K=not/there', '--', 'x')).code).to.equal(8);
    expect((await fails('mcp', 'test', 'dup')).code).to.equal(7);
    expect((await fails('mcp', 'add', 'both', '--http', 'http://x', '--stdio', 'y')).code).to.equal(2);
    const verbose = await fails('resource', 'show', 'mcp_server:nobody', '--verbose');
    expect(verbose.stderr.split('\n').length).to.be.greaterThan(missing.stderr.split('\n').length);
    expect(verbose.stderr).to.match(/\bat \S+/);
    await ok('mcp', 'remove', 'dup', '--force');
  });

  acceptance(SPEC, 'CLI returns non-zero exit on daemon unreachable', async () => {
    const away = await d.cli(['mcp', 'list'], { env: { COFFER_HOME: `${d.home}-away` } });
    expect(away.code).to.equal(3);
    expect(away.stderr).to.include('DAEMON_UNREACHABLE').and.include('coffer up');
    expect(away.stdout).to.equal('');
  });

  acceptance(SPEC, 'CLI --json output is machine-readable', async () => {
    const list = JSON.parse((await d.cli(['mcp', 'list', '--json'])).stdout) as object;
    expect(list).to.have.property('resources').that.is.an('array');
    const invocations = JSON.parse((await d.cli(['mcp', 'invocations', '--json'])).stdout) as object;
    expect(invocations).to.have.property('invocations').that.is.an('array');
    expect(await ok('audit', 'list', '--json')).to.not.match(/\u001b\[/);
  });
});
