import { existsSync, readlinkSync } from 'node:fs';
import type { Obj } from '@coffer/kernel';
import { expect } from 'chai';
import { bench, CLAUDE_JSON, CLAUDE_SETTINGS, CODEX_TOML, TOKEN, type Bench } from './support.js';

const KEY = 'sk-test-a1b2c3d4e5f6';

describe('what Coffer sets in agents', () => {
  let b: Bench;
  beforeEach(async () => {
    b = await bench();
    b.write(CLAUDE_JSON, '.claude.json');
    b.write(CLAUDE_SETTINGS, '.claude', 'settings.json');
    b.write(CODEX_TOML, '.codex', 'config.toml');
    await b.ok('POST', '/agents', { type: 'claude_code' });
    await b.ok('POST', '/agents', { type: 'codex' });
  });
  afterEach(() => b.stop());
  const settings = (): Obj => JSON.parse(b.read('.claude', 'settings.json')) as Obj;
  const connect = (name: string, protocol: string): Promise<Obj> =>
    b.ok('POST', '/llm-connections', { name, protocol, base_url: 'http://127.0.0.1:9/v1', secret_value: KEY });
  const skill = async (name: string): Promise<void> => {
    b.write(`---\nname: ${name}\ndescription: What it is for.\n---\nDo it.\n`, 'src', name, 'SKILL.md');
    const stage = await b.ok('POST', '/skill-imports', { type: 'folder', path: b.at('src', name) });
    await b.ok('POST', `/skill-imports/${stage['id']}/confirm`, { names: [name] });
  };

  it('is a hook beside those that are there, taken out exactly', async () => {
    const installed = await b.ok('POST', '/agents/claude-code/hook-install');
    expect(installed).to.deep.include({ installed: true, current: true, note: null });
    const [mine, ours] = settings()['hooks']['SessionStart'] as Obj[];
    expect(mine).to.deep.equal({ matcher: 'startup', hooks: [{ type: 'command', command: 'echo mine' }] });
    expect(ours?.['hooks'][0].command).to.match(/coffer\.js agent session-context claude-code$/);
    const once = b.files();
    await b.ok('POST', '/agents/claude-code/hook-install');
    expect(b.files()).to.deep.equal(once);
    expect(await b.audit('agent_hook_installed')).to.have.length(1);
    await b.ok('DELETE', '/agents/claude-code/hook-install');
    expect(await b.ok('DELETE', '/agents/claude-code/hook-install')).to.include({ installed: false });
    expect(b.read('.claude', 'settings.json')).to.equal(CLAUDE_SETTINGS);
  });

  it('is a file of its own where the agent has one for hooks, and goes with the last of them', async () => {
    const { note } = await b.ok('POST', '/agents/codex/hook-install');
    expect(note).to.contain('/hooks');
    expect(existsSync(b.at('.codex', 'hooks.json'))).to.equal(true);
    await b.ok('DELETE', '/agents/codex/hook-install');
    expect(existsSync(b.at('.codex', 'hooks.json'))).to.equal(false);
  });

  it('mends a hook of an older Coffer in place, and finds it among the hooks of a group', async () => {
    const old = { type: 'command', command: '/old/coffer agent session-context claude-code' };
    b.write(
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'x' }, old] }] } }, null, 2),
      '.claude',
      'settings.json',
    );
    expect(await b.ok('GET', '/agents/claude-code/hook-install')).to.include({ installed: true, current: false });
    expect(await b.ok('POST', '/agents/claude-code/hook-install')).to.include({ current: true });
    expect(settings()['hooks']['SessionStart'][0].hooks).to.have.length(2);
    await b.ok('DELETE', '/agents/claude-code/hook-install');
    expect(settings()).to.deep.equal({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'x' }] }] } });
  });

  it('is found again among hooks that came later, before and behind it', async () => {
    const group = (command: string): Obj => ({ hooks: [{ type: 'command', command }] });
    for (const agent of ['claude-code', 'codex']) {
      const file = agent === 'codex' ? ['.codex', 'hooks.json'] : ['.claude', 'settings.json'];
      await b.ok('POST', `/agents/${agent}/hook-install`);
      const now = JSON.parse(b.read(...file)) as Obj;
      const list = now['hooks']['SessionStart'] as Obj[];
      now['hooks']['SessionStart'] = [group('first'), ...list, group('last')];
      b.write(JSON.stringify(now), ...file);
      await b.ok('DELETE', `/agents/${agent}/hook-install`);
      const left = (JSON.parse(b.read(...file)) as Obj)['hooks']['SessionStart'] as Obj[];
      expect(
        left.map((g) => g['hooks'][0].command),
        agent,
      ).to.deep.equal(agent === 'codex' ? ['first', 'last'] : ['first', 'echo mine', 'last']);
    }
  });

  it('tells a session rules and the two fixed lines, within 10,000 characters', async () => {
    await b.ok('PUT', '/memory_stores/global/rules', { text: 'Be kind.' });
    const { text } = await b.ok('GET', `/agents/codex/session-context?cwd=${encodeURIComponent(b.home)}`);
    expect(text).to.contain('Be kind.').and.to.contain('coffer__resume').and.to.contain('coffer__remember');
    await b.ok('PUT', '/memory_stores/global/rules', { text: 'x'.repeat(30_000) });
    const long = (await b.ok('GET', '/agents/codex/session-context'))['text'] as string;
    expect(long.length).to.be.at.most(10_000);
    expect(long).to.contain('coffer__resume');
    expect((await b.fails('GET', '/agents/codex/session-context?cwd=relative')).status).to.equal(400);
    expect((await b.fails('GET', '/agents/none/session-context')).status).to.equal(404);
  });

  it("switches an agent's own memory off and gives it back", async () => {
    await b.ok('PATCH', '/agents/claude-code', { disable_native_memory: true });
    expect(settings()['autoMemoryEnabled']).to.equal(false);
    await b.ok('PATCH', '/agents/codex', { disable_native_memory: true });
    expect(b.read('.codex', 'config.toml'))
      .to.contain('[features]\nmemories = false')
      .and.to.contain('[memories]\ngenerate_memories = false');
    for (const agent of ['claude-code', 'codex'])
      await b.ok('PATCH', `/agents/${agent}`, { disable_native_memory: false });
    expect(b.read('.claude', 'settings.json')).to.equal(CLAUDE_SETTINGS);
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML);
    b.write('{ broken', '.claude', 'settings.json');
    expect((await b.fails('PATCH', '/agents/claude-code', { disable_native_memory: true })).code).to.equal(
      'AGENT_FILE_INVALID',
    );
    expect(await b.ok('GET', '/agents/claude-code')).to.include({ disable_native_memory: false });
  });

  it('is the model of Claude Code: shown before, set with models and a command for the key, taken back exactly', async () => {
    await connect('house', 'anthropic');
    const wish = { connection: 'house', model: 'big', fast_model: 'small' };
    const { changes } = await b.ok('POST', '/llm-agents/claude-code/preview', wish);
    expect((changes as Obj[]).map((c) => c['path'])).to.deep.equal([b.at('.claude', 'settings.json')]);
    expect(b.read('.claude', 'settings.json')).to.equal(CLAUDE_SETTINGS);
    await b.ok('PUT', '/llm-agents/claude-code', wish);
    const now = settings();
    expect(now['env']).to.deep.equal({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/v1',
      ANTHROPIC_MODEL: 'big',
      ANTHROPIC_SMALL_FAST_MODEL: 'small',
    });
    expect(now['apiKeyHelper']).to.match(/coffer\.js llm key --connection house$/);
    await b.ok('PUT', '/llm-agents/claude-code', { connection: 'house' });
    expect(settings()['env']).to.deep.equal({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/v1' });
    await b.ok('PUT', '/llm-agents/claude-code', { connection: null });
    expect(b.read('.claude', 'settings.json')).to.equal(CLAUDE_SETTINGS);
  });

  it('is the model of Codex: its own choice comes back when Coffer’s goes', async () => {
    await connect('lab', 'openai');
    await b.ok('PUT', '/llm-agents/codex', { connection: 'lab', model: 'gpt-9' });
    const text = b.read('.codex', 'config.toml');
    expect(text).to.contain('# by hand\nmodel = "gpt-9" # the good one\nmodel_provider = "coffer"\n');
    expect(text).to.match(
      /\[model_providers\.coffer\]\nname = "Coffer"\nbase_url = "http:\/\/127\.0\.0\.1:9\/v1"\nwire_api = "responses"\n\n\[model_providers\.coffer\.auth\]\ncommand = /,
    );
    expect(text).not.to.contain(KEY);
    // Its program rewrites the file meanwhile.
    b.write(text.replace('theme = "dark"', 'theme = "light"'), '.codex', 'config.toml');
    await b.ok('PUT', '/llm-agents/codex', { connection: null });
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML.replace('"dark"', '"light"'));
  });

  it('leaves alone what a person has set there by themselves', async () => {
    const own = JSON.stringify({ autoMemoryEnabled: false, apiKeyHelper: 'mine', env: { ANTHROPIC_MODEL: 'x' } });
    b.write(own, '.claude', 'settings.json');
    for (const agent of ['claude-code', 'codex']) await b.ok('PUT', `/llm-agents/${agent}`, { connection: null });
    for (const agent of ['claude-code', 'codex']) await b.ok('DELETE', `/agents/${agent}`);
    expect(b.read('.claude', 'settings.json')).to.equal(own);
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML);
  });

  it('is refused where the file cannot be written, and then nothing has changed', async () => {
    await connect('lab', 'openai');
    b.write('model = = 1', '.codex', 'config.toml');
    expect((await b.fails('PUT', '/llm-agents/codex', { connection: 'lab' })).code).to.equal('AGENT_FILE_INVALID');
    expect(b.read('.codex', 'config.toml')).to.equal('model = = 1');
  });

  it('is skills by links, that follow an agent to another folder and leave with it', async () => {
    await skill('notes');
    expect(readlinkSync(b.at('.codex', 'skills', 'notes'))).to.equal(b.at('.coffer', 'skills', 'notes'));
    await b.ok('PATCH', '/agents/codex', { config_dir: b.at('moved') });
    expect(existsSync(b.at('.codex', 'skills', 'notes'))).to.equal(false);
    expect(existsSync(b.at('moved', 'skills', 'notes'))).to.equal(true);
    await b.ok('DELETE', '/agents/codex');
    expect(existsSync(b.at('moved', 'skills', 'notes'))).to.equal(false);
    expect(existsSync(b.at('.claude', 'skills', 'notes'))).to.equal(true);
  });

  it('reaches agents again after this plugin, or theirs, was switched off and on', async () => {
    for (const plugin of ['kind-agent', 'agent-codex']) {
      await b.ok('POST', `/plugins/${plugin}/disable`);
      await skill(`while-${plugin}`);
      const link = b.at('.codex', 'skills', `while-${plugin}`);
      expect(existsSync(link), plugin).to.equal(false);
      await b.ok('POST', `/plugins/${plugin}/enable`);
      for (let i = 0; i < 200 && !existsSync(link); i++) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(existsSync(link), plugin).to.equal(true);
    }
  });

  it('is gone with the agent, and the files are what they were', async () => {
    const before = b.files();
    await connect('house', 'anthropic');
    await connect('lab', 'openai');
    for (const agent of ['claude-code', 'codex']) {
      await b.ok('POST', `/agents/${agent}/mcp-install`);
      await b.ok('POST', `/agents/${agent}/hook-install`);
      await b.ok('PATCH', `/agents/${agent}`, { disable_native_memory: true });
      await b.ok('PUT', `/llm-agents/${agent}`, { connection: agent === 'codex' ? 'lab' : 'house', model: 'm' });
    }
    await b.restart();
    for (const agent of ['claude-code', 'codex']) await b.ok('DELETE', `/agents/${agent}`);
    const after = Object.fromEntries(Object.entries(b.files()).filter(([name]) => !name.endsWith('.bak')));
    expect(after).to.deep.equal(before);
    expect(JSON.stringify(b.files())).not.to.contain(KEY);
  });

  it('shows what an agent gets, as the gateway serves it, and what not and why', async () => {
    await skill('notes');
    const server = { kind: 'mcp_server', config: { transport: { type: 'stdio', command: 'no-such-server' } } };
    for (const name of ['away', 'off', 'theirs', 'broken']) await b.ok('POST', '/resources', { ...server, name });
    await b.ok('POST', '/resources/mcp_server/off/disable');
    await b.ok('PUT', '/resources/mcp_server/away/scope', { scope: { elsewhere: '*' } });
    await b.ok('PUT', '/resources/mcp_server/theirs/scope', { scope: { '*': ['claude-code'] } });
    await b.ok('PUT', '/resources/skill/notes/scope', { scope: { '*': ['claude-code'] } });
    const sees = await b.ok('GET', '/agents/codex/sees');
    const own = (sees['servers'] as Obj[]).find((s) => s['server'] === 'coffer');
    expect(own?.['tools']).to.include.members(['recall', 'search_tools']);
    expect(own?.['tools']).not.to.include('load_skill');
    expect(sees['tokens']).to.be.greaterThan(100);
    expect(sees['skills']).to.deep.equal([]);
    expect(sees['session_context']).to.contain('coffer__resume');
    const why = Object.fromEntries((sees['not'] as Obj[]).map((n) => [n['name'], n['reason']]));
    expect(why).to.deep.include({
      away: 'not on this machine',
      off: 'switched off',
      theirs: 'not for this agent',
      notes: 'not for this agent',
    });
    expect(why['broken']).to.contain('no-such-server');
    const claude = await b.ok('GET', '/agents/claude-code/sees');
    expect(claude['skills']).to.deep.equal(['notes']);
    expect((claude['servers'] as Obj[]).find((s) => s['server'] === 'coffer')?.['tools']).to.include('load_skill');
  });

  it("lists and switches the agents' own plugins", async () => {
    b.write(
      JSON.stringify({ version: 2, plugins: { 'fmt@acme': [{ version: '1.2.0', installPath: b.at('gone') }] } }),
      '.claude',
      'plugins',
      'installed_plugins.json',
    );
    for (const agent of ['claude-code', 'codex']) {
      const [fmt] = (await b.ok('GET', `/agents/${agent}/plugins`))['items'] as Obj[];
      expect(fmt).to.deep.include({
        id: 'fmt@acme',
        name: 'fmt',
        marketplace: 'acme',
        enabled: true,
        problem: 'Its files are missing.',
      });
      expect(await b.ok('PATCH', `/agents/${agent}/plugins/fmt%40acme`, { enabled: false })).to.include({
        enabled: false,
      });
      expect((await b.fails('PATCH', `/agents/${agent}/plugins/none`, { enabled: false })).code).to.equal(
        'AGENT_ENTRY_NOT_FOUND',
      );
    }
    expect(b.read('.claude', 'settings.json')).to.equal(
      CLAUDE_SETTINGS.replace('"fmt@acme": true', '"fmt@acme": false'),
    );
    expect(b.read('.codex', 'config.toml')).to.equal(
      CODEX_TOML.replace('acme"]\nenabled = true', 'acme"]\nenabled = false'),
    );
  });

  it('holds no secret of a connection or an agent in its answers', async () => {
    await connect('house', 'anthropic');
    await b.ok('PUT', '/llm-agents/claude-code', { connection: 'house' });
    for (const at of ['', '/mcp-entries', '/config-files', '/mcp-install', '/hook-install', '/sees', '/plugins']) {
      const answer = JSON.stringify(await b.ok('GET', `/agents/claude-code${at}`));
      expect(answer, at).not.to.contain(TOKEN);
      expect(answer, at).not.to.contain(KEY);
    }
  });
});
