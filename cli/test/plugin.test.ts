import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createHome, EXAMPLE, ROOT, type Home } from './harness.js';

const run = promisify(execFile);
const SHIM = join(ROOT, 'shim', 'dist', 'coffer-mcp-shim.cjs');

describe('coffer plugin', function () {
  this.timeout(120_000);
  let home: Home;
  let scratch: string;
  before(async () => {
    home = createHome();
    scratch = mkdtempSync(join(tmpdir(), 'coffer-scratch-'));
    await home.ok(['daemon', 'start']);
  });
  after(async () => {
    rmSync(scratch, { recursive: true, force: true });
    await home.done();
  });
  const rest = async (path: string): Promise<Response> => {
    const { port, token } = home.record();
    return fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers: { 'X-Coffer-Token': token } });
  };
  const asClient = async <T>(agent: string, use: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [SHIM, '--agent', agent], env: home.env }),
    );
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  };
  const toolNames = (agent: string): Promise<string[]> =>
    asClient(agent, async (c) => (await c.listTools()).tools.map((t) => t.name));
  const find = (agent: string, query: string): Promise<unknown> =>
    asClient(
      agent,
      async (c) => (await c.callTool({ name: 'coffer__find_bookmarks', arguments: { query } })).structuredContent,
    );

  describe('with the example, packed as npm packs it', () => {
    let tarball: string;
    before(async () => {
      const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', scratch, EXAMPLE], {
        cwd: scratch,
      });
      tarball = join(scratch, stdout.trim());
    });

    it('shows what it declares and asks before any of it runs', async () => {
      const ran = await home.run(['plugin', 'add', tarball]);
      expect(ran.code).to.equal(1);
      expect(ran.err)
        .to.match(/^kind-bookmark 1\.0\.0: /)
        .and.match(/declares +plugin \.\/index\.js/)
        .and.match(/scripts +none/)
        .and.match(/dependencies +none/)
        .and.include('--yes');
      expect((await home.run(['plugin', 'show', 'kind-bookmark'])).code).to.equal(4);
    });

    it('installs it, and says what it adds', async () => {
      expect(await home.ok(['plugin', 'add', tarball, '--yes'])).to.equal(
        'Installed kind-bookmark 1.0.0: active, adds kind bookmark, 1 tool.\n',
      );
      expect(await home.ok(['plugin', 'list'])).to.match(
        /^kind-bookmark +1\.0\.0 +installed +active +kind bookmark, 1 tool/m,
      );
      expect(await home.ok(['kinds'])).to.match(
        /^bookmark +Bookmarks +kind-bookmark +machine x agent +title\*, url\*, tags$/m,
      );
    });

    it('gets REST, CLI, audit and scope from its schema alone', async () => {
      await home.ok([
        'resource',
        'add',
        'bookmark',
        'mcp',
        '--set',
        'title=The protocol',
        '--set',
        'url=https://modelcontextprotocol.io',
        '--set',
        'tags=["spec"]',
      ]);
      const { kinds } = (await (await rest('/kinds')).json()) as { kinds: { kind: string; schema: object }[] };
      expect(kinds.find((k) => k.kind === 'bookmark')?.schema).to.deep.equal(
        JSON.parse(readFileSync(join(EXAMPLE, 'schema.json'), 'utf8')),
      );
      const bad = await home.run(['resource', 'add', 'bookmark', 'bad', '--set', 'title=x', '--set', 'url=ftp://x']);
      expect(bad.code).to.equal(6);
      expect((await home.json(['audit', 'list', '--kind', 'bookmark'])).audit_events[0]).to.include({
        event_type: 'resource_created',
        resource_name: 'mcp',
        actor: 'cli',
      });
    });

    it('lends its tool to every agent, each within its scope', async () => {
      const config = { title: 'The protocol', url: 'https://modelcontextprotocol.io', tags: ['spec'] };
      expect(await toolNames('codex')).to.include('coffer__find_bookmarks');
      expect(await find('codex', 'SPEC protocol')).to.deep.equal({ bookmarks: [config] });
      await home.ok(['scope', 'set', 'bookmark:mcp', '--machine', '*=claude-code']);
      expect(await find('codex', 'protocol')).to.deep.equal({ bookmarks: [] });
      expect(await find('claude-code', 'protocol')).to.deep.equal({ bookmarks: [config] });
    });

    it('can be disabled and enabled while the daemon runs', async () => {
      await home.ok(['plugin', 'disable', 'kind-bookmark']);
      expect(await toolNames('codex')).to.not.include('coffer__find_bookmarks');
      expect(await home.ok(['plugin', 'enable', 'kind-bookmark'])).to.include('active');
      expect(await toolNames('codex')).to.include('coffer__find_bookmarks');
    });

    it('goes without its resources, which are there again when it comes back', async () => {
      expect(await home.ok(['plugin', 'remove', 'kind-bookmark', '--force'])).to.include(
        'Resources of kind bookmark stay',
      );
      expect((await home.json(['resource', 'show', 'bookmark:mcp'])).status.reason).to.match(/^unknown kind/);
      expect((await home.run(['resource', 'add', 'bookmark', 'other', '--set', 'title=x'])).err).to.match(
        /^UNKNOWN_KIND: /,
      );
      expect(await toolNames('claude-code')).to.not.include('coffer__find_bookmarks');
      await home.ok(['plugin', 'add', tarball, '--yes']);
      expect((await home.json(['resource', 'show', 'bookmark:mcp'])).status.reason).to.equal(undefined);
      expect(await find('claude-code', 'protocol')).to.have.nested.property('bookmarks[0].title', 'The protocol');
    });

    it('lists taps, effects and start time with --verbose', async () => {
      expect(await home.ok(['plugin', 'list', '--verbose']))
        .to.match(/^kind-mcp-server: started in .*running: /m)
        .and.match(/^TAP +STAGE +CALLS +ERRORS +TIME$/m)
        .and.match(/^gateway\.sources +normal +\d+ +0 /m);
      expect(await home.ok(['plugin', 'show', 'kind-bookmark'])).to.match(
        /^kind-bookmark 1\.0\.0 \(installed\): active/,
      );
    });
  });

  it('brings commands of its own, loaded only when they are named', async () => {
    const folder = join(scratch, 'kind-greeter');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({
        name: 'kind-greeter',
        version: '1.0.0',
        type: 'module',
        scripts: { postinstall: 'exit 1' },
        coffer: { plugin: './index.js', cli: { module: './cli.js', groups: ['greet'] } },
      }),
    );
    writeFileSync(
      join(folder, 'index.js'),
      `import { definePlugin } from '@coffer/kernel';\nexport default definePlugin({ name: 'kind-greeter', apiVersion: 1, register() {} });\n`,
    );
    writeFileSync(
      join(folder, 'cli.js'),
      `export default ({ Command, Option }) => [
  class Hello extends Command {
    static paths = [['greet', 'hello']];
    static usage = Command.Usage({ description: 'Greet' });
    name = Option.String({ name: 'NAME' });
    async execute() {
      const { version } = await (await this.daemon()).get('/daemon/status');
      await this.print({ hello: this.name, version }, \`Hello, \${this.name}.\`);
    }
  },
];\n`,
    );
    const added = await home.run(['plugin', 'add', folder, '--yes']);
    expect(added.code, added.err).to.equal(0);
    expect(added.err)
      .to.match(/scripts +postinstall \(will not run\)/)
      .and.include('commands greet');
    expect(await home.ok(['greet', 'hello', 'you'])).to.equal('Hello, you.\n');
    expect(await home.json(['greet', 'hello', 'you'])).to.have.keys('hello', 'version');
    expect(await home.ok(['--help'])).to.match(/greet +Commands of plugin kind-greeter/);
    const [install = ''] = readdirSync(join(home.dir, 'plugins', 'kind-greeter'));
    writeFileSync(join(home.dir, 'plugins', 'kind-greeter', install, 'cli.js'), 'throw new Error("broken module")');
    expect((await home.run(['resource', 'list'])).code).to.equal(0);
    expect((await home.run(['greet', 'hello', 'you'])).err).to.match(/^PLUGIN_INVALID: .*kind-greeter.*broken module/);
  });

  it('says why a plugin fails', async () => {
    const folder = join(scratch, 'kind-broken');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'kind-broken', version: '1.0.0', type: 'module', coffer: { plugin: './index.js' } }),
    );
    writeFileSync(join(folder, 'index.js'), 'export default {};\n');
    const ran = await home.run(['plugin', 'add', folder, '--yes']);
    expect(ran.code).to.equal(6);
    expect(ran.err).to.include('PLUGIN_INVALID: ').and.include('coffer plugin');
    await home.run(['plugin', 'remove', 'kind-broken', '--force']);
    const none = await home.run(['plugin', 'add', join(scratch, 'nothing-there'), '--yes']);
    expect(none.err).to.match(/^PLUGIN_INVALID: /m);
  });

  it('writes a new plugin whose own test passes and which works when added', async () => {
    const { folder, files } = await home.json(['plugin', 'new', 'reading_list'], { cwd: scratch });
    expect(folder.endsWith('kind-reading-list')).to.equal(true);
    expect(files).to.include.members(['package.json', 'schema.json', 'index.js', 'test/plugin.test.js', 'README.md']);
    expect((await home.run(['plugin', 'new', 'reading_list'], { cwd: scratch })).code).to.equal(5);
    const code = await new Promise<number | null>((exited) => {
      let out = '';
      const child = spawn(process.execPath, ['--test'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.on('data', (c: Buffer) => (out += c.toString()));
      child.on('close', (c) => exited(c === 0 ? 0 : (process.stderr.write(out), c)));
    });
    expect(code).to.equal(0);
    await home.ok(['plugin', 'add', folder, '--yes']);
    await home.ok(['resource', 'add', 'reading_list', 'first', '--set', 'title=The first one']);
    const { structuredContent } = await home.json(['mcp', 'call', 'coffer__find_reading_lists', '{"query":"first"}']);
    expect(structuredContent.reading_lists[0]).to.include({ name: 'first', title: 'The first one' });
  });
});
