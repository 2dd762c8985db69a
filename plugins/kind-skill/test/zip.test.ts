import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, headOf, type Bench } from './support.js';
import { zipOf, type ZipEntry } from './zip-writer.js';

const skill: ZipEntry = { name: 'one/SKILL.md', data: headOf('one') };

describe('importing an archive', () => {
  let b: Bench;
  beforeEach(async () => void (b = await bench()));
  afterEach(() => b.stop());
  const stage = (bytes: Buffer, name = 'skills.zip'): Promise<{ status: number; body: Obj }> => {
    writeFileSync(path.join(b.dir, name), bytes);
    return b.k.rest('POST', '/skill-imports', { type: 'zip', path: path.join(b.dir, name) });
  };
  const left = (): string[] => {
    const folder = path.join(b.k.home, 'workspace', 'skills', 'imports');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const refused = async (entries: readonly ZipEntry[]): Promise<string> => {
    const { status, body } = await stage(zipOf(entries));
    expect([status, body['error']?.code]).to.deep.equal([422, 'SKILL_SOURCE_REFUSED']);
    expect(left()).to.deep.equal([]);
    return body['error'].message as string;
  };

  acceptance('006-skills', 'import from an archive', async () => {
    const { status, body } = await stage(
      zipOf([
        { name: 'pack/', mode: 0o040755 },
        { name: 'pack/one/SKILL.md', data: headOf('one') },
        { name: 'pack/one/bin/run.sh', data: '#!/bin/sh\n', mode: 0o100755 },
        { name: 'pack/one/.DS_Store', data: 'x' },
        { name: '__MACOSX/pack/one/._SKILL.md', data: 'x' },
        { name: 'pack/two/SKILL.md', data: 'no head' },
      ]),
      'pack.skill',
    );
    expect(status).to.equal(201);
    expect((body['skills'] as Obj[]).map((s) => [s['name'], s['valid'], s['file_count']])).to.deep.equal([
      ['one', true, 2],
      ['two', false, 1],
    ]);
    const done = await b.k.rest('POST', `/skill-imports/${body['id']}/confirm`, { names: ['one'] });
    expect(done.body.skills[0].source).to.deep.equal({ type: 'zip', archive: 'pack.skill', folder: 'pack/one' });
    expect(readdirSync(b.master('one')).sort()).to.deep.equal(['SKILL.md', 'bin']);
    expect(statSync(b.master('one', 'bin', 'run.sh')).mode & 0o777).to.equal(0o755);
    expect(left()).to.deep.equal([]);

    expect(await refused([skill, { name: '../out.md', data: 'x' }])).to.include('../out.md');
    expect(await refused([skill, { name: 'one/../../out.md', data: 'x' }])).to.include('out.md');
    expect(await refused([skill, { name: '/etc/out.md', data: 'x' }])).to.include('/etc/out.md');
    expect(await refused([skill, { name: 'C:\\out.md', data: 'x' }])).to.include('C:');
    expect(await refused([skill, { name: 'one\\..\\..\\out.md', data: 'x' }])).to.include('out.md');
    expect(await refused([skill, { name: 'one/link', data: '/etc', mode: 0o120777 }])).to.include('has a link in it');
    expect(await refused([skill, { name: 'one/a', data: 'x', encrypted: true }])).to.include('is encrypted: "one/a"');
    expect(await refused([skill, { name: 'one/a', data: 'x', claims: { crc: 1 } }])).to.include(
      'damaged entry: "one/a"',
    );
    expect(await refused([skill, skill])).to.include('two entries for one place');
    expect(await refused([skill, { name: 'one/SKILL.md/x', data: 'x' }])).to.include('one place');
    expect(existsSync(path.join(b.dir, 'out.md'))).to.equal(false);
  });

  it('refuses bombs, whether they own up or not', async () => {
    const bomb = Buffer.alloc(60 * 1_048_576);
    expect(await refused([skill, { name: 'one/a', data: bomb }])).to.include('more than 50 MB');
    expect(await refused([skill, { name: 'one/a', data: bomb, claims: { size: 10 } }])).to.include(
      'damaged entry: "one/a"',
    );
    const part = Buffer.alloc(20 * 1_048_576);
    const three = ['a', 'b', 'c'].map((n) => ({ name: `one/${n}`, data: part, claims: { size: 20 * 1_048_576 } }));
    expect(await refused([skill, ...three])).to.include('more than 50 MB');
    const many = Array.from({ length: 10_001 }, (_, i) => ({ name: `one/${i}` }));
    expect(await refused(many)).to.include('more than 10000 entries');
  }).timeout(60_000);

  it('names what is no archive', async () => {
    const whole = zipOf([skill]);
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK not really'), whole.subarray(0, whole.length - 30)]) {
      const { body } = await stage(bytes);
      expect(body['error'].code).to.equal('SKILL_SOURCE_REFUSED');
      expect(body['error'].message).to.include('cannot be read');
    }
    const broken = zipOf([{ ...skill, data: headOf('one').repeat(50) }]);
    broken.fill(0xff, 45, 80);
    expect((await stage(broken)).body['error'].message).to.include('damaged entry');
    const none = await b.k.rest('POST', '/skill-imports', { type: 'zip', path: path.join(b.dir, 'no.zip') });
    expect(none.body.error.code).to.equal('SKILL_SOURCE_FAILED');
    expect((await stage(zipOf([{ name: 'a/b/c/SKILL.md', data: headOf('c') }]))).body['error'].code).to.equal(
      'SKILL_INVALID',
    );
    expect(left()).to.deep.equal([]);
  });

  it('takes the bytes of an archive too, as a browser gives them', async () => {
    const { status, body } = await b.k.rest('POST', '/skill-imports', {
      type: 'zip',
      name: 'C:\\fakepath\\one.zip',
      content_base64: zipOf([skill, { name: 'one/😀 "a".md', data: 'x' }]).toString('base64'),
    });
    expect([status, body.skills[0].valid]).to.deep.equal([201, true]);
    await b.k.rest('POST', `/skill-imports/${body.id}/confirm`, { names: ['one'] });
    expect(readFileSync(b.master('one', '😀 "a".md'), 'utf8')).to.equal('x');
    const both = { type: 'zip', path: '/x', name: 'x', content_base64: 'eA==' };
    expect((await b.k.rest('POST', '/skill-imports', both)).status).to.equal(422);
  });
});
