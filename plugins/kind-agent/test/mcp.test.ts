import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, CLAUDE_JSON, CODEX_TOML, TOKEN, type Bench } from './support.js';

const SPEC = '004-agents';

describe("an agent's MCP servers", () => {
  let b: Bench;
  beforeEach(async () => {
    b = await bench();
    b.write(CLAUDE_JSON, '.claude.json');
    b.write(CODEX_TOML, '.codex', 'config.toml');
    await b.ok('POST', '/agents', { type: 'claude_code' });
    await b.ok('POST', '/agents', { type: 'codex' });
  });
  afterEach(() => b.stop());
  const entries = async (agent: string): Promise<Obj[]> =>
    (await b.ok('GET', `/agents/${agent}/mcp-entries`))['items'] as Obj[];

  acceptance(SPEC, "install Coffer's MCP into an agent", async () => {
    await b.ok('POST', '/agents/claude-code/mcp-install');
    await b.ok('POST', '/agents/codex/mcp-install');
    const after = b.read('.claude.json');
    const { coffer, ...others } = (JSON.parse(after) as { mcpServers: Obj }).mcpServers;
    expect(coffer).to.deep.equal({
      type: 'stdio',
      command: process.execPath,
      args: [coffer.args[0], '--agent', 'claude-code'],
      env: {},
    });
    expect(path.isAbsolute(coffer.args[0]) && existsSync(coffer.args[0])).to.equal(true);
    expect(others).to.deep.equal((JSON.parse(CLAUDE_JSON) as Obj)['mcpServers']);
    expect(after.replace(/,\n    "coffer": \{[\s\S]*?\n    \}\n/, '\n')).to.equal(CLAUDE_JSON);
    expect(b.read('.claude.json.bak')).to.equal(CLAUDE_JSON);
    expect(b.read('.codex', 'config.toml').startsWith(`${CODEX_TOML}\n[mcp_servers.coffer]\ncommand = `)).to.equal(
      true,
    );
    expect(b.read('.codex', 'config.toml.bak')).to.equal(CODEX_TOML);
  });

  acceptance(SPEC, 'report Coffer-MCP install status', async () => {
    expect(await b.ok('GET', '/agents/codex/mcp-install')).to.deep.equal({
      installed: false,
      command: null,
      path: b.at('.codex', 'config.toml'),
      current: false,
      works: false,
    });
    expect(await b.ok('POST', '/agents/codex/mcp-install')).to.deep.include({
      installed: true,
      current: true,
      works: true,
    });
    const status = await b.ok('GET', '/resources/agent/codex/status');
    expect(status).to.deep.include({ status: 'healthy' });
    b.write(`${CODEX_TOML}\n[mcp_servers.coffer]\ncommand = ["/gone/node", "x"]\n`, '.codex', 'config.toml');
    expect(await b.ok('GET', '/agents/codex/mcp-install')).to.deep.include({
      installed: true,
      command: '/gone/node x',
      current: false,
      works: false,
    });
  });

  acceptance(SPEC, "install Coffer's MCP is idempotent", async () => {
    b.write(`${CODEX_TOML}\n[mcp_servers.coffer]\ncommand = "coffer-mcp-shim" # old\n`, '.codex', 'config.toml');
    for (const agent of ['codex', 'claude-code']) {
      await b.ok('POST', `/agents/${agent}/mcp-install`);
      const once = b.files();
      expect(await b.ok('POST', `/agents/${agent}/mcp-install`)).to.deep.include({ installed: true, current: true });
      expect(b.files()).to.deep.equal(once);
    }
    expect(b.read('.codex', 'config.toml').match(/mcp_servers\.coffer/g)).to.have.length(1);
    await b.ok('DELETE', '/agents/codex/mcp-install');
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML);
  });

  acceptance(SPEC, "uninstall Coffer's MCP from an agent", async () => {
    for (const agent of ['codex', 'claude-code']) {
      await b.ok('POST', `/agents/${agent}/mcp-install`);
      for (let i = 0; i < 2; i++)
        expect(await b.ok('DELETE', `/agents/${agent}/mcp-install`)).to.deep.include({ installed: false });
    }
    expect(b.read('.claude.json')).to.equal(CLAUDE_JSON);
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML);
    expect(await b.audit('agent_mcp_uninstalled')).to.have.length(2);
  });

  it('is taken out exactly although the agent has rewritten its file meanwhile', async () => {
    await b.ok('POST', '/agents/claude-code/mcp-install');
    const now = JSON.parse(b.read('.claude.json')) as { mcpServers: Obj };
    const mcpServers: Obj = { ...now.mcpServers, later: { command: 'x', args: [] } };
    const added = { ...now, numStartups: 43, mcpServers };
    b.write(`${JSON.stringify(added, null, 2)}\n`, '.claude.json');
    await b.ok('DELETE', '/agents/claude-code/mcp-install');
    const { coffer: _, ...rest }: Obj = added.mcpServers;
    expect(b.read('.claude.json')).to.equal(`${JSON.stringify({ ...added, mcpServers: rest }, null, 2)}\n`);
  });

  it('makes the file where there is none, and takes it away again', async () => {
    await b.ok('POST', '/agents', { type: 'claude_code', name: 'fresh', config_dir: b.at('fresh') });
    await b.ok('POST', '/agents/fresh/mcp-install');
    expect(existsSync(b.at('fresh', '.claude.json'))).to.equal(true);
    await b.ok('DELETE', '/agents/fresh/mcp-install');
    expect(existsSync(b.at('fresh', '.claude.json'))).to.equal(false);
  });

  it('writes through a link, keeps the mode, and says when a file is locked', async () => {
    mkdirSync(b.at('dotfiles'));
    writeFileSync(b.at('dotfiles', 'codex.toml'), CODEX_TOML, { mode: 0o640 });
    await b.ok('POST', '/agents', { type: 'codex', name: 'linked', config_dir: b.at('linked') });
    symlinkSync('../dotfiles/codex.toml', b.at('linked', 'config.toml'));
    await b.ok('POST', '/agents/linked/mcp-install');
    expect(lstatSync(b.at('linked', 'config.toml')).isSymbolicLink()).to.equal(true);
    expect(lstatSync(b.at('dotfiles', 'codex.toml')).mode & 0o777).to.equal(0o640);
    expect(readdirSync(b.at('dotfiles'))).to.deep.equal(['codex.toml']);
    chmodSync(b.at('dotfiles', 'codex.toml'), 0o400);
    const locked = b.read('dotfiles', 'codex.toml');
    const e = await b.fails('DELETE', '/agents/linked/mcp-install');
    expect([e.status, e.code]).to.deep.equal([422, 'FILE_READ_ONLY']);
    expect(b.read('dotfiles', 'codex.toml')).to.equal(locked);
  });

  acceptance(SPEC, "list an agent's real MCP entries", async () => {
    b.write('{"mcpServers":{"docs":{"command":"x","args":["--token=' + TOKEN + '"]}}}', '.claude', 'settings.json');
    const answer = await b.ok('GET', '/agents/claude-code/mcp-entries');
    expect(JSON.stringify(answer)).not.to.contain(TOKEN);
    expect(answer['parse_errors']).to.deep.equal([]);
    const [github, docs, second] = answer['items'] as Obj[];
    expect(github).to.deep.include({
      name: 'github',
      source: 'global',
      path: b.at('.claude.json'),
      transport: 'stdio',
      command: 'no-such-server --stdio @modelcontextprotocol/server-github',
      url: null,
      enabled: null,
      is_coffer: false,
      env_keys: ['GITHUB_TOKEN', 'LOG'],
      secrets: [{ key: 'GITHUB_TOKEN', ref: 'mcp/github/GITHUB_TOKEN' }],
      problem: null,
    });
    expect(docs).to.deep.include({
      name: 'docs',
      source: 'global',
      transport: 'http',
      url: 'https://docs.example.com/mcp?•••',
    });
    expect(second).to.deep.include({ name: 'docs', source: 'settings', command: 'x --token=•••' });
    expect(second?.['problem']).to.be.a('string');
    await b.ok('POST', '/agents/codex/mcp-install');
    const codex = await entries('codex');
    expect(codex.map((e) => [e['name'], e['enabled'], e['is_coffer'], e['header_keys']])).to.deep.equal([
      ['linear', true, false, ['Authorization']],
      ['time', true, false, []],
      ['coffer', true, true, []],
    ]);
  });

  acceptance(SPEC, 'remove a direct MCP entry', async () => {
    b.write('{\n  "mcpServers": { "docs": { "command": "x" }, "y": {} }\n}\n', '.claude', 'settings.json');
    const e = await b.fails('DELETE', '/agents/claude-code/mcp-entries/docs');
    expect([e.status, e.details['sources']]).to.deep.equal([400, ['global', 'settings']]);
    await b.ok('DELETE', '/agents/claude-code/mcp-entries/docs?source=settings');
    expect(b.read('.claude', 'settings.json')).to.equal('{\n  "mcpServers": { "y": {} }\n}\n');
    expect(b.read('.claude.json')).to.equal(CLAUDE_JSON);
    expect((await b.audit('agent_mcp_entry_removed'))[0]?.['details']).to.deep.equal({
      entry: 'docs',
      source: 'settings',
    });
    expect((await b.fails('DELETE', '/agents/codex/mcp-entries/none')).code).to.equal('AGENT_ENTRY_NOT_FOUND');
    await b.ok('POST', '/agents/codex/mcp-install');
    expect((await b.fails('DELETE', '/agents/codex/mcp-entries/coffer')).code).to.equal('AGENT_UNSUPPORTED');
  });

  acceptance(SPEC, "toggle a Codex MCP entry's enabled flag", async () => {
    const off = await b.ok('PATCH', '/agents/codex/mcp-entries/linear', { enabled: false });
    expect(off['enabled']).to.equal(false);
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML.replace('enabled = true', 'enabled = false'));
    await b.ok('PATCH', '/agents/codex/mcp-entries/linear', { enabled: true });
    await b.ok('PATCH', '/agents/codex/mcp-entries/time', { enabled: true });
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML);
    expect(await b.audit('agent_mcp_entry_toggled')).to.have.length(2);
  });

  acceptance(SPEC, 'reject toggling a Claude Code MCP entry', async () => {
    const e = await b.fails('PATCH', '/agents/claude-code/mcp-entries/github', { enabled: false });
    expect([e.status, e.code]).to.deep.equal([422, 'AGENT_UNSUPPORTED']);
    expect(b.read('.claude.json')).to.equal(CLAUDE_JSON);
  });

  acceptance(SPEC, 'degrade to read-only when MCP config is unparseable', async () => {
    const broken = '{ "mcpServers": { "a": { "env": { "T": "' + TOKEN + '" } } ';
    b.write(broken, '.claude', 'settings.json');
    const answer = await b.ok('GET', '/agents/claude-code/mcp-entries');
    expect((answer['items'] as Obj[]).map((e) => e['name'])).to.deep.equal(['github', 'docs']);
    expect(answer['parse_errors']).to.have.length(1);
    expect((answer['parse_errors'] as Obj[])[0]).to.include({
      source: 'settings',
      path: b.at('.claude', 'settings.json'),
    });
    expect(JSON.stringify(answer)).not.to.contain(TOKEN);
    await b.ok('POST', '/agents/claude-code/mcp-install');
    const e = await b.fails('POST', '/agents/claude-code/hook-install');
    expect([e.status, e.code]).to.deep.equal([422, 'AGENT_FILE_INVALID']);
    expect(b.read('.claude', 'settings.json')).to.equal(broken);
    b.write('x = = 1', '.codex', 'config.toml');
    expect((await b.fails('POST', '/agents/codex/mcp-install')).code).to.equal('AGENT_FILE_INVALID');
    expect((await b.ok('GET', '/resources/agent/codex/status'))['status']).to.equal('failing');
    expect(b.read('.codex', 'config.toml')).to.equal('x = = 1');
  });

  it('that are no group, or entries that are no object, are told of and not stumbled over', async () => {
    b.write('{"mcpServers":"oh"}', '.claude', 'settings.json');
    b.write('{"mcpServers":{"a":1,"b":{}}}', '.claude.json');
    const answer = await b.ok('GET', '/agents/claude-code/mcp-entries');
    expect((answer['items'] as Obj[]).map((e) => [e['name'], e['transport'], typeof e['problem']])).to.deep.equal([
      ['a', 'unknown', 'string'],
      ['b', 'unknown', 'string'],
    ]);
    expect((answer['parse_errors'] as Obj[])[0]?.['error']).to.contain('no group of servers');
  });
});
