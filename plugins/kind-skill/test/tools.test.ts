import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { RpcFailure, type HttpClient } from '@coffer/kernel/testing';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { bench, call, headOf, toolNames, type Bench } from './support.js';

const TOOLS = ['coffer__list_skills', 'coffer__load_skill'];

describe('the skill tools', () => {
  let b: Bench;
  beforeEach(async () => void (b = await bench()));
  afterEach(() => b.stop());
  const names = async (c: HttpClient): Promise<string[]> =>
    ((await call(c, 'list_skills'))['structuredContent']['skills'] as Obj[]).map((s) => s['name'] as string);

  acceptance('006-skills', 'the skill tools are there once a valid skill is', async () => {
    const c = await b.client('codex');
    expect(await toolNames(c)).to.not.include.members(TOOLS);
    const refused = await call(c, 'list_skills').catch((e: unknown) => e);
    expect(refused).to.be.instanceOf(RpcFailure);
    await b.add(b.skill(path.join(b.dir, 'src', 'one')));
    expect(await toolNames(c)).to.include.members(TOOLS);
    await b.k.rest('POST', '/resources/skill/one/disable');
    expect(await toolNames(c)).to.not.include.members(TOOLS);
    await b.k.rest('POST', '/resources/skill/one/enable');
    writeFileSync(b.master('one', 'SKILL.md'), 'broken');
    const later = await b.client('codex');
    expect(await toolNames(later)).to.not.include.members(TOOLS);
    writeFileSync(b.master('one', 'SKILL.md'), headOf('one'));
    expect(await toolNames(await b.client('codex'))).to.include.members(TOOLS);
    expect(await names(later)).to.deep.equal(['one']);
    await b.k.rest('DELETE', '/skills/one');
    expect(await toolNames(c)).to.not.include.members(TOOLS);
  });

  acceptance('006-skills', 'a malformed skill is left out and harms nothing', async () => {
    for (const name of ['good', 'bad', 'escapes']) await b.add(b.skill(path.join(b.dir, 'src', name)));
    writeFileSync(b.master('bad', 'SKILL.md'), '---\nname: bad\ndescription: "open\n---\n');
    symlinkSync('/etc/hostname', b.master('escapes', 'out'));
    const c = await b.client('codex');
    expect(await names(c)).to.deep.equal(['good']);
    const loaded = (await call(c, 'load_skill', { name: 'good' }))['structuredContent'] as Obj;
    expect(loaded).to.deep.include({ name: 'good', file: 'SKILL.md', content: headOf('good'), files: [] });
    for (const name of ['bad', 'escapes', 'nothing']) {
      const result = await call(c, 'load_skill', { name });
      expect(result['isError'], name).to.equal(true);
      expect(result['content'][0].text).to.match(/^RESOURCE_NOT_FOUND/);
    }
    expect(await b.view('bad')).to.deep.include({ valid: false });
    const { status } = (await b.k.rest('GET', '/resources/skill/bad')).body;
    expect(status).to.include({ status: 'failing' });
    expect(status.reason).to.match(/^SKILL.md, line \d: is not valid YAML/);
    expect((await b.view('escapes'))['problem']).to.deep.equal({
      file: 'out',
      line: null,
      reason: 'is a link to an absolute place',
    });
  });

  acceptance('006-skills', 'scope decides what an agent may load', async () => {
    await b.add(b.skill(path.join(b.dir, 'src', 'secret')));
    await b.k.rest('PUT', '/resources/skill/secret/scope', { scope: { '*': ['codex'] } });
    const [codex, claude, nobody] = [await b.client('codex'), await b.client('claude-code'), await b.client()];
    expect(await names(codex)).to.deep.equal(['secret']);
    expect(await toolNames(claude)).to.not.include.members(TOOLS);
    expect(await toolNames(nobody)).to.not.include.members(TOOLS);
    await b.add(b.skill(path.join(b.dir, 'src', 'open')));
    expect(await names(claude)).to.deep.equal(['open']);
    expect((await call(claude, 'load_skill', { name: 'secret' }))['isError']).to.equal(true);
    expect((await call(codex, 'load_skill', { name: 'secret' }))['isError']).to.equal(undefined);
  });

  it('hand out other files by path within the skill, and nothing else', async () => {
    await b.add(
      b.skill(path.join(b.dir, 'src', 'one'), {
        files: {
          'references/style.md': 'Be brief.',
          'logo.png': Buffer.from([137, 80, 0, 1]),
          'big.txt': 'ä'.repeat(200_000),
        },
      }),
    );
    const c = await b.client('codex');
    const load = async (file: string): Promise<Obj> => call(c, 'load_skill', { name: 'one', file });
    const main = (await call(c, 'load_skill', { name: 'one' }))['structuredContent'] as Obj;
    expect(main['files']).to.deep.equal(['big.txt', 'logo.png', 'references/style.md']);
    expect((await load('references/style.md'))['structuredContent']).to.deep.include({
      content: 'Be brief.',
      truncated: false,
    });
    expect((await load('logo.png'))['structuredContent']).to.deep.include({ content: null, binary: true, size: 4 });
    const big = (await load('big.txt'))['structuredContent'] as Obj;
    expect(big).to.deep.include({ truncated: true, binary: false, size: 400_000 });
    expect(big['content']).to.equal('ä'.repeat(131_072));
    for (const file of ['../one/SKILL.md', '/etc/hostname', 'references', 'no.md', '..\\..\\x', 'C:/x', 'a\0b'])
      expect((await load(file))['isError'], file).to.equal(true);
    const rows = (await b.k.rest('GET', '/invocations?limit=50')).body.invocations as Obj[];
    expect(rows.filter((r) => r['capability_key'] === 'load_skill')).to.have.length.greaterThan(5);
    expect(JSON.stringify(rows)).to.not.include('style.md');
  });
});
