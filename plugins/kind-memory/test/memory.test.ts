import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { projectOf } from '../src/project.js';
import { openMemory, repository, type MemoryBench } from './support.js';

describe('memory', () => {
  let m: MemoryBench;
  let here: { root: string; remove(): void };
  let store: string;
  let folder: string;
  beforeEach(async () => {
    m = await openMemory();
    here = repository({ origin: 'git@example.com:team/app.git' });
    store = projectOf(here.root)?.store ?? '';
    folder = path.join(m.k.home, 'memory', 'projects', store.slice('project-'.length));
  });
  afterEach(async () => {
    await m.k.stop();
    here.remove();
  });
  const rest = (method: string, at: string, body?: object): ReturnType<MemoryBench['k']['rest']> =>
    m.k.rest(method, `/memory_stores${at}`, body);

  it('is empty before anything was remembered, and says so without an error', async () => {
    expect(await m.tool('recall', { query: 'anything' }, here.root)).to.deep.equal({ hits: [] });
    expect(await m.tool('list_memory', {}, here.root)).to.deep.equal({ scope: 'project', total: 0, facts: [] });
    expect(await m.tool('resume', {}, here.root)).to.deep.equal({ found: false });
    expect((await rest('GET', '')).body).to.deep.equal({ stores: [] });
    expect(existsSync(folder)).to.equal(false);
  });

  it('of one agent is found by another in any checkout of the project', async () => {
    const made = await m.tool(
      'remember',
      { text: 'Integration tests expect Redis on port 6390.', name: 'Tests need Redis' },
      here.root,
      'claude_code',
    );
    expect(made).to.deep.equal({
      id: 'project:tests-need-redis',
      name: 'Tests need Redis',
      scope: 'project',
      status: 'created',
    });
    const other = repository({ origin: 'https://example.com/team/app', branch: 'x' });
    const { hits } = await m.tool('recall', { query: 'redis port' }, other.root, 'codex');
    other.remove();
    expect(hits).to.have.length(1);
    expect(hits[0]).to.include({
      id: 'project:tests-need-redis',
      source: 'project:tests-need-redis.md',
      path: path.join(folder, 'tests-need-redis.md'),
      text: 'Integration tests expect Redis on port 6390.',
    });
    expect(readFileSync(hits[0].path, 'utf8')).to.contain('agent: claude_code');
    expect((await m.tool('list_memory', {}, here.root)).facts[0]).to.include({ actor: 'claude_code' });
    expect((await m.tool('recall', { query: 'redis' }, '/')).hits).to.deep.equal([]);
  });

  it('shows a hand edit, a new file and a removed one on the next recall', async () => {
    await m.tool('remember', { text: 'Use pnpm.', name: 'package manager' }, here.root);
    writeFileSync(path.join(folder, 'package-manager.md'), 'Use npm, with workspaces.\n');
    expect((await m.tool('recall', { query: 'workspaces' }, here.root)).hits[0].id).to.equal('project:package-manager');
    mkdirSync(path.join(folder, 'notes'));
    writeFileSync(
      path.join(folder, 'notes', 'ports.md'),
      '# Ports\n\nThe API listens on 8080. See POL-358. 端口已占用。\n',
    );
    for (const query of ['8080', 'POL-358', '端口', '占用'])
      expect((await m.tool('recall', { query }, here.root)).hits[0]?.id, query).to.equal('project:notes/ports');
    rmSync(path.join(folder, 'package-manager.md'));
    expect((await m.tool('recall', { query: 'workspaces' }, here.root)).hits).to.deep.equal([]);
    expect((await m.tool('list_memory', {}, here.root)).total).to.equal(1);
  });

  it('spans project and global, or one of them', async () => {
    await m.tool('remember', { text: 'The deploy needs a tag.' }, here.root);
    await m.tool('remember', { text: 'The owner likes a short deploy note.', scope: 'global' }, here.root);
    const scopes = async (args: object): Promise<string[]> =>
      (await m.tool('recall', { query: 'deploy', ...args }, here.root)).hits
        .map((h: { id: string }) => h.id.split(':')[0])
        .sort();
    expect(await scopes({})).to.deep.equal(['global', 'project']);
    expect(await scopes({ scope: 'global' })).to.deep.equal(['global']);
    expect(await scopes({ scope: 'project' })).to.deep.equal(['project']);
    expect((await m.tool('recall', { query: 'deploy' })).hits).to.have.length(1);
  });

  it('refuses what has no project, is empty, too long or unknown, and writes nothing', async () => {
    expect((await m.tool('remember', { text: 'x' })).error).to.match(/^SCOPE_UNRESOLVED: /);
    expect((await m.tool('remember', { text: 'x' }, '/')).error).to.match(/^SCOPE_UNRESOLVED: /);
    expect((await m.tool('remember', { text: 'x', scope: 'everywhere' }, here.root)).error).to.match(/^BAD_REQUEST: /);
    expect((await m.tool('remember', { text: ' \n' }, here.root)).error).to.match(/^MEMORY_REJECTED: /);
    expect((await m.tool('remember', { text: 'x'.repeat(8193) }, here.root)).error).to.match(/^MEMORY_REJECTED: /);
    for (const id of [
      'tests',
      'project:nothing',
      'project:../../global/x',
      'global:/etc/passwd',
      'project:rules',
      'project:handoff/main',
      'project:.x',
      'project:\0',
    ])
      expect((await m.tool('update_memory', { id, text: 'x' }, here.root)).error, id).to.match(/^FACT_NOT_FOUND: /);
    expect(existsSync(folder) ? readdirSync(folder) : []).to.deep.equal([]);
    expect((await rest('GET', '/other/facts')).body.error.code).to.equal('MEMORY_STORE_NOT_FOUND');
    expect((await rest('GET', '/project-..%2F..%2Fx/facts')).body.error.code).to.equal('MEMORY_STORE_NOT_FOUND');
  });

  it('is updated and forgotten by id, and each write is audited without its content', async () => {
    const { id } = await m.tool('remember', { text: 'Secret sauce alpha', name: 'dressing' }, here.root);
    expect(await m.tool('update_memory', { id, text: 'Plain sauce beta' }, here.root)).to.deep.equal({
      id,
      status: 'updated',
    });
    expect((await m.tool('recall', { query: 'alpha' }, here.root)).hits).to.deep.equal([]);
    expect(await m.tool('forget', { id }, here.root)).to.deep.equal({ id, status: 'forgotten' });
    expect((await m.tool('forget', { id }, here.root)).error).to.match(/^FACT_NOT_FOUND: /);
    const { body } = await m.k.rest('GET', '/audit?limit=50');
    const events = body.entries.map((e: { event_type: string }) => e.event_type);
    expect(events).to.include.members(['memory_added', 'memory_updated', 'memory_deleted']);
    expect(JSON.stringify(body)).to.not.contain('sauce');
    expect(body.entries[0]).to.include({ actor: 'agent' });
    const rows = (await m.k.rest('GET', '/invocations')).body;
    expect(JSON.stringify(rows)).to.not.contain('sauce');
  });

  it('loses nothing when many write at once, under names of their own', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => m.tool('remember', { text: `fact number ${i}`, name: 'same' }, here.root)),
    );
    expect(new Set(all.map((a) => a.id)).size).to.equal(20);
    expect((await m.tool('list_memory', {}, here.root)).total).to.equal(20);
  });

  it('hands over from one session to the next, by branch', async () => {
    expect(await m.tool('set_handoff', { body: 'Half done; next: tests.' }, here.root)).to.deep.equal({
      status: 'saved',
      branch: 'main',
      scope: 'project',
    });
    const resumed = await m.tool('resume', {}, here.root, 'codex');
    expect(resumed).to.include({ found: true, branch: 'main', body: 'Half done; next: tests.' });
    expect(resumed.note).to.contain('just now');
    writeFileSync(path.join(here.root, '.git', 'HEAD'), 'ref: refs/heads/feature/../x\n');
    expect(await m.tool('resume', {}, here.root)).to.deep.equal({ found: false });
    await m.tool('set_handoff', { body: 'other' }, here.root);
    expect(readdirSync(path.join(folder, 'handoff')).sort()).to.deep.equal(['feature%2F%2E%2E%2Fx.md', 'main.md']);
    expect((await m.tool('set_handoff', { body: 'x' }, '/')).error).to.match(/^SCOPE_UNRESOLVED: /);
    expect((await m.tool('set_handoff', { body: ' ' }, here.root)).error).to.match(/^MEMORY_REJECTED: /);
    expect((await m.tool('recall', { query: 'tests' }, here.root)).hits).to.deep.equal([]);
  });

  it('starts a session with rules and where its branch was left, and nothing else', async () => {
    const context = async (cwd = here.root): Promise<string> =>
      (await m.k.rest('GET', `/memory/context?cwd=${encodeURIComponent(cwd)}`)).body.text;
    expect(await context()).to.equal('');
    await m.tool('set_handoff', { body: 'Next: the index.' }, here.root);
    await rest('PUT', '/global/rules', { text: 'Be brief.' });
    await rest('PUT', `/${store}/rules`, { text: 'Run the linter.' });
    const text = await context();
    expect(text).to.match(
      /Rules of this project \(app\)\n\nRun the linter\.\n\n## Rules everywhere\n\nBe brief\.\n\n## Where main was left\n\nNext: the index\./,
    );
    expect(await context('/')).to.equal('## Rules everywhere\n\nBe brief.');
    await rest('PUT', '/global/rules', { text: 'x'.repeat(30_000) });
    expect((await context()).length).to.be.below(10_300);
    expect((await m.k.rest('GET', '/memory/context?cwd=relative')).status).to.equal(400);
    const { body } = await m.k.rest('GET', '/audit?limit=50');
    expect(body.entries.filter((e: { event_type: string }) => e.event_type === 'memory_context_told')).to.have.length(
      4,
    );
  });

  it('is kept by people over REST: add, correct with a check, move, search, clear', async () => {
    const { body: made, status } = await rest('POST', '/global/facts', { text: 'Alpha fact' });
    expect(status).to.equal(201);
    const at = `/global/facts/${made.id}`;
    expect((await rest('PATCH', at, { text: 'Beta fact', version: 'old' })).body.error.code).to.equal('RESOURCE_STALE');
    const { body: changed } = await rest('PATCH', at, { text: 'Beta fact', version: made.version });
    expect(changed).to.include({ text: 'Beta fact', actor: 'api' });
    const moved = await rest('POST', `${at}/move`, { to: store });
    expect(moved.body.path).to.equal(path.join(folder, `${made.id}.md`));
    expect((await rest('GET', at)).body.error.code).to.equal('FACT_NOT_FOUND');
    expect((await rest('POST', `/${store}/recall`, { query: 'beta' })).body.hits[0]).to.include({
      id: `${store}:${made.id}`,
    });
    const { body: list } = await rest('GET', '');
    expect(list.stores.map((s: { name: string; fact_count: number }) => [s.name, s.fact_count])).to.deep.equal([
      ['global', 0],
      [store, 1],
    ]);
    expect((await rest('DELETE', `/${store}/facts`)).body).to.deep.equal({ cleared: 1 });
    expect((await rest('GET', `/${store}/facts`)).body).to.deep.equal({ facts: [], total: 0 });
  });

  it('is a resource that goes with its folder', async () => {
    await m.tool('remember', { text: 'x' }, here.root);
    const { body } = await m.k.rest('GET', `/resources/memory/${store}`);
    expect(body).to.deep.include({ ref: `memory:${store}`, scope: null });
    expect(body.config).to.include({ identity: 'example.com/team/app', label: 'app' });
    expect(
      (await m.k.rest('POST', '/resources', { kind: 'memory', name: 'mine', config: {} })).body.error.code,
    ).to.equal('GENERIC_CREATE_NOT_ALLOWED');
    expect((await m.k.rest('DELETE', `/resources/memory/${store}`)).status).to.equal(204);
    expect(existsSync(folder)).to.equal(false);
    expect((await m.tool('recall', { query: 'x' }, here.root)).hits).to.deep.equal([]);
  });

  it('comes back from its files alone', async () => {
    await m.tool('remember', { text: 'Kept in files.' }, here.root);
    const before = await m.tool('recall', { query: 'kept' }, here.root);
    const { home } = m.k;
    await m.k.stop({ keep: true });
    for (const f of readdirSync(home)) if (f.startsWith('coffer.db')) rmSync(path.join(home, f));
    m = await openMemory(home);
    expect(await m.tool('recall', { query: 'kept' }, here.root)).to.deep.equal(before);
    expect((await rest('GET', '')).body.stores.map((s: { name: string }) => s.name)).to.deep.equal([store]);
    rmSync(home, { recursive: true, force: true });
  });
});
