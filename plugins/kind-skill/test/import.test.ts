import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { fakeClock } from '@coffer/kernel/testing';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { mendable } from '../src/faults.js';
import { copyEntries } from '../src/import/copy.js';
import { scan } from '../src/scan.js';
import { bench, headOf, linkOf, type Bench } from './support.js';

describe('importing a folder', () => {
  let b: Bench;
  beforeEach(async () => void (b = await bench()));
  afterEach(() => b.stop());
  const stage = async (at: string): Promise<Obj> =>
    (await b.k.rest('POST', '/skill-imports', { type: 'folder', path: at })).body as Obj;
  const vault = (): string[] => (existsSync(b.master()) ? readdirSync(b.master()) : []);

  acceptance('006-skills', 'import a valid local skill folder', async () => {
    const from = b.skill(path.join(b.dir, 'my skills', 'changelog'), { files: { 'scripts/a b.sh': '#!/bin/sh\n' } });
    const staged = await stage(from);
    expect(staged['skills']).to.deep.equal([
      {
        name: 'changelog',
        folder: '',
        description: 'What changelog is for.',
        file_count: 2,
        size_bytes: 82,
        valid: true,
        problem: null,
        taken: false,
        edited: false,
        source: { type: 'folder', path: from },
      },
    ]);
    expect(vault()).to.deep.equal([]);
    expect((await b.k.rest('GET', '/skills')).body.skills).to.deep.equal([]);
    // What is confirmed is what was looked at, whatever became of the folder.
    rmSync(from, { recursive: true });
    const { status, body } = await b.k.rest('POST', `/skill-imports/${staged['id']}/confirm`, { names: ['changelog'] });
    expect(status).to.equal(200);
    expect(body.skills[0]).to.deep.include({ name: 'changelog', enabled: true, valid: true, edited: false });
    expect(readFileSync(b.master('changelog', 'scripts', 'a b.sh'), 'utf8')).to.equal('#!/bin/sh\n');
    expect(linkOf(b.of('codex', 'changelog'))).to.equal(b.master('changelog'));
    expect((await b.k.rest('GET', `/skill-imports/${staged['id']}`)).body.error.code).to.equal(
      'SKILL_IMPORT_NOT_FOUND',
    );
    expect(readdirSync(path.join(b.k.home, 'workspace', 'skills', 'imports'))).to.deep.equal([]);
  });

  acceptance('006-skills', 're-import with overwrite replaces it', async () => {
    const from = b.skill(path.join(b.dir, 'src', 'notes'), { files: { 'old.md': 'old' } });
    await b.add(from);
    await b.k.rest('PUT', '/resources/skill/notes/scope', { scope: { '*': ['codex'] } });
    await b.k.rest('POST', '/resources/skill/notes/disable');
    rmSync(path.join(from, 'old.md'));
    b.skill(from, { description: 'Newer.', files: { 'new.md': 'new' } });
    b.skill(path.join(b.dir, 'src', 'fresh'));
    const staged = await stage(path.join(b.dir, 'src'));
    const confirm = (more: Obj): Promise<{ status: number; body: Obj }> =>
      b.k.rest('POST', `/skill-imports/${staged['id']}/confirm`, { names: ['fresh', 'notes'], ...more });
    const refused = await confirm({});
    expect(refused.body['error'].code).to.equal('RESOURCE_ALREADY_EXISTS');
    expect(vault()).to.deep.equal(['notes']);
    expect((await confirm({ replace: ['notes'] })).status).to.equal(200);
    expect(readdirSync(b.master('notes')).sort()).to.deep.equal(['SKILL.md', 'new.md']);
    expect(await b.view('notes')).to.deep.include({
      description: 'Newer.',
      enabled: false,
      scope: { '*': ['codex'] },
      edited: false,
    });
    expect(vault().sort()).to.deep.equal(['fresh', 'notes']);
  });

  acceptance('006-skills', 'reject invalid folder', async () => {
    const src = path.join(b.dir, 'src');
    b.skill(path.join(src, 'good'));
    b.skill(path.join(src, 'open'), { head: '---\nname: open\n' });
    b.skill(path.join(src, 'nameless'), { head: '---\ndescription: x\n---\n' });
    b.skill(path.join(src, 'deep', 'Upper'));
    b.skill(path.join(src, 'bytes'), { files: { 'SKILL.md': Buffer.from('\uFEFFname', 'utf16le') } });
    const staged = await stage(src);
    const faults = Object.fromEntries((staged['skills'] as Obj[]).map((s) => [s['folder'], s['problem']]));
    expect(faults['good']).to.equal(null);
    expect(faults['open']).to.deep.equal({
      file: 'SKILL.md',
      line: 1,
      reason: 'has no second --- line: the head is never closed',
    });
    expect(faults['nameless']).to.deep.equal({ file: 'SKILL.md', line: 1, reason: 'has no name' });
    expect(faults['deep/Upper']).to.include({ line: 2 });
    expect(faults['bytes']).to.deep.equal({ file: 'SKILL.md', line: 1, reason: 'is not UTF-8 text' });
    const { body } = await b.k.rest('POST', `/skill-imports/${staged['id']}/confirm`, { names: ['good', 'open'] });
    expect(body.error).to.include({ code: 'SKILL_INVALID' });
    expect(body.error.message).to.include('SKILL.md, line 1: has no second ---');
    expect(vault()).to.deep.equal([]);
    mkdirSync(path.join(b.dir, 'empty'));
    expect((await stage(path.join(b.dir, 'empty')))['error'].code).to.equal('SKILL_INVALID');
    expect((await stage(path.join(b.dir, 'nowhere')))['error'].code).to.equal('SKILL_SOURCE_FAILED');
    expect((await stage('relative'))['error'].code).to.equal('BAD_REQUEST');
  });

  acceptance('006-skills', 'reject path-escape symlinks', async () => {
    const src = path.join(b.dir, 'src');
    const links: Record<string, [string, string][]> = {
      absolute: [['at', '/etc/hostname']],
      climbs: [['sub/at', '../../other/SKILL.md']],
      chained: [
        ['deep/l1', '..'],
        ['deep/dir/l2', '../l1/../..'],
      ],
      circle: [['at', 'at']],
    };
    for (const [name, all] of Object.entries(links)) {
      b.skill(path.join(src, name));
      for (const [at, to] of all) {
        mkdirSync(path.dirname(path.join(src, name, at)), { recursive: true });
        symlinkSync(to, path.join(src, name, at));
      }
    }
    b.skill(path.join(src, 'fine'), { files: { 'docs/a.md': 'a' } });
    symlinkSync('docs/a.md', path.join(src, 'fine', 'README.md'));
    const found = Object.fromEntries(
      ((await stage(src))['skills'] as Obj[]).map((s) => [
        s['name'],
        s['problem'] === null ? null : s['problem'].reason,
      ]),
    );
    expect(found).to.deep.equal({
      absolute: 'is a link to an absolute place',
      climbs: 'is a link that leads out of the skill',
      chained: 'is a link that leads out of the skill',
      circle: 'is a link that leads round in a circle',
      fine: null,
    });
    await b.add(path.join(src, 'fine'));
    expect(linkOf(b.master('fine', 'README.md'))).to.equal('docs/a.md');
    expect((await b.view('fine'))['edited']).to.equal(false);
  });

  it('finds skills two folders down, none deeper, none inside another', async () => {
    const src = path.join(b.dir, 'src');
    b.skill(path.join(src, 'one'), { files: { 'inner/SKILL.md': headOf('inner') } });
    b.skill(path.join(src, 'group', 'two'));
    b.skill(path.join(src, 'a', 'b', 'three'));
    b.skill(path.join(src, '.git', 'four'));
    expect(((await stage(src))['skills'] as Obj[]).map((s) => s['name'])).to.deep.equal(['two', 'one']);
  });

  it('takes names with blanks, quotes, line breaks and emoji, and leaves the desktop out', async () => {
    const odd = ['a b.md', `q"'.md`, 'line\nbreak.md', '😀.md', '-rf'];
    const from = b.skill(path.join(b.dir, 'odd'), {
      files: Object.fromEntries([...odd, '.DS_Store'].map((n) => [n, n])),
    });
    await b.add(from);
    expect(readdirSync(b.master('odd')).sort()).to.deep.equal(['SKILL.md', ...odd].sort());
    for (const name of odd) {
      const { body } = await b.k.rest('GET', `/skills/odd/files/content?path=${encodeURIComponent(name)}`);
      expect(body.content).to.equal(name);
    }
  });

  it('refuses two of one name, what is too much, and what is neither file nor folder', async () => {
    const src = path.join(b.dir, 'src');
    b.skill(path.join(src, 'x'), { name: 'same' });
    b.skill(path.join(src, 'y'), { name: 'same' });
    const big = b.skill(path.join(src, 'big'));
    writeFileSync(path.join(big, 'hole.bin'), '');
    truncateSync(path.join(big, 'hole.bin'), 100 * 1_048_576);
    const many = b.skill(path.join(src, 'many'));
    for (let i = 0; i < 10_000; i++) writeFileSync(path.join(many, `${i}`), '');
    const found = (await stage(src))['skills'] as Obj[];
    const reason = (name: string): string => found.find((s) => s['name'] === name)?.['problem'].reason as string;
    expect(reason('same')).to.include('more than once');
    expect(reason('big')).to.equal('makes the skill larger than 50 MB');
    expect(reason('many')).to.equal('the skill has more than 10000 files');
  }).timeout(60_000);

  it('copies nothing that changed between the look and the copy', async () => {
    const from = b.skill(path.join(b.dir, 'moving'), { files: { 'a.md': 'short', 'b.md': 'b' } });
    const { entries } = await scan(from);
    writeFileSync(path.join(from, 'a.md'), 'longer than before');
    expect(await copyEntries(from, entries, path.join(b.dir, 'copy'))).to.deep.include({ file: 'a.md' });
    rmSync(path.join(from, 'a.md'));
    expect(await copyEntries(from, entries, path.join(b.dir, 'copy2'))).to.deep.include({ file: 'a.md' });
    symlinkSync('/etc/hostname', path.join(from, 'a.md'));
    expect(await copyEntries(from, entries, path.join(b.dir, 'copy3'))).to.deep.include({ file: 'a.md' });
  });

  it('is made and changed by its own routes only', async () => {
    const { body } = await b.k.rest('POST', '/resources', { kind: 'skill', name: 'x', config: {} });
    expect(body.error.code).to.equal('GENERIC_CREATE_NOT_ALLOWED');
  });

  it('is confirmed once, however often it is asked for', async () => {
    const staged = await stage(b.skill(path.join(b.dir, 'once')));
    const confirm = (): Promise<{ status: number }> =>
      b.k.rest('POST', `/skill-imports/${staged['id']}/confirm`, { names: ['once'] });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    expect(answers.map((a) => a.status).sort()).to.deep.equal([200, 404, 404]);
    expect(await b.view('once')).to.deep.include({ valid: true });
  });

  it('says it in words when the vault cannot be written', () => {
    const full = mendable(Object.assign(new Error('write'), { code: 'ENOSPC', path: '/x' }));
    expect(full).to.include({ code: 'VAULT_UNWRITABLE' });
    expect(String(full)).to.include('the disk is full');
    const other = new RangeError('x');
    expect(mendable(other)).to.equal(other);
  });

  it('puts the old folder back when the row is refused', async () => {
    const from = b.skill(path.join(b.dir, 'src', 'kept'), { files: { 'v.md': '1' } });
    await b.add(from);
    writeFileSync(path.join(from, 'v.md'), '2');
    const staged = await stage(from);
    b.k.services.db.exec("CREATE TRIGGER no BEFORE UPDATE ON resources BEGIN SELECT RAISE(FAIL, 'no'); END");
    const done = await b.k.rest('POST', `/skill-imports/${staged['id']}/confirm`, {
      names: ['kept'],
      replace: ['kept'],
    });
    expect(done.status).to.equal(500);
    expect(readFileSync(b.master('kept', 'v.md'), 'utf8')).to.equal('1');
    expect(vault()).to.deep.equal(['kept']);
  });
});

describe('an import that waits', () => {
  it('is forgotten after half an hour, when cancelled, and by a restart', async () => {
    const clock = fakeClock();
    const b = await bench({ clock });
    try {
      const from = b.skill(path.join(b.dir, 'x'));
      const folder = path.join(b.k.home, 'workspace', 'skills', 'imports');
      const stage = async (): Promise<string> =>
        (await b.k.rest('POST', '/skill-imports', { type: 'folder', path: from })).body.id as string;
      const id = await stage();
      expect((await b.k.rest('GET', `/skill-imports/${id}`)).status).to.equal(200);
      await clock.advance(30 * 60_000);
      expect((await b.k.rest('GET', `/skill-imports/${id}`)).status).to.equal(404);
      const other = await stage();
      expect((await b.k.rest('DELETE', `/skill-imports/${other}`)).status).to.equal(204);
      expect((await b.k.rest('DELETE', `/skill-imports/${other}`)).status).to.equal(404);
      await stage();
      await b.restart();
      expect(existsSync(folder)).to.equal(false);
    } finally {
      await b.stop();
    }
  });
});
