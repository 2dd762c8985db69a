import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { fixtureCommand, openStdio } from '@coffer/kernel/testing';
import { acceptance, alive, servers, startDaemon, until, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';

/** What a tool said, as text. */
const said = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);

describe('passing calls on', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  let folder: string;
  const scripted = (name: string, args: string[] = []): Promise<unknown> => {
    const { command, args: argv } = fixtureCommand('scripted', ['--name', name, ...args]);
    return d.addStdio(name, argv, { command });
  };
  beforeEach(async () => {
    d = await startDaemon();
    folder = mkdtempSync(path.join(tmpdir(), 'coffer-files-'));
    writeFileSync(path.join(folder, 'a.txt'), 'some text\n');
  });
  afterEach(async () => {
    await d.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  acceptance(SPEC, 'aggregate tools across servers in one client', async () => {
    await d.addStdio('everything', servers.everything());
    await d.addStdio('files', servers.filesystem(folder));
    const client = await d.shim();
    const names = (await client.listTools()).tools.map((t) => t.name);
    expect(names).to.include.members(['everything__echo', 'files__read_text_file', 'coffer__search_tools']);
    for (const name of names) expect(name).to.match(/^(everything|files|coffer)__/);
    expect(new Set(names).size).to.equal(names.length);
  });

  acceptance(SPEC, 'route a tool call to the correct upstream', async () => {
    await scripted('a');
    await d.addStdio('files', servers.filesystem(folder));
    const client = await d.shim();
    await client.listTools();
    const { command, args } = fixtureCommand('scripted', ['--name', 'a']);
    const direct = await openStdio({ command, args });
    try {
      // Deep-equal to what a client sees that talks to the server itself.
      for (const name of ['structured', 'blocks', 'future_block', 'fails']) {
        const through = await client.request({ method: 'tools/call', params: { name: `a__${name}` } }, anything);
        expect(through, name).to.deep.equal(await direct.callTool(name, {}));
      }
    } finally {
      await direct.close();
    }
    const read = await client.callTool({
      name: 'files__read_text_file',
      arguments: { path: path.join(folder, 'a.txt') },
    });
    expect(said(read)).to.include('some text');
    const whoami = await client.callTool({ name: 'a__whoami', arguments: {} });
    expect(said(whoami)).to.include('whoami').and.not.include('a__whoami');
  });

  acceptance(SPEC, 'resources forward through the gateway', async () => {
    await scripted('a');
    const client = await d.shim();
    const { resources } = await client.listResources();
    const uri = resources.map((r) => r.uri).find((u) => u.endsWith('test://static-text'));
    expect(uri).to.equal('coffer://a/test://static-text');
    const read = await client.readResource({ uri: String(uri) });
    expect(read.contents[0]?.uri).to.equal('test://static-text');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]?.uriTemplate).to.match(/^coffer:\/\/a\/test:\/\/.*\{.*\}/);
  });

  acceptance(SPEC, 'prompts forward through the gateway', async () => {
    await scripted('a');
    const client = await d.shim();
    const { prompts } = await client.listPrompts();
    expect(prompts.map((p) => p.name)).to.include('a__test_simple_prompt');
    const prompt = await client.getPrompt({ name: 'a__test_simple_prompt' });
    const { command, args } = fixtureCommand('scripted', ['--name', 'a']);
    const direct = await openStdio({ command, args });
    try {
      expect(prompt.messages).to.deep.equal(
        (await direct.request('prompts/get', { name: 'test_simple_prompt' })).messages,
      );
    } finally {
      await direct.close();
    }
  });

  acceptance(SPEC, 'upstream tool list changes mid-session', async () => {
    await scripted('a');
    const [one, two] = [await d.shim(), await d.shim()];
    const told = { one: 0, two: 0 };
    one.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.one++);
    two.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.two++);
    for (const c of [one, two]) expect((await c.listTools()).tools.map((t) => t.name)).to.not.include('a__flipped');
    const before = { ...told };
    await one.callTool({ name: 'a__flip', arguments: {} });
    await until('the notification', () => told.one > before.one);
    expect((await one.listTools()).tools.map((t) => t.name)).to.include('a__flipped');
    // The other client has a server of its own, which did not change.
    expect((await two.listTools()).tools.map((t) => t.name)).to.not.include('a__flipped');
    await one.callTool({ name: 'a__flipped', arguments: {} });
  });

  acceptance(SPEC, 'concurrent clients', async () => {
    await d.addStdio('everything', servers.everything());
    const [one, two] = [await d.shim({ args: ['--agent', 'claude-code'] }), await d.http()];
    const lists = await Promise.all([one.listTools(), two.listTools()]);
    expect(lists[0].tools.length).to.equal(lists[1].tools.length);
    const call = (c: typeof two, n: number): Promise<unknown> =>
      c.callTool({ name: 'everything__echo', arguments: { message: `m${n}` } });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => call(n % 2 === 0 ? one : two, n)));
    answers.forEach((a, n) => expect(said(a)).to.include(`m${n}"`));
    const pids = path.join(d.home, 'upstream-pids');
    expect(readdirSync(pids).filter((f) => f.startsWith('everything-'))).to.have.length(2);
  });

  acceptance(SPEC, 'upstream crash recovery', async () => {
    await d.addStdio('everything', servers.everything());
    const client = await d.shim();
    const echo = (): Promise<unknown> => client.callTool({ name: 'everything__echo', arguments: { message: 'alive' } });
    expect(said(await echo())).to.include('alive');
    const pids = path.join(d.home, 'upstream-pids');
    const [file] = readdirSync(pids);
    const pid = Number(/-(\d+)\.json$/.exec(String(file))?.[1]);
    process.kill(pid, 'SIGKILL');
    await until('the end of the process', () => !alive(pid));
    expect(said(await echo())).to.include('alive');
    expect(existsSync(path.join(pids, String(file)))).to.equal(false);
  });

  acceptance(SPEC, 'tool-name collision across servers is prevented', async () => {
    await scripted('a');
    await scripted('b');
    const client = await d.shim();
    const names = (await client.listTools()).tools.map((t) => t.name);
    expect(names).to.include.members(['a__echo', 'b__echo']).and.not.include('echo');
    expect(said(await client.callTool({ name: 'b__whoami', arguments: {} }))).to.include('--name\\",\\"b\\"');
    for (const bad of ['a__b', '_a', 'a_', 'coffer']) {
      const config = { transport: { type: 'stdio', command: 'node' } };
      const made = await d.rest('POST', '/resources', { kind: 'mcp_server', name: bad, config });
      expect(made.status, bad).to.equal(422);
    }
  });

  acceptance(SPEC, 'gateway overhead stays under budget', async () => {
    const { command, args } = fixtureCommand('scripted');
    await d.addStdio('a', args, { command });
    const direct = await openStdio({ command, args });
    const client = await d.shim();
    const median = async (call: () => Promise<unknown>): Promise<number> => {
      await call();
      const times: number[] = [];
      for (let i = 0; i < 100; i++) {
        const from = performance.now();
        await call();
        times.push(performance.now() - from);
      }
      return times.sort((x, y) => x - y)[50] ?? Number.NaN;
    };
    try {
      const alone = await median(() => direct.callTool('echo', { text: 'x' }));
      const through = await median(() => client.callTool({ name: 'a__echo', arguments: { text: 'x' } }));
      // The scenario's own number; bench/ measures what it really is (about one millisecond).
      expect(through - alone).to.be.at.most(50);
    } finally {
      await direct.close();
    }
  });
});

/** A schema that takes every result as it is. */
const anything = { parse: (v: unknown) => v, safeParse: (v: unknown) => ({ success: true, data: v }) } as never;
