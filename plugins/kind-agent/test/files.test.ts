import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, CLAUDE_SETTINGS, CODEX_TOML, type Bench } from './support.js';

const SPEC = '004-agents';

describe("an agent's own files", () => {
  let b: Bench;
  beforeEach(async () => {
    b = await bench();
    await b.ok('POST', '/agents', { type: 'claude_code' });
    await b.ok('POST', '/agents', { type: 'codex' });
  });
  afterEach(() => b.stop());
  const CLAUDE = '/agents/claude-code/config-files';
  const list = async (agent: string): Promise<Obj[]> =>
    (await b.ok('GET', `/agents/${agent}/config-files`))['items'] as Obj[];
  const child = (file: string): string => `${CLAUDE}/subagents/files/${encodeURIComponent(file)}`;

  acceptance(SPEC, "list an agent's config files", async () => {
    b.write(CODEX_TOML, '.codex', 'config.toml');
    b.write('{"tokens":"x"}', '.codex', 'auth.json');
    const [config, instructions, hooks] = await list('codex');
    expect(config).to.deep.include({
      key: 'config',
      path: b.at('.codex', 'config.toml'),
      folder_path: b.at('.codex'),
      format: 'toml',
      kind: 'file',
      exists: true,
      size: Buffer.byteLength(CODEX_TOML),
      files: [],
    });
    expect(Date.parse(String(config?.['modified_at']))).to.be.greaterThan(0);
    expect(instructions).to.deep.include({
      key: 'instructions',
      format: 'markdown',
      exists: false,
      size: 0,
      modified_at: null,
    });
    expect(hooks).to.deep.include({ key: 'hooks', path: b.at('.codex', 'hooks.json') });
    expect((await list('claude-code')).map((f) => [f['key'], f['path']])).to.deep.equal([
      ['settings', b.at('.claude', 'settings.json')],
      ['settings_local', b.at('.claude', 'settings.local.json')],
      ['global', b.at('.claude.json')],
      ['instructions', b.at('.claude', 'CLAUDE.md')],
      ['subagents', b.at('.claude', 'agents')],
    ]);
    await b.ok('POST', '/agents', { type: 'claude_code', name: 'work', config_dir: b.at('work') });
    expect((await list('work'))[2]?.['path']).to.equal(b.at('work', '.claude.json'));
  });

  acceptance(SPEC, 'read an existing config file', async () => {
    b.write('# 规则\n\nÄ ✓\n', '.claude', 'CLAUDE.md');
    const read = await b.ok('GET', `${CLAUDE}/instructions`);
    expect(read).to.deep.include({ content: '# 规则\n\nÄ ✓\n', exists: true });
    expect(read['fingerprint']).to.match(/^[0-9a-f]{64}$/);
  });

  acceptance(SPEC, 'read a not-yet-created config file', async () => {
    expect(await b.ok('GET', `${CLAUDE}/settings_local`)).to.deep.equal({
      content: '',
      exists: false,
      fingerprint: '',
    });
    expect(existsSync(b.at('.claude', 'settings.local.json'))).to.equal(false);
  });

  acceptance(SPEC, 'reject config-file key outside the allowlist', async () => {
    b.write('{"tokens":"x"}', '.codex', 'auth.json');
    const before = b.files();
    for (const key of ['auth', 'auth.json', '..%2Fconfig.toml', '%2Fetc%2Fpasswd', 'subagents'])
      for (const method of ['GET', 'PUT']) {
        const e = await b.fails(
          method,
          `/agents/codex/config-files/${key}`,
          method === 'PUT' ? { content: 'x' } : undefined,
        );
        expect([e.status, e.code], key).to.deep.equal([404, 'AGENT_FILE_NOT_FOUND']);
      }
    expect((await b.fails('GET', `${CLAUDE}/subagents`)).code).to.equal('AGENT_FILE_NOT_FOUND');
    expect(b.files()).to.deep.equal(before);
  });

  acceptance(SPEC, 'save a config file with valid content', async () => {
    b.write(CLAUDE_SETTINGS, '.claude', 'settings.json');
    const { fingerprint } = await b.ok('GET', `${CLAUDE}/settings`);
    const content = CLAUDE_SETTINGS.replace('opus', 'sonnet');
    const after = await b.ok('PUT', `${CLAUDE}/settings`, { content, fingerprint });
    expect(after['content']).to.equal(content);
    expect(after['fingerprint']).not.to.equal(fingerprint);
    expect(b.read('.claude', 'settings.json')).to.equal(content);
    expect(b.read('.claude', 'settings.json.bak')).to.equal(CLAUDE_SETTINGS);
    const [audited] = await b.audit('agent_config_file_written');
    expect(audited).to.deep.include({ resource_name: 'claude-code', details: { key: 'settings' } });
  });

  acceptance(SPEC, 'reject malformed config-file content', async () => {
    b.write(CLAUDE_SETTINGS, '.claude', 'settings.json');
    b.write(CODEX_TOML, '.codex', 'config.toml');
    const before = b.files();
    const json = await b.fails('PUT', `${CLAUDE}/settings`, { content: '{\n  "a": s3cret\n}' });
    expect([json.status, json.code]).to.deep.equal([422, 'AGENT_FILE_INVALID']);
    const toml = await b.fails('PUT', '/agents/codex/config-files/config', { content: 'a = 1\nb == s3cret\n' });
    expect([toml.status, toml.code, toml.details['line']]).to.deep.equal([422, 'AGENT_FILE_INVALID', 2]);
    expect(JSON.stringify([json, toml])).not.to.contain('s3cret');
    expect(b.files()).to.deep.equal(before);
    await b.ok('PUT', `${CLAUDE}/instructions`, { content: '{ any text is Markdown' });
  });

  acceptance(SPEC, 'reject stale config-file writes', async () => {
    b.write(CLAUDE_SETTINGS, '.claude', 'settings.json');
    const { fingerprint } = await b.ok('GET', `${CLAUDE}/settings`);
    b.write('{"theirs":true}', '.claude', 'settings.json');
    const e = await b.fails('PUT', `${CLAUDE}/settings`, { content: '{}', fingerprint });
    expect([e.status, e.code]).to.deep.equal([409, 'FILE_CHANGED']);
    expect(b.read('.claude', 'settings.json')).to.equal('{"theirs":true}');
    expect((await b.fails('PUT', `${CLAUDE}/settings`, { content: '{}', fingerprint: '' })).code).to.equal(
      'FILE_CHANGED',
    );
  });

  acceptance(SPEC, "list a directory config entry's files", async () => {
    for (const file of ['b.md', 'a/c.md', 'note.txt']) b.write('x', '.claude', 'agents', ...file.split('/'));
    symlinkSync('/etc', b.at('.claude', 'agents', 'link'));
    symlinkSync('/etc/passwd', b.at('.claude', 'agents', 'passwd.md'));
    expect((await list('claude-code'))[4]).to.deep.include({
      kind: 'directory',
      exists: true,
      files: ['a/c.md', 'b.md'],
    });
  });

  acceptance(SPEC, 'create a file inside a directory entry', async () => {
    const made = await b.ok('PUT', child('team/reviewer.md'), { content: '# Reviewer\n', fingerprint: '' });
    expect(made).to.include({ content: '# Reviewer\n', exists: true });
    expect(b.read('.claude', 'agents', 'team', 'reviewer.md')).to.equal('# Reviewer\n');
    expect((await b.audit('agent_config_file_written'))[0]?.['details']).to.deep.equal({
      key: 'subagents',
      child: 'team/reviewer.md',
    });
  });

  acceptance(SPEC, 'delete a file inside a directory entry', async () => {
    b.write('old', '.claude', 'agents', 'a.md');
    await b.ok('DELETE', child('a.md'));
    expect(existsSync(b.at('.claude', 'agents', 'a.md'))).to.equal(false);
    expect(b.read('.claude', 'agents', 'a.md.bak')).to.equal('old');
    expect((await b.fails('DELETE', child('a.md'))).code).to.equal('AGENT_FILE_NOT_FOUND');
    expect((await b.audit('agent_config_file_deleted'))[0]?.['details']).to.deep.equal({
      key: 'subagents',
      child: 'a.md',
    });
  });

  acceptance(SPEC, 'reject directory file paths outside the entry', async () => {
    b.write('mine', 'outside', 'x.md');
    mkdirSync(b.at('.claude', 'agents'));
    symlinkSync(b.at('outside'), b.at('.claude', 'agents', 'out'));
    symlinkSync(b.at('outside', 'x.md'), b.at('.claude', 'agents', 'x.md'));
    const before = b.files();
    for (const file of [
      '../CLAUDE.md',
      'a/../../b.md',
      '/etc/x.md',
      'out/x.md',
      'out/new.md',
      'x.md',
      './a.md',
      'a//b.md',
      'a\\..\\b.md',
    ])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const e = await b.fails(method, child(file), method === 'PUT' ? { content: 'x' } : undefined);
        expect([e.status, e.code], `${method} ${file}`).to.deep.equal([404, 'AGENT_FILE_NOT_FOUND']);
      }
    expect((await b.fails('PUT', child('a.sh'), { content: 'x' })).status).to.equal(422);
    expect(b.files()).to.deep.equal(before);
  });
});
