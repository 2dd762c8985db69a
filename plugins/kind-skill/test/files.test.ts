import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, headOf, type Bench } from './support.js';

describe('the files of a skill', () => {
  let b: Bench;
  beforeEach(async () => {
    b = await bench();
    await b.add(
      b.skill(path.join(b.dir, 'src', 'one'), {
        files: {
          'scripts/run.sh': 'echo hi\n',
          'scripts/lib/x.sh': 'x',
          'a.bin': Buffer.from([0, 1]),
          'big.md': 'x'.repeat(300_000),
        },
      }),
    );
  });
  afterEach(() => b.stop());
  const read = (file: string): Promise<{ status: number; body: Obj }> =>
    b.k.rest('GET', `/skills/one/files/content?path=${encodeURIComponent(file)}`);
  const write = (file: string, content: string): Promise<{ status: number; body: Obj }> =>
    b.k.rest(
      'PUT',
      `/skills/one/files/content?path=${encodeURIComponent(file)}`,
      { content },
      { 'X-Coffer-Actor': 'ui' },
    );

  acceptance('006-skills', 'view file tree', async () => {
    const { body } = await b.k.rest('GET', '/skills/one/files');
    expect(body.path).to.equal(b.master('one'));
    const [scripts, ...rest] = body.files as Obj[];
    expect(rest.map((f) => [f['name'], f['type'], f['size']])).to.deep.equal([
      ['SKILL.md', 'file', headOf('one').length],
      ['a.bin', 'file', 2],
      ['big.md', 'file', 300_000],
    ]);
    expect(scripts).to.deep.include({ path: 'scripts', type: 'folder' });
    expect((scripts?.['children'] as Obj[]).map((f) => f['path'])).to.deep.equal(['scripts/lib', 'scripts/run.sh']);
    expect((await b.k.rest('GET', '/skills/nobody/files')).body.error.code).to.equal('RESOURCE_NOT_FOUND');
  });

  acceptance('006-skills', 'view one file', async () => {
    expect((await read('scripts/run.sh')).body).to.deep.equal({
      path: 'scripts/run.sh',
      content: 'echo hi\n',
      binary: false,
      truncated: false,
      size: 8,
    });
    expect((await read('a.bin')).body).to.deep.include({ binary: true, content: null });
    expect((await read('big.md')).body).to.deep.include({
      truncated: true,
      content: 'x'.repeat(262_144),
      size: 300_000,
    });
    expect((await read('no.md')).body['error'].code).to.equal('SKILL_FILE_NOT_FOUND');
  });

  acceptance('006-skills', 'reject outside path', async () => {
    writeFileSync(path.join(b.dir, 'outside.md'), 'outside');
    symlinkSync(path.join(b.dir, 'outside.md'), b.master('one', 'link.md'));
    symlinkSync(b.dir, b.master('one', 'dir'));
    for (const file of [
      '../two/SKILL.md',
      '/etc/hostname',
      'scripts/../../x',
      'link.md',
      'dir/outside.md',
      '\\x\\..\\..\\y',
    ]) {
      const [r, w] = [await read(file), await write(file, 'mine')];
      expect(r.status, file).to.equal(400);
      expect(r.body['error'].code, file).to.equal('SKILL_PATH_OUTSIDE');
      expect(w.body['error'].code, file).to.equal('SKILL_PATH_OUTSIDE');
    }
    expect(readFileSync(path.join(b.dir, 'outside.md'), 'utf8')).to.equal('outside');
  });

  acceptance('006-skills', 'programmatic overwrite', async () => {
    const { mode } = statSync(b.master('one', 'scripts/run.sh'));
    expect((await write('scripts/run.sh', 'echo ho\n')).body).to.deep.include({ content: 'echo ho\n' });
    expect(readFileSync(b.master('one', 'scripts/run.sh'), 'utf8')).to.equal('echo ho\n');
    expect(statSync(b.master('one', 'scripts/run.sh')).mode).to.equal(mode);
    const bad = await write('SKILL.md', '---\nname: one\ndescription:\n---\n');
    expect([bad.status, bad.body['error'].code]).to.deep.equal([422, 'SKILL_INVALID']);
    expect(bad.body['error'].details.problem).to.deep.equal({
      file: 'SKILL.md',
      line: 3,
      reason: 'has no description',
    });
    expect((await write('SKILL.md', headOf('two'))).status).to.equal(422);
    expect((await write('./SKILL.md', headOf('two'))).status).to.equal(422);
    expect((await write('SKILL.md', headOf('one', 'New.'))).status).to.equal(200);
    expect((await b.k.rest('GET', '/resources/skill/one')).body).to.deep.include({ description: 'New.' });
    expect((await write('a.bin', 'x')).body['error'].code).to.equal('SKILL_SOURCE_REFUSED');
    expect((await write('new.md', 'x')).body['error'].code).to.equal('SKILL_FILE_NOT_FOUND');
    expect(readdirSync(b.master('one')).some((n) => n.endsWith('.tmp'))).to.equal(false);
  });

  acceptance('006-skills', 'audit life cycle', async () => {
    const src = path.join(b.dir, 'src', 'one');
    await b.add(src, { replace: ['one'] });
    await write('scripts/run.sh', 'unspeakable');
    const { unlinkSync } = await import('node:fs');
    unlinkSync(b.of('codex', 'one'));
    await b.k.rest('POST', '/skills/verify');
    await b.k.rest('POST', '/skills/repair');
    await b.k.rest('POST', '/resources/skill/one/disable');
    await b.k.rest('DELETE', '/skills/one');
    b.skill(b.of('codex', 'own'));
    await b.k.rest('POST', '/unmanaged-skills/adopt', { agent: 'codex', name: 'own' });
    const { body } = await b.k.rest('GET', '/audit?kind=skill&limit=100');
    const events = body.entries as Obj[];
    expect(new Set(events.map((e) => e['event_type']))).to.include.all.keys(
      'skill_imported',
      'resource_created',
      'skill_linked',
      'skill_updated',
      'skill_file_written',
      'skill_drift_detected',
      'skill_repaired',
      'skill_unlinked',
      'resource_disabled',
      'resource_deleted',
      'skill_adopted',
    );
    expect(events.find((e) => e['event_type'] === 'skill_file_written')?.['actor']).to.equal('ui');
    expect(JSON.stringify(events)).to.not.include('unspeakable');
  });
});
