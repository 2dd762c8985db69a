import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { createHome, type Home } from './harness.js';

describe('coffer mcp', function () {
  this.timeout(60_000);
  let home: Home;
  const { command, args } = fixtureCommand('scripted');
  const line = [command, ...args];
  before(async () => {
    home = createHome();
    await home.ok(['daemon', 'start']);
  });
  after(() => home.done());

  it('adds a server from words after --, and says that it is healthy', async () => {
    expect(await home.ok(['mcp', 'add', 'words', '--env', 'GREETING=hello', '--', ...line])).to.include(
      'It is healthy.',
    );
    const { config } = await home.json(['mcp', 'show', 'words']);
    expect(config.transport).to.deep.include({ type: 'stdio', command, args, env: { GREETING: 'hello' } });
    expect(config.auto_enable_new_capabilities).to.equal(true);
  });

  it('adds one from a single string, split as a shell would, without a shell', async () => {
    const quoted = line.map((w) => `'${w}'`).join(' ');
    await home.ok([
      'mcp',
      'add',
      'string',
      '--stdio',
      `${quoted} --name "two words" --name $(touch\\ x)`,
      '--no-auto-enable',
      '--description',
      'quoted',
      '--cwd',
      home.dir,
    ]);
    const { config, description } = await home.json(['mcp', 'show', 'string']);
    expect(description).to.equal('quoted');
    expect(config.auto_enable_new_capabilities).to.equal(false);
    expect(config.transport).to.deep.include({
      command,
      args: [...args, '--name', 'two words', '--name', '$(touch x)'],
      cwd: home.dir,
    });
  });

  it('adds a remote one, with headers and a credential', async () => {
    await home.ok(['credentials', 'set', 'far/key'], { input: 'Bearer hush' });
    const out = await home.ok([
      'mcp',
      'add',
      'far',
      '--http',
      'http://127.0.0.1:9/mcp',
      '--header',
      'X-Team=a',
      '--credential',
      'Authorization=far/key',
    ]);
    expect(out).to.match(/failing|Try it/);
    expect((await home.json(['mcp', 'show', 'far'])).config.transport).to.deep.include({
      type: 'http',
      url: 'http://127.0.0.1:9/mcp',
      headers: { 'X-Team': 'a' },
      credential_refs: { Authorization: 'far/key' },
    });
  });

  it('refuses flags that do not go together', async () => {
    const lines = [
      ['mcp', 'add', 'x'],
      ['mcp', 'add', 'x', '--stdio', 'a', '--http', 'http://b'],
      ['mcp', 'add', 'x', '--stdio', 'a', '--', 'b'],
      ['mcp', 'add', 'x', '--http', 'http://b', '--env', 'A=1'],
      ['mcp', 'add', 'x', '--stdio', 'a', '--header', 'A=1'],
      ['mcp', 'add', 'x', '--stdio', '"open'],
      ['mcp', 'add', 'x', '--http', 'ftp://b/mcp'],
      ['mcp', 'add', 'x', '--env', 'novalue', '--', 'a'],
      ['mcp', 'update', 'words'],
    ];
    for (const words of lines) expect((await home.run(words)).code, words.join(' ')).to.equal(2);
  });

  it('changes what is named and keeps the rest', async () => {
    await home.ok(['mcp', 'update', 'words', '--env', 'MORE=1', '--no-auto-enable', '--description', 'changed']);
    const { config, description } = await home.json(['mcp', 'show', 'words']);
    expect(description).to.equal('changed');
    expect(config.auto_enable_new_capabilities).to.equal(false);
    expect(config.transport).to.deep.include({ command, env: { GREETING: 'hello', MORE: '1' } });
    await home.ok(['mcp', 'update', 'words', '--auto-enable']);
  });

  it('lists servers, tests them, and exits 7 for one that does not answer', async () => {
    expect(await home.ok(['mcp', 'list']))
      .to.match(/^NAME +ENABLED +STATUS +TRANSPORT +DESCRIPTION$/m)
      .and.match(/^words .*changed$/m)
      .and.match(/^far: \S+/m)
      .and.match(/^words +yes +healthy/m);
    expect(await home.ok(['mcp', 'test', 'words'])).to.match(/^words answers: MCP \d{4}-/);
    const ran = await home.run(['mcp', 'test', 'far', '--json']);
    expect(ran.code).to.equal(7);
    expect(JSON.parse(ran.out)).to.include({ ok: false });
    expect(ran.err).to.match(/^UPSTREAM_UNAVAILABLE: far does not answer/);
  });

  it('shows counts, scope, and which shorter server name a long tool name needs', async () => {
    const long = 'a-server-with-a-name-so-long-that-clients-will-not-take-it-all';
    await home.ok(['mcp', 'add', long, '--', ...line]);
    await home.ok(['mcp', 'tool', 'disable', long, 'echo']);
    await home.ok(['scope', 'set', `mcp_server:${long}`, '--machine', '*=claude-code']);
    const page = await home.ok(['mcp', 'show', long]);
    const { tools } = await home.json(['mcp', 'tool', 'list', long]);
    expect(page).to.match(new RegExp(`^tools +${tools.length - 1} of ${tools.length} enabled$`, 'm'));
    expect(page).to.match(/^scope +.*claude-code/m);
    expect(page).to.match(/^note +.*over their limit of 64; a server name of at most \d+ characters would do/m);
    await home.ok(['mcp', 'remove', long, '--force']);
  });

  it('lists tools, resources and prompts, and switches single ones', async () => {
    expect(await home.ok(['mcp', 'refresh', 'words'])).to.match(
      /words has \d+ tools?, \d+ resources? and \d+ prompts?/,
    );
    for (const type of ['tool', 'resource', 'prompt']) {
      const list = async (): Promise<{ enabled: boolean; original_name?: string; original_uri?: string }[]> =>
        (await home.json(['mcp', type, 'list', 'words']))[`${type}s`];
      const key = (c: { original_name?: string; original_uri?: string }): string =>
        (type === 'resource' ? c.original_uri : c.original_name) ?? '';
      const [one] = await list();
      if (one === undefined) throw new Error(`the fixture has no ${type}`);
      await home.ok(['mcp', type, 'disable', 'words', key(one)]);
      expect((await list()).find((c) => key(c) === key(one))?.enabled).to.equal(false);
      expect(await home.ok(['mcp', type, 'list', 'words'])).to.match(/ no /);
      await home.ok(['mcp', type, 'enable', 'words', key(one)]);
      expect((await list()).find((c) => key(c) === key(one))?.enabled).to.equal(true);
    }
  });

  it('calls a tool with arguments as a word or from stdin, and tells an error by its exit code', async () => {
    expect(await home.ok(['mcp', 'call', 'words__echo', '{"text":"typed"}'])).to.equal('typed\n');
    expect(await home.ok(['mcp', 'call', 'words__echo', '-'], { input: '{"text":"piped"}' })).to.equal('piped\n');
    expect((await home.json(['mcp', 'call', 'words__echo', '{"text":"raw"}'])).content[0]).to.deep.equal({
      type: 'text',
      text: 'raw',
    });
    expect((await home.run(['mcp', 'call', 'words__echo', '{broken'])).code).to.equal(6);
    expect((await home.run(['mcp', 'call', 'nowhere__nothing'])).code).to.equal(4);
    const refused = await home.run(['mcp', 'call', 'words__nothing']);
    expect(refused.code).to.equal(7);
    expect(refused.err).to.match(/^UPSTREAM_ERROR: .*-32\d+/);
    await home.ok(['mcp', 'tool', 'disable', 'words', 'echo']);
    const denied = await home.run(['mcp', 'call', 'words__echo', '{}']);
    expect(denied.err).to.match(/^TOOL_DISABLED: /);
    await home.ok(['mcp', 'tool', 'enable', 'words', 'echo']);
  });

  it('finds tools and lists calls', async () => {
    expect((await home.json(['mcp', 'search', 'says', 'it', 'back', '--top-k', '3'])).tools[0].name).to.equal(
      'words__echo',
    );
    const { invocations } = await home.json(['mcp', 'invocations', 'words', '--limit', '500']);
    expect(invocations.find((i: { status: string }) => i.status === 'ok')).to.include({
      server: 'words',
      capability_key: 'echo',
    });
    expect(JSON.stringify(invocations)).to.not.include('typed');
    expect((await home.json(['mcp', 'invocations', '--status', 'denied'])).invocations).to.have.length.greaterThan(0);
    expect((await home.json(['mcp', 'invocations', '--since', '2099-01-01'])).invocations).to.deep.equal([]);
    expect((await home.run(['mcp', 'invocations', '--status', 'nonsense'])).code).to.equal(6);
  });

  it('prints what a server wrote to its stderr', async () => {
    await home.ok([
      'mcp',
      'add',
      'loud',
      '--',
      process.execPath,
      '-e',
      'console.error("no luck today"); process.exit(3)',
    ]);
    expect((await home.json(['mcp', 'log', 'loud'])).lines.join('\n')).to.include('no luck today');
    expect(await home.ok(['mcp', 'log', 'words', '-n', '5'])).to.be.a('string');
  });

  it('says that a remote server writes elsewhere, and why it cannot be reached', async () => {
    const added = await home.ok(['mcp', 'add', 'afar', '--http', 'http://127.0.0.1:1/mcp']);
    expect(added).to.match(/^Registered afar\. It is failing: .*[^.]\. Try: coffer mcp test afar$/m);
    expect(await home.ok(['mcp', 'log', 'afar'])).to.include('runs elsewhere');
    await home.ok(['mcp', 'remove', 'afar', '--force']);
  });

  it('starts a program that is named from here, here', async () => {
    writeFileSync(join(home.dir, 'own.mjs'), 'process.exit(0)');
    await home.ok(['mcp', 'add', 'own', '--', process.execPath, './own.mjs']);
    expect((await home.json(['mcp', 'show', 'own'])).config.transport.cwd).to.equal(home.dir);
    await home.ok(['mcp', 'update', 'own', '--cwd', './below']);
    expect((await home.json(['mcp', 'show', 'own'])).config.transport.cwd).to.equal(join(home.dir, 'below'));
    await home.ok(['mcp', 'remove', 'own', '--force']);
  });

  it('imports another client’s servers, its secrets as credentials', async () => {
    const config = {
      mcpServers: {
        'my server': { command, args, env: { API_TOKEN: 'hush-hush', REGION: 'eu' } },
        fromEnv: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${TEAM_TOKEN}' } },
        words: { command: 'x' },
        off: { command: 'y', disabled: true },
        broken: { nothing: true },
      },
    };
    const file = join(home.dir, 'client.json');
    writeFileSync(file, JSON.stringify(config));
    const asked = await home.run(['mcp', 'import', file]);
    expect(asked.code).to.equal(1);
    expect(asked.err)
      .to.include('my-server')
      .and.include('becomes the credential mcp/my-server/API_TOKEN')
      .and.include('left out: broken')
      .and.not.include('hush');
    expect((await home.json(['credentials', 'list'])).refs.map((r: { ref: string }) => r.ref)).to.deep.equal([
      'far/key',
    ]);

    const ran = await home.run(['mcp', 'import', file, '--yes', '--json'], { env: { TEAM_TOKEN: 'from the shell' } });
    expect(ran.code).to.equal(5);
    const report = JSON.parse(ran.out) as { imported: string[]; failed: { name: string; code: string }[] };
    expect(report.imported).to.deep.equal(['my-server', 'fromEnv', 'off']);
    expect(report.failed[0]).to.include({ name: 'words', code: 'RESOURCE_ALREADY_EXISTS' });
    expect((await home.json(['mcp', 'show', 'my-server'])).config.transport).to.deep.include({
      env: { REGION: 'eu' },
      credential_refs: { API_TOKEN: 'mcp/my-server/API_TOKEN' },
    });
    expect(await home.ok(['credentials', 'get', 'mcp/my-server/API_TOKEN', '--show'])).to.equal('hush-hush\n');
    expect(await home.ok(['credentials', 'get', 'mcp/fromEnv/Authorization', '--show'])).to.equal(
      'Bearer from the shell\n',
    );
    expect((await home.json(['mcp', 'show', 'off'])).enabled).to.equal(false);
  });

  it('imports TOML from stdin and leaves no credential behind when a server is refused', async () => {
    const toml = `[mcp_servers.codexed]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n[mcp_servers.codexed.env]\nAPI_KEY = "hush-too"\n`;
    await home.ok(['mcp', 'import', '-', '--yes'], { input: toml });
    expect(await home.ok(['credentials', 'get', 'mcp/codexed/API_KEY', '--show'])).to.equal('hush-too\n');
    await home.ok(['mcp', 'remove', 'codexed', '--force']);
    await home.ok(['credentials', 'delete', 'mcp/codexed/API_KEY', '--force']);
    const bad = JSON.stringify({ mcpServers: { words: { command: 'x', env: { A_SECRET: 'hush-three' } } } });
    expect((await home.run(['mcp', 'import', '--yes'], { input: bad })).code).to.equal(5);
    expect((await home.json(['credentials', 'list'])).refs.map((r: { ref: string }) => r.ref)).to.not.include(
      'mcp/words/A_SECRET',
    );
    expect((await home.run(['mcp', 'import', '-', '--yes'], { input: 'neither = [' })).code).to.equal(6);
  });

  it('leaves a stored credential alone on import, and stores another value under a free name', async () => {
    const config = (name: string, value: string): string =>
      JSON.stringify({ mcpServers: { [name]: { command, args, env: { API_TOKEN: value } } } });
    const bound = async (): Promise<string> => {
      await home.ok(['mcp', 'import', '--yes'], { input: config('again', 'second-value') });
      return (await home.json(['mcp', 'show', 'again'])).config.transport.credential_refs.API_TOKEN;
    };
    await home.ok(['credentials', 'set', 'mcp/again/API_TOKEN'], { input: 'first-value' });
    const said = await home.ok(['mcp', 'import', '--yes'], { input: config('again', 'second-value') });
    expect(said).to.include('stored as mcp/again/API_TOKEN-2').and.not.include('-value');
    expect(await home.ok(['credentials', 'get', 'mcp/again/API_TOKEN', '--show'])).to.equal('first-value\n');
    expect(await home.ok(['credentials', 'get', 'mcp/again/API_TOKEN-2', '--show'])).to.equal('second-value\n');
    await home.ok(['mcp', 'remove', 'again', '--force']);
    await home.ok(['credentials', 'set', 'mcp/again/API_TOKEN'], { input: 'second-value' });
    expect(await bound(), 'the same value').to.equal('mcp/again/API_TOKEN');
    await home.ok(['mcp', 'remove', 'again', '--force']);
    const kept = await home.ok(['mcp', 'import', '--yes'], { input: config('again', '${NOT_SET_ANYWHERE}') });
    expect(kept).to.include('uses the stored credential').and.include('coffer credentials set mcp/again/API_TOKEN');
    await home.ok(['mcp', 'remove', 'again', '--force']);
  });

  it('removes a server only when asked twice', async () => {
    expect((await home.run(['mcp', 'remove', 'string'])).code).to.equal(1);
    await home.ok(['mcp', 'remove', 'string', '--force']);
    expect((await home.run(['mcp', 'show', 'string'])).code).to.equal(4);
  });
});
