import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { normalised, projectOf, storeName } from '../src/project.js';
import { repository } from './support.js';

describe('which project a session works in', () => {
  const made: { remove(): void }[] = [];
  afterEach(() => made.splice(0).forEach((m) => m.remove()));
  const repo = (...options: Parameters<typeof repository>): string => {
    const r = repository(...options);
    made.push(r);
    return r.root;
  };

  it('is told by the remote, however it is reached', () => {
    for (const url of [
      'https://github.com/Acme/Tool.git',
      'https://user:secret@github.com/acme/tool',
      'http://github.com/acme/tool/',
      'git@github.com:acme/tool.git',
      'github.com:acme/tool',
      'ssh://git@github.com/acme/tool.git',
      'ssh://git@github.com:22/acme/tool',
      'git://github.com/acme/tool.git',
    ])
      expect(normalised(url), url).to.equal('github.com/acme/tool');
    for (const none of [
      '',
      '/srv/git/tool.git',
      '../tool',
      'C:\\work\\tool',
      'file:///srv/tool.git',
      'https://github.com/',
    ])
      expect(normalised(none), none).to.equal(undefined);
  });

  it('is one for all checkouts, worktrees and folders of it', () => {
    const a = repo({ origin: 'git@example.com:team/app.git' });
    const b = repo({ origin: 'https://example.com/team/app', branch: 'feature/x' });
    mkdirSync(path.join(a, 'deep', 'er'), { recursive: true });
    expect(projectOf(path.join(a, 'deep', 'er'))?.store).to.equal(projectOf(b)?.store);
    expect(projectOf(b)).to.include({ identity: 'example.com/team/app', label: 'app', branch: 'feature/x' });
    const tree = mkdtempSync(path.join(os.tmpdir(), 'coffer-tree-'));
    made.push({ remove: () => rmSync(tree, { recursive: true }) });
    const dir = path.join(a, '.git', 'worktrees', 'w');
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'HEAD'), 'ref: refs/heads/other\n');
    writeFileSync(path.join(dir, 'commondir'), '../..\n');
    writeFileSync(path.join(tree, '.git'), `gitdir: ${dir}\n`);
    expect(projectOf(tree)).to.include({ store: projectOf(a)?.store, branch: 'other', root: tree });
  });

  it('is the folder itself where there is no remote, and none outside of a repository', () => {
    const a = repo();
    expect(projectOf(a)?.identity).to.equal(a);
    expect(projectOf(a)?.store)
      .to.equal(storeName(a))
      .and.match(/^project-[0-9a-z]{26}$/);
    for (const none of [os.tmpdir(), '/', 'relative', '', null, undefined]) expect(projectOf(none)).to.equal(undefined);
  });

  it('survives odd repositories', () => {
    const detached = repo();
    writeFileSync(path.join(detached, '.git', 'HEAD'), `${'a1'.repeat(20)}\n`);
    expect(projectOf(detached)?.branch).to.equal('detached-a1a1a1a1a1a1');
    rmSync(path.join(detached, '.git', 'HEAD'));
    rmSync(path.join(detached, '.git', 'config'));
    expect(projectOf(detached)?.branch).to.equal(undefined);
    const loop = repo();
    rmSync(path.join(loop, '.git'), { recursive: true });
    writeFileSync(path.join(loop, '.git'), 'gitdir: .git\n');
    expect(projectOf(loop)?.root).to.equal(loop);
  });
});
