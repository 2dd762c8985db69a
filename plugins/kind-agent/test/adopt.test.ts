import { chmodSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { definePlugin, type Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { ALL, bench, CLAUDE_JSON, CODEX_TOML, TOKEN, type Bench } from './support.js';

const SPEC = '004-agents';

describe('adopting a server', () => {
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
  const names = async (agent: string): Promise<string[]> => (await entries(agent)).map((e) => e['name'] as string);
  /** Everything that Coffer has written, as text: rows, logs, files. */
  const vault = (): string => {
    const folder = b.at('.coffer');
    const walk = (dir: string): string[] =>
      readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
        e.isDirectory() ? walk(path.join(dir, e.name)) : [readFileSync(path.join(dir, e.name), 'latin1')],
      );
    return walk(folder).join('\n');
  };

  const ADOPT = '/agents/claude-code/mcp-entries/github/adopt';
  const MAPPED = { secrets: { GITHUB_TOKEN: 'mine/github' } };

  acceptance(SPEC, 'adopt a direct MCP entry into Coffer', async () => {
    mkdirSync(b.at('.claude', 'backups'), { recursive: true });
    b.write(CLAUDE_JSON, '.claude', 'backups', '.claude.json.backup.1');
    const made = await b.ok('POST', ADOPT, MAPPED);
    expect(made['credentials']).to.deep.equal(['mine/github']);
    expect((await b.ok('GET', '/resources/mcp_server/github'))['config']['transport']).to.deep.include({
      type: 'stdio',
      command: 'no-such-server',
      env: { LOG: '1' },
      credential_refs: { GITHUB_TOKEN: 'mine/github' },
    });
    expect((await b.ok('GET', '/credentials/mine%2Fgithub'))['value']).to.equal(TOKEN);
    expect(await names('claude-code')).to.deep.equal(['docs']);
    const left = { ...(JSON.parse(CLAUDE_JSON) as Obj) };
    delete left['mcpServers']['github'];
    expect(JSON.parse(b.read('.claude.json'))).to.deep.equal(left);
    // What the agent itself has copied is told of, since only its owner can decide on that.
    expect(made['still_in']).to.deep.equal([b.at('.claude', 'backups', '.claude.json.backup.1')]);
    expect(b.read('.claude.json.bak')).to.equal(CLAUDE_JSON.replace(TOKEN, '(moved into Coffer)'));
    expect(vault()).not.to.contain(TOKEN);
    expect((await b.audit('agent_mcp_entry_adopted'))[0]?.['details']).to.deep.include({
      entry: 'github',
      server: 'github',
    });
  });

  it('adopts secrets of headers out of TOML, and what was off stays off', async () => {
    b.write(CODEX_TOML.replace('enabled = true', 'enabled = false'), '.codex', 'config.toml');
    await b.ok('POST', '/agents/codex/mcp-entries/linear/adopt', {
      secrets: { Authorization: 'mcp/linear/Authorization' },
    });
    expect((await b.ok('GET', '/resources/mcp_server/linear'))['enabled']).to.equal(false);
    expect((await b.ok('GET', '/credentials/mcp%2Flinear%2FAuthorization'))['value']).to.equal(`Bearer ${TOKEN}`);
    expect(b.read('.codex', 'config.toml')).to.equal(CODEX_TOML.replace(/\[mcp_servers\.linear\][\s\S]*?\n\n/, ''));
    expect(b.read('.codex', 'config.toml.bak')).to.contain('"(moved into Coffer)"');
    expect(Object.values(b.files()).filter((text) => text.includes(TOKEN))).to.deep.equal([CLAUDE_JSON]);
  });

  acceptance(SPEC, 'reject adoption on resource name conflict', async () => {
    await b.ok('POST', '/resources', {
      kind: 'mcp_server',
      name: 'github',
      config: { transport: { type: 'stdio', command: 'other' } },
    });
    const e = await b.fails('POST', ADOPT, MAPPED);
    expect([e.status, e.code, e.details['suggested_name']]).to.deep.equal([409, 'RESOURCE_ALREADY_EXISTS', 'github-2']);
    expect(b.read('.claude.json')).to.equal(CLAUDE_JSON);
    const made = await b.ok('POST', ADOPT, { ...MAPPED, new_name: 'github-2' });
    expect(made['resource']).to.include({ name: 'github-2' });
  });

  it('says when the vault has the very same server, and offers plain removal', async () => {
    await b.ok('POST', ADOPT, MAPPED);
    b.write(CLAUDE_JSON, '.claude.json');
    expect((await entries('claude-code'))[0]).to.include({ name: 'github', matches_resource: 'github' });
    const e = await b.fails('POST', ADOPT, MAPPED);
    expect([e.code, e.details['matches_resource']]).to.deep.equal(['RESOURCE_ALREADY_EXISTS', 'github']);
  });

  acceptance(SPEC, 'require keychain mapping for secret-like env values', async () => {
    const e = await b.fails('POST', ADOPT, {});
    expect([e.status, e.code, e.details['keys']]).to.deep.equal([422, 'ADOPT_SECRET_UNRESOLVED', ['GITHUB_TOKEN']]);
    expect(e.details['proposed']).to.deep.equal({ GITHUB_TOKEN: 'mcp/github/GITHUB_TOKEN' });
    expect(JSON.stringify(e)).not.to.contain(TOKEN);
    await b.ok('POST', '/credentials', { ref: 'mine/github', value: 'something else' });
    const other = await b.fails('POST', ADOPT, MAPPED);
    expect([other.code, other.details['keys']]).to.deep.equal(['ADOPT_SECRET_UNRESOLVED', ['GITHUB_TOKEN']]);
    expect((await b.ok('GET', '/credentials/mine%2Fgithub'))['value']).to.equal('something else');
    expect(b.read('.claude.json')).to.equal(CLAUDE_JSON);
  });

  acceptance(SPEC, 'adoption failure leaves agent config untouched', async () => {
    const clean = async (): Promise<void> => {
      expect((await b.ok('GET', '/resources?kind=mcp_server'))['resources']).to.deep.equal([]);
      expect((await b.ok('GET', '/credentials'))['credentials']).to.deep.equal([]);
      expect(vault()).not.to.contain(TOKEN);
    };
    chmodSync(b.at('.claude.json'), 0o444);
    expect((await b.fails('POST', ADOPT, MAPPED)).code).to.equal('FILE_READ_ONLY');
    expect(b.read('.claude.json')).to.equal(CLAUDE_JSON);
    await clean();
    chmodSync(b.at('.claude.json'), 0o644);
    // Its agent writes the file while the server is being registered.
    const theirs = CLAUDE_JSON.replace('42', '43');
    const meddler = definePlugin({
      name: 'meddler',
      apiVersion: 1,
      register: (k) => k.tap(k.hooks.resource.created.for('mcp_server'), () => b.write(theirs, '.claude.json')),
    });
    await b.stop();
    b = await bench([...ALL, meddler]);
    b.write(CLAUDE_JSON, '.claude.json');
    await b.ok('POST', '/agents', { type: 'claude_code' });
    expect((await b.fails('POST', ADOPT, MAPPED)).code).to.equal('FILE_CHANGED');
    expect(b.read('.claude.json')).to.equal(theirs);
    await clean();
  });
});
