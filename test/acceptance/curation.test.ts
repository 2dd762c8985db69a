import { readFileSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { acceptance, servers, startDaemon, until, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';

describe('curation', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  const scripted = (args: string[] = [], config: object = {}): Promise<unknown> => {
    const { command, args: argv } = fixtureCommand('scripted', args);
    return d.addStdio('a', argv, { command, config });
  };
  const toggle = (verb: string, key: string, type = 'tool'): Promise<{ status: number }> =>
    d.rest('POST', `/resources/mcp_server/a/capabilities/${type}/${verb}`, { capability_key: key });
  const refused = async (call: Promise<unknown>): Promise<{ code: number; message: string }> => {
    try {
      await call;
    } catch (e) {
      return e as { code: number; message: string };
    }
    throw new Error('the call was not refused');
  };
  beforeEach(async () => void (d = await startDaemon()));
  afterEach(() => d.stop());

  acceptance(SPEC, 'disable an individual capability', async () => {
    await scripted();
    const [one, two] = [await d.shim(), await d.http()];
    expect((await toggle('disable', 'echo')).status).to.equal(204);
    for (const c of [one, two]) {
      const names = (await c.listTools()).tools.map((t) => t.name);
      expect(names).to.include('a__whoami').and.not.include('a__echo');
      expect((await refused(c.callTool({ name: 'a__echo', arguments: {} }))).code).to.equal(-32000);
    }
    await toggle('disable', 'test://static-text', 'resource');
    await toggle('disable', 'test_simple_prompt', 'prompt');
    expect((await one.listResources()).resources.map((r) => r.uri)).to.not.include('coffer://a/test://static-text');
    expect((await refused(one.readResource({ uri: 'coffer://a/test://static-text' }))).code).to.equal(-32000);
    expect((await refused(one.getPrompt({ name: 'a__test_simple_prompt' }))).code).to.equal(-32000);
    await toggle('enable', 'echo');
    expect((await one.listTools()).tools.map((t) => t.name)).to.include('a__echo');
    const denied = (await d.rest('GET', '/invocations?status=denied')).body.invocations;
    expect(denied.map((i: { capability_key: string }) => i.capability_key)).to.include('echo');
  });

  acceptance(SPEC, 'disabled capability rejected through the shim', async () => {
    await scripted();
    await toggle('disable', 'echo');
    const client = await d.shim();
    const names = (await client.listTools()).tools.map((t) => t.name);
    expect(names).to.include('a__whoami').and.not.include('a__echo');
    const error = await refused(client.callTool({ name: 'a__echo', arguments: { text: 'x' } }));
    expect(error.code).to.equal(-32000);
    expect(error.message).to.match(/echo.*disabled/);
  });

  acceptance(SPEC, 'capability preferences survive upstream changes', async () => {
    await scripted(['--extra-tools', '3']);
    const { tools } = (await d.rest('GET', '/resources/mcp_server/a/capabilities')).body;
    const extra = tools
      .map((t: { original_name: string }) => t.original_name)
      .find((n: string) => n.startsWith('extra'));
    await toggle('disable', extra);
    await toggle('disable', 'echo');
    // It goes away with the next version of the server, comes back with the one after, and stays off.
    const withTools = async (n: string): Promise<void> => {
      const { command, args } = fixtureCommand('scripted', ['--extra-tools', n]);
      const config = { transport: { type: 'stdio', command, args } };
      expect((await d.rest('PATCH', '/resources/mcp_server/a', { config })).status).to.equal(200);
    };
    await withTools('0');
    const client = await d.http();
    expect((await client.listTools()).tools.map((t) => t.name)).to.not.include('a__echo');
    await withTools('3');
    await d.restart();
    const again = await d.http();
    const names = (await again.listTools()).tools.map((t) => t.name);
    expect(names).to.include('a__whoami').and.not.include(`a__${extra}`).and.not.include('a__echo');
  });

  acceptance(SPEC, 'new capabilities default per server policy', async () => {
    for (const auto of [true, false]) {
      await scripted([], { auto_enable_new_capabilities: auto });
      const client = await d.http();
      if (!auto) {
        // Nothing that was seen for the first time is on until somebody says so.
        expect((await client.listTools()).tools.map((t) => t.name)).to.not.include('a__flip');
        await toggle('enable', 'flip');
      }
      await client.callTool({ name: 'a__flip', arguments: {} });
      const seen = await until('the new tool to be seen', async () => {
        await client.listTools();
        const all = (await d.rest('GET', '/audit?event_type=capability_first_seen&limit=500')).body.entries;
        return all.find((e: { details: { capability_key: string } }) => e.details.capability_key === 'flipped');
      });
      expect(seen).to.include({ actor: 'system', resource_name: 'a' });
      expect(seen.details).to.include({ capability_type: 'tool', enabled: auto });
      expect((await client.listTools()).tools.some((t) => t.name === 'a__flipped')).to.equal(auto);
      await client.close();
      await d.rest('DELETE', '/resources/mcp_server/a');
      await d.stop();
      d = await startDaemon();
    }
  });

  acceptance(SPEC, 'search the aggregated catalogue for matching tools', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'coffer-files-'));
    try {
      writeFileSync(path.join(folder, 'a.txt'), 'x');
      await d.addStdio('files', servers.filesystem(folder));
      await d.addStdio('everything', servers.everything());
      const client = await d.shim();
      const all = (await client.listTools()).tools.filter((t) => !t.name.startsWith('coffer__'));
      const found = await client.callTool({
        name: 'coffer__search_tools',
        arguments: { query: 'read a text file', top_k: 3 },
      });
      const { tools, total_searched } = found.structuredContent as {
        tools: { name: string; inputSchema: object; score: number }[];
        total_searched: number;
      };
      expect(tools.length).to.be.within(1, 3);
      expect(tools[0]?.name).to.match(/^files__read/);
      expect(total_searched).to.equal(all.length);
      for (const t of tools) {
        expect(t.name).to.not.match(/^coffer__/);
        expect(t.inputSchema).to.deep.equal(all.find((x) => x.name === t.name)?.inputSchema);
      }
      expect(tools.map((t) => t.score)).to.deep.equal(tools.map((t) => t.score).sort((x, y) => y - x));
      const call = { name: String(tools[0]?.name), arguments: { path: path.join(folder, 'a.txt') } };
      expect((await client.callTool(call)).isError ?? false).to.equal(false);
      const log = (await d.rest('GET', '/invocations?server=coffer')).body.invocations;
      expect(log[0]).to.include({ capability_key: 'search_tools', status: 'ok' });
      expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).to.equal('x');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
