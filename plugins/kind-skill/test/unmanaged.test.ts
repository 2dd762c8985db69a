import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, isLink, linkOf, type Bench } from './support.js';

describe("skills in agents' own folders", () => {
  let b: Bench;
  beforeEach(async () => {
    b = await bench();
    for (const agent of ['claude-code', 'codex']) mkdirSync(b.of(agent));
  });
  afterEach(() => b.stop());
  const list = async (agent?: string): Promise<Obj[]> =>
    (await b.k.rest('GET', `/unmanaged-skills${agent === undefined ? '' : `?agent=${agent}`}`)).body.items as Obj[];
  const adopt = (agent: string, name: string, more: Obj = {}): Promise<{ status: number; body: Obj }> =>
    b.k.rest('POST', '/unmanaged-skills/adopt', { agent, name, ...more });
  const extra = (...more: string[]): string => path.join(b.dir, 'agents', 'skills', ...more);

  acceptance('006-skills', 'list unmanaged', async () => {
    b.skill(b.of('codex', 'own'));
    b.skill(b.of('codex', 'broken'), { head: 'x' });
    b.skill(path.join(b.dir, 'elsewhere', 'far'));
    symlinkSync(path.join(b.dir, 'elsewhere', 'far'), b.of('codex', 'far'));
    b.skill(extra('shared'));
    await b.add(b.skill(path.join(b.dir, 'src', 'own')));
    const items = await list('codex');
    expect(items.map((u) => [u['name'], u['location'], u['valid'], u['foreign_link'], u['taken']])).to.deep.equal([
      ['broken', b.of('codex'), false, false, false],
      ['far', b.of('codex'), false, true, false],
      ['own', b.of('codex'), true, false, true],
      ['shared', extra(), true, false, false],
    ]);
    expect(items[0]?.['problem']).to.include({ file: 'SKILL.md', line: 1 });
    expect(await list('claude-code')).to.deep.equal([]);
    expect((await b.k.rest('GET', '/unmanaged-skills?agent=nobody')).body.error.code).to.equal(
      'SKILL_TARGET_NOT_FOUND',
    );
  });

  acceptance('006-skills', 'exclude managed and system entries', async () => {
    await b.add(b.skill(path.join(b.dir, 'src', 'one')));
    b.skill(b.of('codex', '.system', 'inner'));
    b.skill(b.of('codex', '.dot'));
    writeFileSync(b.of('codex', 'README.md'), 'x');
    b.skill(b.of('codex', 'old.coffer-backup-20260101T000000Z'));
    expect(await list()).to.deep.equal([]);
  });

  acceptance('006-skills', 'adopt', async () => {
    b.skill(b.of('codex', 'folder-name'), { name: 'own', files: { 'bin/x.bin': Buffer.from([0, 1, 255]) } });
    symlinkSync('bin/x.bin', b.of('codex', 'folder-name', 'latest'));
    b.skill(extra('shared'));
    const { status, body } = await adopt('codex', 'folder-name');
    expect([status, body['name'], body['valid']]).to.deep.equal([201, 'own', true]);
    expect(body['source']).to.deep.equal({ type: 'adopted', agent: 'codex', path: b.of('codex', 'folder-name') });
    expect(readFileSync(b.master('own', 'bin', 'x.bin'))).to.deep.equal(Buffer.from([0, 1, 255]));
    expect(linkOf(b.master('own', 'latest'))).to.equal('bin/x.bin');
    expect((await adopt('codex', 'shared', { location: extra() })).status).to.equal(201);
    expect(readdirSync(extra())).to.deep.equal([]);
    for (const agent of ['claude-code', 'codex'])
      expect(readdirSync(b.of(agent)).sort()).to.deep.equal(['own', 'shared']);
    expect(linkOf(b.of('codex', 'own'))).to.equal(b.master('own'));
    expect(await list()).to.deep.equal([]);
  });

  acceptance('006-skills', 'reject bad adopt', async () => {
    b.skill(b.of('codex', 'broken'), { head: '---\nname: broken\n---\n' });
    symlinkSync(b.dir, b.of('codex', 'far'));
    b.skill(b.of('codex', 'one'), { description: 'Mine.' });
    await b.add(b.skill(path.join(b.dir, 'src', 'one')));
    const code = async (name: string): Promise<string> => (await adopt('codex', name)).body['error'].code as string;
    expect(await code('broken')).to.equal('SKILL_INVALID');
    expect(await code('far')).to.equal('SKILL_SOURCE_REFUSED');
    expect(await code('one')).to.equal('RESOURCE_ALREADY_EXISTS');
    expect(await code('nothing')).to.equal('UNMANAGED_SKILL_NOT_FOUND');
    expect(await code('../..')).to.equal('UNMANAGED_SKILL_NOT_FOUND');
    expect(readFileSync(b.of('codex', 'one', 'SKILL.md'), 'utf8')).to.include('Mine.');
    expect(isLink(b.of('codex', 'far'))).to.equal(true);
    expect(existsSync(b.of('codex', 'broken'))).to.equal(true);
    // On request the agent's own takes the place of the vault's.
    expect((await adopt('codex', 'one', { replace: true })).body['description']).to.equal('Mine.');
    expect(linkOf(b.of('codex', 'one'))).to.equal(b.master('one'));
  });

  acceptance('006-skills', 'delete unmanaged', async () => {
    b.skill(b.of('codex', 'own'));
    b.skill(path.join(b.dir, 'far'));
    symlinkSync(path.join(b.dir, 'far'), b.of('codex', 'far'));
    await b.add(b.skill(path.join(b.dir, 'src', 'one')));
    const remove = (name: string): Promise<{ status: number; body: Obj }> =>
      b.k.rest('DELETE', `/unmanaged-skills?agent=codex&name=${encodeURIComponent(name)}`, undefined, {
        'X-Coffer-Actor': 'ui',
      });
    expect((await remove('own')).status).to.equal(204);
    expect((await remove('far')).status).to.equal(204);
    expect((await remove('one')).body['error'].code).to.equal('UNMANAGED_SKILL_NOT_FOUND');
    expect((await remove('../codex')).body['error'].code).to.equal('UNMANAGED_SKILL_NOT_FOUND');
    expect(readdirSync(b.of('codex'))).to.deep.equal(['one']);
    expect(lstatSync(path.join(b.dir, 'far')).isDirectory()).to.equal(true);
    const entries = (await b.k.rest('GET', '/audit?kind=skill')).body.entries as Obj[];
    const told = entries.filter((e) => e['event_type'] === 'skill_unmanaged_deleted');
    expect(told.map((e) => [e['resource_name'], e['actor']])).to.deep.equal([
      ['far', 'ui'],
      ['own', 'ui'],
    ]);
  });
});
