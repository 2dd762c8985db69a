import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, type Bench } from './support.js';

const SPEC = '004-agents';

describe('agents of a machine', () => {
  let b: Bench;
  beforeEach(async () => void (b = await bench()));
  afterEach(() => b.stop());
  const candidates = async (): Promise<string[]> =>
    ((await b.ok('GET', '/agents/candidates'))['candidates'] as Obj[]).map((c) => c['type'] as string);
  const add = (body: Obj): Promise<Obj> => b.ok('POST', '/agents', body);

  acceptance(SPEC, 'discover installed agents as candidates', async () => {
    expect(await candidates()).to.deep.equal([]);
    mkdirSync(b.at('.claude'));
    mkdirSync(b.at('.codex'));
    const before = b.files();
    const { candidates: found } = await b.ok('GET', '/agents/candidates');
    expect(found).to.deep.equal([
      {
        type: 'claude_code',
        display_name: 'Claude Code',
        config_dir: b.at('.claude'),
        default_skill_dir: b.at('.claude', 'skills'),
        suggested_name: 'claude-code',
      },
      {
        type: 'codex',
        display_name: 'OpenAI Codex',
        config_dir: b.at('.codex'),
        default_skill_dir: b.at('.codex', 'skills'),
        suggested_name: 'codex',
      },
    ]);
    expect(b.files()).to.deep.equal(before);
    expect((await b.ok('GET', '/agents'))['items']).to.deep.equal([]);
  });

  acceptance(SPEC, 'skip already-registered types on subsequent scan', async () => {
    mkdirSync(b.at('.claude'));
    mkdirSync(b.at('.codex'));
    await add({ type: 'codex' });
    expect(await candidates()).to.deep.equal(['claude_code']);
  });

  acceptance(SPEC, 're-surface removed agents on subsequent scan', async () => {
    mkdirSync(b.at('.codex'));
    await add({ type: 'codex' });
    await b.ok('DELETE', '/agents/codex');
    expect(await candidates()).to.deep.equal(['codex']);
  });

  acceptance(SPEC, 'register an agent with a custom config dir', async () => {
    const made = await add({ type: 'codex', name: 'codex-work', config_dir: '~/work/.codex', description: 'At work' });
    expect(made).to.include({
      name: 'codex-work',
      config_dir: b.at('work', '.codex'),
      usual_dir: false,
      description: 'At work',
    });
    expect(existsSync(b.at('work', '.codex', 'skills'))).to.equal(true);
    expect(await b.ok('GET', '/agents/codex-work')).to.deep.include({
      skill_dir: b.at('work', '.codex', 'skills'),
      facets: ['mcpConfig', 'configFiles', 'sessionContext', 'modelConnection', 'plugins', 'skills', 'nativeMemory'],
    });
  });

  acceptance(SPEC, 'reject registration with an invalid config dir', async () => {
    b.write('x', 'file');
    for (const config_dir of [b.at('file'), b.at('file', 'below'), 'relative/dir']) {
      const e = await b.fails('POST', '/agents', { type: 'codex', config_dir });
      expect([e.status, e.code], config_dir).to.deep.equal([422, 'AGENT_INVALID']);
    }
    expect((await b.ok('GET', '/agents'))['items']).to.deep.equal([]);
    expect(b.files()).to.deep.equal({ file: 'x' });
  });

  acceptance(SPEC, 'reject registration into privileged system path', async () => {
    symlinkSync('/etc', b.at('looks-harmless'));
    for (const config_dir of [
      '/etc/codex',
      '/usr/local/codex',
      '/bin',
      '/sbin/x',
      '/System/x',
      '/',
      '/tmp/../etc/codex',
      b.at('looks-harmless', 'codex'),
    ]) {
      const e = await b.fails('POST', '/agents', { type: 'codex', config_dir });
      expect([e.status, e.code], config_dir).to.deep.equal([422, 'AGENT_INVALID']);
    }
    expect(existsSync('/etc/codex')).to.equal(false);
  });

  acceptance(SPEC, 'reject duplicate agent name', async () => {
    await add({ type: 'codex' });
    const e = await b.fails('POST', '/agents', { type: 'codex', name: 'codex', config_dir: b.at('other') });
    expect([e.status, e.code]).to.deep.equal([409, 'RESOURCE_ALREADY_EXISTS']);
  });

  acceptance(SPEC, 'reject a second agent for an already-registered config dir', async () => {
    await add({ type: 'codex' });
    symlinkSync(b.at('.codex'), b.at('the-same'));
    for (const config_dir of [b.at('.codex'), b.at('the-same'), `${b.at('.codex')}/../.codex/`]) {
      const e = await b.fails('POST', '/agents', { type: 'codex', name: 'again', config_dir });
      expect([e.status, e.code, e.details['agent']], config_dir).to.deep.equal([409, 'AGENT_DIR_TAKEN', 'codex']);
    }
  });

  acceptance(SPEC, 'register an agent without an explicit name', async () => {
    expect((await add({ type: 'claude_code' }))['name']).to.equal('claude-code');
  });

  acceptance(SPEC, 'reject unsupported agent type', async () => {
    const e = await b.fails('POST', '/agents', { type: 'winamp' });
    expect([e.status, e.code]).to.deep.equal([422, 'AGENT_INVALID']);
    expect(e.message).to.contain('claude_code, codex');
    expect(e.message).not.to.contain('winamp');
  });

  acceptance(SPEC, 'browse local folders to choose a config dir', async () => {
    for (const dir of ['a', 'b']) mkdirSync(b.at('work', dir), { recursive: true });
    symlinkSync(b.at('work', 'a'), b.at('work', 'c'));
    b.write('x', 'work', 'file');
    const seen = await b.ok('GET', `/fs/browse?path=${encodeURIComponent('~/work')}`);
    expect(seen['path']).to.equal(b.at('work'));
    expect(seen['parent']).to.equal(b.home);
    expect((seen['folders'] as Obj[]).map((f) => f['name'])).to.deep.equal(['a', 'b', 'c']);
    expect((await b.ok('GET', '/fs/browse'))['path']).to.equal(b.home);
    expect((await b.fails('GET', `/fs/browse?path=${encodeURIComponent(b.at('none'))}`)).status).to.equal(404);
  });

  acceptance(SPEC, 'update an existing agent', async () => {
    await add({ type: 'codex' });
    const e = await b.fails('PATCH', '/agents/codex', { config_dir: '/etc/codex' });
    expect(e.code).to.equal('AGENT_INVALID');
    const changed = await b.ok('PATCH', '/agents/codex', { config_dir: b.at('moved'), description: 'Moved' });
    expect(changed).to.include({ config_dir: b.at('moved'), description: 'Moved' });
    expect((await b.fails('PATCH', '/agents/none', {})).status).to.equal(404);
    expect((await b.fails('PATCH', '/agents/codex', { typ: 'x' })).code).to.equal('CONFIG_INVALID');
  });

  acceptance(SPEC, 'remove an agent', async () => {
    await add({ type: 'codex' });
    await b.ok('POST', '/agents/codex/mcp-install');
    b.write('keep', '.codex', 'AGENTS.md');
    await b.ok('DELETE', '/agents/codex');
    expect((await b.fails('GET', '/agents/codex')).status).to.equal(404);
    expect(b.files()).to.deep.equal({
      '.codex/AGENTS.md': 'keep',
      '.codex/config.toml.bak': b.files()['.codex/config.toml.bak'],
    });
  });

  acceptance(SPEC, 'audit lifecycle events', async () => {
    await add({ type: 'codex' });
    await b.ok('PATCH', '/agents/codex', { description: 'x' });
    await b.ok('POST', '/agents/codex/mcp-install');
    await b.ok('DELETE', '/agents/codex/mcp-install');
    await b.ok('DELETE', '/agents/codex');
    for (const event of [
      'resource_created',
      'resource_updated',
      'agent_mcp_installed',
      'agent_mcp_uninstalled',
      'resource_deleted',
    ])
      expect(
        (await b.audit(event)).map((e) => e['resource_name']),
        event,
      ).to.deep.equal(['codex']);
  });

  it('cannot be switched off, nor be scoped to agents', async () => {
    await add({ type: 'codex' });
    expect((await b.fails('POST', '/resources/agent/codex/disable')).code).to.equal('AGENT_UNSUPPORTED');
    const e = await b.fails('PUT', '/resources/agent/codex/scope', { scope: { '*': ['codex'] } });
    expect([e.status, e.code]).to.deep.equal([422, 'SCOPE_INVALID']);
  });

  it('of another machine is shown and left alone', async () => {
    await add({ type: 'codex' });
    await b.ok('PUT', '/resources/agent/codex/scope', { scope: { 'another-machine': '*' } });
    expect(await b.ok('GET', '/agents/codex')).to.include({ here: false });
    expect((await b.fails('POST', '/agents/codex/mcp-install')).code).to.equal('AGENT_UNSUPPORTED');
    expect((await b.fails('POST', '/agents/codex/hook-install')).code).to.equal('AGENT_UNSUPPORTED');
    expect((await b.ok('GET', '/skill-targets'))['targets']).to.deep.equal([]);
  });

  it('whose folder vanished, or whose plugin is off, says so and comes back', async () => {
    await add({ type: 'codex' });
    rmSync(b.at('.codex'), { recursive: true });
    expect(await b.ok('GET', '/resources/agent/codex/status')).to.deep.include({
      status: 'failing',
      reason: 'Its settings folder has vanished.',
    });
    expect(await b.ok('GET', '/agents/codex')).to.include({ dir_exists: false });
    await b.ok('POST', '/plugins/agent-codex/disable');
    expect(await b.ok('GET', '/agents/codex')).to.deep.include({ label: 'codex', facets: [] });
    expect((await b.fails('GET', '/agents/codex/mcp-install')).code).to.equal('AGENT_UNSUPPORTED');
    await b.ok('POST', '/plugins/agent-codex/enable');
    expect(await b.ok('GET', '/agents/codex')).to.include({ label: 'OpenAI Codex' });
  });
});
