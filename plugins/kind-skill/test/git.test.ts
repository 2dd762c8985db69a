import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { fromGit } from '../src/import/git.js';
import { bench, git, linkOf, type Bench } from './support.js';

describe('importing from a git repository', function () {
  this.timeout(60_000);
  let b: Bench;
  let repo: string;
  beforeEach(async () => {
    b = await bench({ env: { COFFER_SKILLS_LOCAL_GIT: '1' } });
    repo = path.join(b.dir, 'repo');
    mkdirSync(repo);
    git(repo, 'init', '--quiet', '--initial-branch=main');
  });
  afterEach(() => b.stop());
  const commit = (message: string): string => {
    git(repo, 'add', '-A');
    git(repo, 'commit', '--quiet', '-m', message);
    return git(repo, 'rev-parse', 'HEAD');
  };
  const url = (): string => pathToFileURL(repo).href;
  const stage = (more: Obj = {}): Promise<{ status: number; body: Obj }> =>
    b.k.rest('POST', '/skill-imports', { type: 'git', url: url(), ...more });
  const left = (): string[] => {
    const folder = path.join(b.k.home, 'workspace', 'skills', 'imports');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  acceptance('006-skills', 'import from a git repository', async () => {
    b.skill(path.join(repo, 'skills', 'one'), {
      files: { 'bin/run.sh': 'v1', 'data.bin': Buffer.from([0, 10, 255, 10]) },
    });
    chmodSync(path.join(repo, 'skills/one/bin/run.sh'), 0o755);
    symlinkSync('bin/run.sh', path.join(repo, 'skills/one/latest'));
    b.skill(path.join(repo, 'skills', 'two words'), { name: 'two' });
    writeFileSync(path.join(repo, '.gitattributes'), '* filter=evil text eol=crlf\n');
    const first = commit('first');
    git(repo, 'tag', '-a', 'v1', '-m', 'one');
    git(repo, 'checkout', '--quiet', '-b', 'feature/x');
    writeFileSync(path.join(repo, 'skills/one/bin/run.sh'), 'v2');
    const second = commit('second');
    git(repo, 'checkout', '--quiet', 'main');
    // What a hook or a filter of the repository would leave behind.
    const trace = path.join(b.dir, 'ran');
    for (const hook of ['post-checkout', 'post-merge', 'reference-transaction', 'pre-auto-gc'])
      writeFileSync(path.join(repo, '.git/hooks', hook), `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });

    const { status, body } = await stage();
    expect(status, JSON.stringify(body)).to.equal(201);
    expect((body['skills'] as Obj[]).map((s) => [s['name'], s['folder'], s['valid']])).to.deep.equal([
      ['one', 'skills/one', true],
      ['two', 'skills/two words', true],
    ]);
    const done = await b.k.rest('POST', `/skill-imports/${body['id']}/confirm`, { names: ['one', 'two'] });
    expect(done.body.skills[0].source).to.deep.equal({
      type: 'git',
      url: url(),
      ref: null,
      subpath: 'skills/one',
      commit: first,
    });
    expect(readFileSync(b.master('one', 'bin', 'run.sh'), 'utf8')).to.equal('v1');
    expect(readFileSync(b.master('one', 'data.bin'))).to.deep.equal(Buffer.from([0, 10, 255, 10]));
    expect(linkOf(b.master('one', 'latest'))).to.equal('bin/run.sh');
    expect(existsSync(b.master('one', '.git'))).to.equal(false);
    expect(left()).to.deep.equal([]);

    for (const [ref, sha] of [
      ['feature/x', second],
      ['v1', first],
      [second, second],
    ] as const) {
      const s = (await stage({ ref, subpath: '/skills/one/' })).body;
      expect((s['skills'] as Obj[])[0]?.['source'], ref).to.deep.include({ ref, subpath: 'skills/one', commit: sha });
      expect((s['skills'] as Obj[])[0], ref).to.deep.include({ folder: '', valid: true, taken: true });
    }
    expect(existsSync(trace)).to.equal(false);
  });

  it('says what there is not', async () => {
    b.skill(path.join(repo, 'one'));
    commit('x');
    expect((await stage({ ref: 'nope' })).body['error'].code).to.equal('SKILL_SOURCE_FAILED');
    expect((await stage({ ref: '--upload-pack=touch /tmp/x' })).body['error'].code).to.equal('BAD_REQUEST');
    expect((await stage({ ref: 'f'.repeat(40) })).body['error'].code).to.equal('SKILL_SOURCE_FAILED');
    expect((await stage({ subpath: '../x' })).body['error'].code).to.equal('BAD_REQUEST');
    expect((await stage({ subpath: 'nowhere' })).body['error'].code).to.equal('SKILL_INVALID');
    const gone = await stage({ url: pathToFileURL(path.join(b.dir, 'no')).href });
    expect(gone.body['error'].message).to.match(/git says: fatal/);
    expect(left()).to.deep.equal([]);
  });

  it('leaves submodules out and refuses links and paths that lead out', async () => {
    b.skill(path.join(repo, 'one'));
    commit('one');
    git(repo, 'update-index', '--add', '--cacheinfo', `160000,${git(repo, 'rev-parse', 'HEAD')},one/sub`);
    writeFileSync(
      path.join(repo, '.gitmodules'),
      '[submodule "one/sub"]\n\tpath = one/sub\n\turl = ext::sh -c touch%20/tmp/x\n',
    );
    git(repo, 'add', '.gitmodules');
    git(repo, 'commit', '--quiet', '-m', 'sub');
    const { body } = await stage();
    expect((body['skills'] as Obj[]).map((s) => [s['name'], s['file_count']])).to.deep.equal([['one', 1]]);
    await b.k.rest('DELETE', `/skill-imports/${body['id']}`);

    symlinkSync('/etc/hostname', path.join(repo, 'one', 'out'));
    git(repo, 'add', 'one/out');
    git(repo, 'commit', '--quiet', '-m', 'link');
    expect((await stage()).body['error'].code).to.equal('SKILL_SOURCE_REFUSED');

    // A tree that git itself would not write.
    const blob = git(repo, 'hash-object', '-w', 'one/SKILL.md');
    const tree = execFileSync('git', ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], {
      cwd: repo,
      input: Buffer.concat([
        Buffer.from('100644 ../evil\0'),
        Buffer.from(blob, 'hex'),
        Buffer.from('100644 SKILL.md\0'),
        Buffer.from(blob, 'hex'),
      ]),
      encoding: 'utf8',
    }).trim();
    git(repo, 'update-ref', 'refs/heads/evil', git(repo, 'commit-tree', tree, '-m', 'evil'));
    expect((await stage({ ref: 'evil' })).body['error'].code).to.be.oneOf([
      'SKILL_SOURCE_REFUSED',
      'SKILL_SOURCE_FAILED',
    ]);
    expect(left()).to.deep.equal([]);
  });

  it('ends a repository that is too large or takes too long, and leaves nothing behind', async () => {
    b.skill(path.join(repo, 'one'));
    commit('x');
    const dir = path.join(b.dir, 'work');
    mkdirSync(dir);
    // A server that takes the request and never answers.
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x.git`;
    const clock = b.k.services.clock;
    const slow = fromGit(
      { url: address },
      dir,
      { clock, local: true, limits: { deadlineMs: 300, repository: 1e9 } },
      new AbortController().signal,
    ).catch((e: unknown) => e);
    expect(await slow).to.include({ code: 'SKILL_SOURCE_FAILED' });
    const large = await fromGit(
      { url: url() },
      path.join(b.dir, 'w1'),
      { clock, local: true, limits: { deadlineMs: 60_000, repository: 100 } },
      new AbortController().signal,
    ).catch((e: unknown) => e);
    expect(large).to.include({ code: 'SKILL_SOURCE_REFUSED' });
    const abort = new AbortController();
    const cancelled = fromGit({ url: address }, path.join(b.dir, 'w2'), { clock, local: true }, abort.signal).catch(
      (e: unknown) => e,
    );
    abort.abort();
    expect(await cancelled).to.include({ code: 'SKILL_SOURCE_FAILED' });
    silent.closeAllConnections();
    silent.close();
    await b.k.stop({ keep: true });
    await b.restart();
    expect(left()).to.deep.equal([]);
  });
});
