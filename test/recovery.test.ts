import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { alive, servers, sleep, startDaemon, until, type RealDaemon } from '@coffer/testing';

describe('what is killed comes back, and leaves nothing behind', function () {
  this.timeout(90_000);
  let d: RealDaemon;
  beforeEach(async () => {
    d = await startDaemon();
    await d.addStdio('everything', servers.everything());
  });
  afterEach(() => d.stop());
  const upstreams = (): number[] =>
    readdirSync(path.join(d.home, 'upstream-pids')).map(
      (f) => (JSON.parse(readFileSync(path.join(d.home, 'upstream-pids', f), 'utf8')) as { pid: number }).pid,
    );
  const echo = { name: 'everything__echo', arguments: { message: 'alive' } };

  it('kill -9 of an upstream in the middle of a call: that call fails with the reason, the next one works', async () => {
    const client = await d.shim();
    await client.callTool(echo);
    const [pid = 0] = upstreams();
    const long = client.callTool({
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 30, steps: 3 },
    });
    await sleep(300);
    process.kill(pid, 'SIGKILL');
    const error = (await long.catch((e: unknown) => e)) as { code: number; message: string };
    expect(error.code).to.equal(-32010);
    expect(error.message).to.include('everything');
    expect(JSON.stringify(await client.callTool(echo))).to.include('alive');
    const rows = (await d.rest('GET', '/invocations?status=error')).body.invocations;
    expect(rows).to.have.length(1);
  });

  it('kill -9 of the daemon: the shim says what may have happened, opens its session anew, no server is orphaned', async () => {
    const client = await d.shim();
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told++);
    await client.callTool(echo);
    const before = upstreams();
    const long = client.callTool({
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 30, steps: 3 },
    });
    long.catch(() => undefined);
    await sleep(300);
    await d.kill('SIGKILL');
    const error = (await long.catch((e: unknown) => e)) as { message: string };
    expect(error.message).to.match(/may/);
    await d.restart();
    expect(JSON.stringify(await client.callTool(echo))).to.include('alive');
    await until('the notice that lists may differ', () => told > 0);
    await until('the end of the old server', () => before.every((pid) => !alive(pid)));
    expect(upstreams()).to.have.length(1);
  });

  it('kill -9 of the shim: its session and its servers end after the grace', async () => {
    const client = await d.shim();
    await client.callTool(echo);
    const [pid = 0] = upstreams();
    expect(alive(pid)).to.equal(true);
    process.kill(client.shimPid, 'SIGKILL');
    await until(
      'the end of the session',
      async () => (await d.rest('GET', '/gateway/sessions')).body.sessions.length === 0,
      20_000,
    );
    await until('the end of its server', () => !alive(pid));
    expect(upstreams()).to.deep.equal([]);
  });

  it('a daemon that ends leaves no server behind', async () => {
    const [one, two] = [await d.shim(), await d.http()];
    await Promise.all([one.callTool(echo), two.callTool(echo)]);
    const pids = upstreams();
    expect(pids).to.have.length(2);
    await d.kill('SIGTERM');
    expect(pids.map(alive)).to.deep.equal([false, false]);
    await d.restart();
  });

  it('three servers, one client over the shim and one over HTTP', async () => {
    const { command, args } = fixtureCommand('scripted');
    await d.addStdio('scripted', args, { command });
    await d.addStdio('memory', servers.memory(), { env: { MEMORY_FILE_PATH: path.join(d.home, 'memory.json') } });
    for (const client of [await d.shim({ args: ['--agent', 'claude-code'] }), await d.http()]) {
      const names = (await client.listTools()).tools.map((t) => t.name);
      expect(names).to.include.members(['everything__echo', 'scripted__echo', 'memory__read_graph']);
      await client.callTool(echo);
      await client.callTool({ name: 'scripted__echo', arguments: { text: 'x' } });
      await client.callTool({ name: 'memory__read_graph', arguments: {} });
    }
    const { plugins } = (await d.rest('GET', '/plugins')).body;
    const kind = plugins.find((p: { name: string }) => p.name === 'kind-mcp-server');
    expect(kind).to.include({ state: 'active' });
    expect(kind.kinds).to.deep.equal(['mcp_server']);
    expect(kind.taps.map((t: { hook: string }) => t.hook)).to.include.members([
      'gateway.sources',
      'gateway.admit',
      'gateway.listed',
    ]);
    expect(kind.taps.every((t: { active: boolean; errors: number }) => t.active && t.errors === 0)).to.equal(true);
  });
});
