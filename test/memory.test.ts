import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { startDaemon, type RealDaemon } from '@coffer/testing';

describe('memory between two agents', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  let repo: string;
  before(async () => {
    d = await startDaemon();
    repo = mkdtempSync(path.join(os.tmpdir(), 'coffer-repo-'));
    const git = (...args: string[]): void => void execFileSync('git', ['-C', repo, ...args], { stdio: 'ignore' });
    git('init', '--initial-branch', 'feature/one');
    git('remote', 'add', 'origin', 'git@example.com:team/app.git');
    mkdirSync(path.join(repo, 'src'));
  });
  after(async () => {
    rmSync(repo, { recursive: true, force: true });
    await d.stop();
  });

  it('what one remembers the other recalls, hand edits included; where one stopped the other goes on', async () => {
    const one = await d.shim({ args: ['--agent', 'claude_code'], cwd: repo });
    const other = await d.shim({ args: ['--agent', 'codex'], cwd: path.join(repo, 'src') });
    const names = (await one.listTools()).tools.map((t) => t.name);
    expect(names).to.include.members(
      'recall remember list_memory update_memory forget set_handoff resume'.split(' ').map((n) => `coffer__${n}`),
    );
    type Hits = { hits: { id: string; path: string; text: string }[] };
    const recall = async (client: typeof one, query: string): Promise<Hits['hits']> =>
      ((await client.callTool({ name: 'coffer__recall', arguments: { query } })).structuredContent as Hits).hits;
    await one.callTool({
      name: 'coffer__remember',
      arguments: { text: 'Ticket POL-358: 集成测试 need Redis on 6390.', name: 'redis' },
    });
    for (const query of ['redis', 'POL-358', '测试', '6390'])
      expect(await recall(other, query), query).to.have.length(1);
    const [hit] = await recall(other, 'redis');
    expect(hit?.id).to.equal('project:redis');
    writeFileSync(hit?.path ?? '', 'Valkey replaced it, on 6391.\n');
    for (const client of [one, other])
      expect((await recall(client, 'valkey'))[0]?.text).to.equal('Valkey replaced it, on 6391.');
    await one.callTool({ name: 'coffer__set_handoff', arguments: { body: 'Next: the migration.' } });
    expect((await other.callTool({ name: 'coffer__resume', arguments: {} })).structuredContent).to.include({
      found: true,
      branch: 'feature/one',
      body: 'Next: the migration.',
    });
  });

  it('a person does the same from the command line', async () => {
    const cli = (...args: string[]): ReturnType<RealDaemon['cli']> => d.cli(['memory', ...args]);
    const made = await cli('add', 'The owner prefers tabs.', '--store', 'global', '--name', 'tabs', '--json');
    expect(made.code, made.stderr).to.equal(0);
    const file = JSON.parse(made.stdout).path as string;
    expect(readFileSync(file, 'utf8')).to.contain('The owner prefers tabs.');
    expect((await cli('recall', 'tabs', '--store', 'global')).stdout)
      .to.contain(file)
      .and.contain('prefers tabs');
    expect((await cli('get', 'tabs', '--store', 'global')).stdout).to.contain('prefers tabs');
    expect((await cli('edit', 'tabs', 'Spaces now.', '--store', 'global')).code).to.equal(0);
    expect((await cli('facts', '--store', 'global')).stdout).to.contain('tabs');
    expect((await cli('rules', '--store', 'global', '--set', 'Be brief.')).code).to.equal(0);
    expect((await cli('context')).stdout).to.contain('Be brief.');
    const list = JSON.parse((await cli('list', '--json')).stdout) as { stores: { name: string }[] };
    expect(list.stores[0]?.name).to.equal('global');
    expect((await cli('get', 'nothing', '--store', 'global')).code).to.equal(4);
    expect((await cli('delete', 'tabs', '--store', 'global')).code).to.equal(1);
    expect((await cli('delete', 'tabs', '--store', 'global', '--force')).code).to.equal(0);
    expect((await cli('clear', '--store', 'global', '--force')).stdout).to.contain('0 facts');
  });

  it('a session’s start is never held up: without a daemon the context is empty', async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'coffer-none-'));
    try {
      const { code, stdout, stderr } = await d.cli(['memory', 'context'], { env: { COFFER_HOME: home } });
      expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('a backup brings the files along, byte for byte', async () => {
    const before = (await d.rest('GET', '/memory_stores')).body.stores as { folder_path: string; fact_count: number }[];
    const to = path.join(os.tmpdir(), `coffer-backup-${process.pid}`);
    const made = await d.cli(['backup', to]);
    expect(made.code, made.stderr).to.equal(0);
    const home = mkdtempSync(path.join(os.tmpdir(), 'coffer-restored-'));
    try {
      const restored = await d.cli(['restore', to, '--force'], { env: { COFFER_HOME: home } });
      expect(restored.code, restored.stderr).to.equal(0);
      for (const { folder_path: folder } of before) {
        const copy = folder.replace(d.home, home);
        execFileSync('diff', ['-r', folder, copy]);
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
      rmSync(to, { recursive: true, force: true });
    }
  });
});
