import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { acceptance, startDaemon, type Ran, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import { CLAUDE_JSON, CLAUDE_SETTINGS, CODEX_TOML, TOKEN } from '../../plugins/kind-agent/test/fixtures.js';

const SPEC = '004-agents';
const KEY = 'sk-tour-a1b2c3d4e5f6';

describe('agents from the command line', function () {
  this.timeout(120_000);
  let home: string;
  let daemon: RealDaemon;
  const start: Record<string, string> = {};
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'coffer-agents-cli-'));
    write(CLAUDE_JSON, '.claude.json');
    write(CLAUDE_SETTINGS, '.claude', 'settings.json');
    write(CODEX_TOML, '.codex', 'config.toml');
    Object.assign(start, files());
    daemon = await startDaemon({ env: { HOME: home, PATH: path.dirname(process.execPath) } });
  });
  afterEach(async () => {
    await daemon?.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const write = (text: string, ...parts: string[]): void => {
    mkdirSync(path.dirname(path.join(home, ...parts)), { recursive: true });
    writeFileSync(path.join(home, ...parts), text);
  };
  const read = (...parts: string[]): string => readFileSync(path.join(home, ...parts), 'utf8');
  const files = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((e) => e.isFile())
        .map((e) => path.join(e.parentPath, e.name))
        .map((file) => [path.relative(home, file), readFileSync(file, 'utf8')]),
    );
  const coffer = (...args: string[]): Promise<Ran> => daemon.cli(args);
  const ok = async (...args: string[]): Promise<string> => {
    const ran = await coffer(...args);
    expect(ran.code, `${args.join(' ')}\n${ran.stderr}`).to.equal(0);
    return ran.stdout;
  };
  // any: answers of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const json = async (...args: string[]): Promise<any> => JSON.parse(await ok(...args, '--json'));
  const codes = async (...lines: string[]): Promise<(number | null)[]> =>
    Promise.all(lines.map(async (l) => (await coffer(...l.split(' '))).code));

  acceptance(SPEC, 'CLI surface mirrors REST operations', async () => {
    expect(await ok('agent', 'detect'))
      .to.contain('coffer agent add claude_code')
      .and.to.contain('coffer agent add codex');
    expect(await ok('agent', 'list')).to.contain('coffer agent detect');
    expect(await ok('agent', 'add', 'codex')).to.contain('Registered codex');
    expect(
      (await json('agent', 'add', 'codex', '--name', 'work', '--config-dir', '~/work', '--description', 'At work'))
        .config_dir,
    ).to.equal(path.join(home, 'work'));
    expect((await json('agent', 'list')).items.map((a: { name: string }) => a.name)).to.deep.equal(['codex', 'work']);
    expect((await json('agent', 'detect')).candidates.map((c: { type: string }) => c.type)).to.deep.equal([
      'claude_code',
    ]);
    expect(await ok('agent', 'show', 'work'))
      .to.contain(path.join(home, 'work'))
      .and.to.contain('not on the PATH');
    await ok('agent', 'edit', 'work', '--native-memory', 'off', '--description', 'Gone home');
    expect(await json('agent', 'show', 'work')).to.include({ disable_native_memory: true, description: 'Gone home' });
    expect(await ok('agent', 'sees', 'codex')).to.match(/coffer +\d+ +\d+/);
    expect(
      await codes(
        'agent add winamp',
        'agent add codex',
        'agent show none',
        'agent edit work',
        'agent edit work --native-memory maybe',
        'agent rm work',
        'agent add codex --name x --config-dir /etc/x',
      ),
    ).to.deep.equal([6, 5, 4, 2, 2, 1, 6]);
    expect(await ok('agent', 'rm', 'work', '--force')).to.contain('Forgot work');
    expect((await json('agent', 'list')).items).to.have.length(1);
  });

  acceptance(SPEC, 'config-file and MCP operations mirror across surfaces', async () => {
    await ok('agent', 'add', 'claude_code');
    await ok('agent', 'add', 'codex');
    expect(await ok('agent', 'config', 'ls', 'codex')).to.contain('config.toml');
    expect(await ok('agent', 'config', 'cat', 'codex', 'config')).to.equal(CODEX_TOML);
    const { fingerprint } = await json('agent', 'config', 'cat', 'codex', 'config');
    write(`${CODEX_TOML}# new\n`, 'new.toml');
    await ok(
      'agent',
      'config',
      'edit',
      'codex',
      'config',
      '--from-file',
      path.join(home, 'new.toml'),
      '--fingerprint',
      fingerprint,
    );
    expect(read('.codex', 'config.toml')).to.equal(`${CODEX_TOML}# new\n`);
    write('x = = 1', 'bad.toml');
    expect(
      await codes(
        `agent config edit codex config --from-file ${home}/bad.toml`,
        `agent config edit codex config --from-file ${home}/new.toml --fingerprint ${fingerprint}`,
        'agent config cat codex auth',
      ),
    ).to.deep.equal([6, 5, 4]);
    await ok(
      'agent',
      'config',
      'write',
      'claude-code',
      'subagents',
      'team/a.md',
      '--from-file',
      path.join(home, 'new.toml'),
    );
    expect(await ok('agent', 'config', 'files', 'claude-code', 'subagents')).to.equal('team/a.md\n');
    await ok('agent', 'config', 'rm', 'claude-code', 'subagents', 'team/a.md', '--force');
    expect(existsSync(path.join(home, '.claude/agents/team/a.md'))).to.equal(false);

    expect(await ok('agent', 'mcp', 'status', 'claude-code')).to.contain('Coffer is not in');
    await ok('agent', 'mcp', 'install', 'claude-code');
    expect(await json('agent', 'mcp', 'status', 'claude-code')).to.include({
      installed: true,
      current: true,
      works: true,
    });
    await ok('agent', 'mcp', 'uninstall', 'claude-code');
    expect(read('.claude.json')).to.equal(CLAUDE_JSON);
    const listed = await ok('agent', 'mcp', 'entries', 'claude-code');
    expect(listed).to.contain('holds a secret in plain text').and.not.to.contain(TOKEN);
    expect((await coffer('agent', 'mcp', 'adopt', 'claude-code', 'github')).stderr).to.contain(
      '--secret GITHUB_TOKEN=mcp/github/GITHUB_TOKEN',
    );
    expect(await ok('agent', 'mcp', 'adopt', 'claude-code', 'github', '--lift')).to.contain(
      'stored as a credential: mcp/github/GITHUB_TOKEN',
    );
    expect(
      await codes(
        'agent mcp adopt claude-code github --lift',
        'agent mcp toggle-entry claude-code docs --off',
        'agent mcp toggle-entry codex time',
        'agent mcp remove-entry codex time',
      ),
    ).to.deep.equal([4, 6, 2, 1]);
    await ok('agent', 'mcp', 'toggle-entry', 'codex', 'time', '--off');
    expect(read('.codex', 'config.toml')).to.contain('args = ["mcp-server-time"]\nenabled = false');
    await ok('agent', 'mcp', 'remove-entry', 'codex', 'time', '--force');
    expect(read('.codex', 'config.toml')).not.to.contain('mcp-server-time');

    expect(await ok('agent', 'hook', 'install', 'codex')).to.contain('/hooks');
    expect(await json('agent', 'hook', 'status', 'codex')).to.include({ installed: true });
    await ok('agent', 'hook', 'uninstall', 'codex');
    expect(await ok('agent', 'plugin', 'list', 'codex')).to.contain('fmt@acme');
    await ok('agent', 'plugin', 'disable', 'codex', 'fmt@acme');
    expect(read('.codex', 'config.toml')).to.contain('[plugins."fmt@acme"]\nenabled = false');
    await ok('agent', 'plugin', 'enable', 'codex', 'fmt@acme');
    // Its own program would do that, and it is not installed here.
    expect(await codes('agent plugin uninstall codex fmt@acme --force')).to.deep.equal([6]);
  });

  it('a session is told its rules by the hook, and never kept waiting or failed by it', async () => {
    await ok('agent', 'add', 'codex');
    await daemon.rest('PUT', '/memory_stores/global/rules', { text: 'Be kind.' });
    const told = JSON.parse(await ok('agent', 'session-context', 'codex')) as {
      hookSpecificOutput: { hookEventName: string; additionalContext: string };
    };
    expect(told.hookSpecificOutput.hookEventName).to.equal('SessionStart');
    expect(told.hookSpecificOutput.additionalContext).to.contain('Be kind.');
    expect(await ok('agent', 'session-context', 'codex', '--plain')).to.contain('Be kind.');
    expect(await ok('agent', 'session-context', 'none')).to.equal('');
    // A daemon that answers nothing: the command ends by itself, or this test does not.
    process.kill(daemon.pid, 'SIGSTOP');
    const hung = await coffer('agent', 'session-context', 'codex');
    process.kill(daemon.pid, 'SIGCONT');
    expect([hung.code, hung.stdout, hung.stderr]).to.deep.equal([0, '', '']);
  });

  it('clients are listed, looked at, connected and disconnected', async () => {
    write('{ "mcpServers": {} }\n', '.cursor', 'mcp.json');
    expect(await ok('connect'))
      .to.match(/cursor +Cursor +not connected/)
      .and.match(/zed +Zed +not found/);
    expect(await ok('connect', 'cursor', '--dry-run')).to.contain('"--agent"');
    expect(read('.cursor', 'mcp.json')).to.equal('{ "mcpServers": {} }\n');
    expect(await ok('connect', 'cursor')).to.contain('Coffer is now in');
    expect(await ok('connect', 'cursor')).to.contain('Nothing had to change');
    expect((await json('connect')).clients.filter((c: { connected: boolean }) => c.connected)).to.have.length(1);
    await ok('disconnect', 'cursor');
    expect(read('.cursor', 'mcp.json')).to.equal('{ "mcpServers": {} }\n');
    expect(await codes('connect emacs', 'disconnect')).to.deep.equal([4, 2]);
  });

  it('the whole tour leaves every file as it was, but for the server that was asked for, and no secret anywhere', async () => {
    await ok('agent', 'detect');
    for (const type of ['claude_code', 'codex']) await ok('agent', 'add', type);
    for (const name of ['claude-code', 'codex']) {
      await ok('agent', 'mcp', 'install', name);
      await ok('agent', 'hook', 'install', name);
      await ok('agent', 'edit', name, '--native-memory', 'off');
    }
    await ok('agent', 'mcp', 'adopt', 'claude-code', 'github', '--lift');
    await ok('agent', 'mcp', 'adopt', 'codex', 'linear', '--lift');
    for (const [name, protocol] of [
      ['house', 'anthropic'],
      ['lab', 'openai'],
    ]) {
      const added = await daemon.cli(
        ['llm', 'add', name ?? '', '--protocol', protocol ?? '', '--base-url', 'http://127.0.0.1:9'],
        { input: `${KEY}\n` },
      );
      expect(added.code, added.stderr).to.equal(0);
    }
    await ok('llm', 'use', 'claude-code', 'house', '--model', 'big', '--no-test');
    await ok('llm', 'use', 'codex', 'lab', '--model', 'big', '--no-test');
    await ok('connect', 'gemini-cli');
    await daemon.restart();
    await ok('disconnect', 'gemini-cli');
    for (const name of ['claude-code', 'codex']) {
      await ok('llm', 'use', name, '--built-in');
      await ok('agent', 'edit', name, '--native-memory', 'on');
      await ok('agent', 'hook', 'uninstall', name);
      await ok('agent', 'mcp', 'uninstall', name);
      await ok('agent', 'rm', name, '--force');
    }
    const adopted = {
      ...start,
      '.claude.json': start['.claude.json']?.replace(/ {4}"github": \{[\s\S]*?\n {4}\},\n/, ''),
      '.codex/config.toml': start['.codex/config.toml']?.replace(/\[mcp_servers\.linear\][\s\S]*?\n\n/, ''),
    };
    const now = files();
    expect(Object.fromEntries(Object.entries(now).filter(([name]) => !name.endsWith('.bak')))).to.deep.equal(adopted);
    for (const secret of [TOKEN, KEY]) {
      expect(
        Object.entries(now)
          .filter(([, text]) => text.includes(secret))
          .map(([name]) => name),
      ).to.deep.equal([]);
      for (const file of daemon.files()) expect(readFileSync(file, 'latin1').includes(secret), file).to.equal(false);
    }
  });
});
