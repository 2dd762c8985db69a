import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { Links } from '../src/delivery/links.js';
import { judge } from '../src/delivery/judge.js';
import { bench, headOf, isLink, linkOf, type Bench } from './support.js';

describe('delivering skills', () => {
  let b: Bench;
  beforeEach(async () => void (b = await bench()));
  afterEach(() => b.stop());
  const add = (name: string): Promise<Obj> => b.add(b.skill(path.join(b.dir, 'src', name)));
  const scope = (name: string, agents: string[]): Promise<unknown> =>
    b.k.rest('PUT', `/resources/skill/${name}/scope`, { scope: { '*': agents } });
  const states = async (name: string): Promise<Obj> =>
    Object.fromEntries(((await b.view(name))['deliveries'] as Obj[]).map((d) => [d['agent'], d['state']]));

  acceptance('006-skills', 'enable for an agent', async () => {
    await add('one');
    await b.k.rest('POST', '/resources/skill/one/disable');
    await scope('one', ['codex']);
    expect(existsSync(b.of('codex', 'one'))).to.equal(false);
    await b.k.rest('POST', '/resources/skill/one/enable');
    expect(linkOf(b.of('codex', 'one'))).to.equal(b.master('one'));
    expect(linkOf(b.of('claude-code', 'one'))).to.equal(undefined);
    expect(await states('one')).to.deep.equal({ 'claude-code': 'not_delivered', codex: 'linked' });
    await scope('one', ['claude-code']);
    expect(await states('one')).to.deep.equal({ 'claude-code': 'linked', codex: 'not_delivered' });
    await b.k.rest('PUT', '/resources/skill/one/scope', { scope: { elsewhere: '*' } });
    expect(await states('one')).to.deep.equal({ 'claude-code': 'not_delivered', codex: 'not_delivered' });
  });

  acceptance('006-skills', 'disable', async () => {
    await add('one');
    await b.k.rest('POST', '/resources/skill/one/disable');
    expect(readdirSync(b.of('codex'))).to.deep.equal([]);
    expect(existsSync(b.master('one', 'SKILL.md'))).to.equal(true);
  });

  acceptance('006-skills', 'enable for multiple agents', async () => {
    await add('one');
    for (const agent of ['claude-code', 'codex']) expect(linkOf(b.of(agent, 'one'))).to.equal(b.master('one'));
    writeFileSync(b.of('codex', 'one', 'SKILL.md'), headOf('one', 'Edited by an agent.'));
    expect(await b.view('one')).to.deep.include({ description: 'Edited by an agent.', edited: true });
    expect((await b.k.rest('POST', '/skills/verify')).body.entries).to.deep.equal([]);
    await b.k.rest('POST', '/skills/repair');
    expect((await b.k.rest('GET', '/resources/skill/one')).body.description).to.equal('Edited by an agent.');
  });

  acceptance('006-skills', 'refuse to overwrite a non-Coffer target', async () => {
    mkdirSync(b.of('codex', 'one'), { recursive: true });
    writeFileSync(b.of('codex', 'one', 'mine.md'), 'mine');
    await add('one');
    expect(await states('one')).to.deep.equal({ 'claude-code': 'linked', codex: 'replaced' });
    expect((await b.k.rest('GET', '/resources/skill/one')).body.status).to.include({ status: 'failing' });
    const { status, body } = await b.k.rest('POST', '/skills/one/deliver', { agent: 'codex' });
    expect([status, body.error.code]).to.deep.equal([409, 'SKILL_TARGET_TAKEN']);
    await b.k.rest('POST', '/skills/repair');
    await b.restart();
    expect(readFileSync(b.of('codex', 'one', 'mine.md'), 'utf8')).to.equal('mine');
    const forced = await b.k.rest('POST', '/skills/one/deliver', { agent: 'codex', force: true });
    expect(forced.body.state).to.equal('linked');
    const [backup] = readdirSync(b.of('codex')).filter((n) => /^one\.coffer-backup-\d{8}T\d{6}Z$/.test(n));
    expect(readFileSync(b.of('codex', backup as string, 'mine.md'), 'utf8')).to.equal('mine');
    expect((await b.k.rest('POST', '/skills/one/deliver', { agent: 'nobody' })).body.error.code).to.equal(
      'SKILL_TARGET_NOT_FOUND',
    );
  });

  /** Every kind of drift at once. */
  async function drifted(): Promise<void> {
    for (const name of ['gone', 'elsewhere', 'taken', 'headless']) await add(name);
    unlinkSync(b.of('codex', 'gone'));
    unlinkSync(b.of('codex', 'elsewhere'));
    symlinkSync(b.dir, b.of('codex', 'elsewhere'));
    unlinkSync(b.of('codex', 'taken'));
    mkdirSync(b.of('codex', 'taken'));
    writeFileSync(b.of('codex', 'taken', 'mine.md'), 'mine');
    rmSync(b.master('headless'), { recursive: true });
    b.skill(b.master('orphan'));
    b.skill(b.master('orphan-broken'), { head: 'nothing' });
  }
  const found = (entries: Obj[]): string[] =>
    entries.map((e) => `${e['kind']} ${e['skill_name']} ${e['agent_name'] ?? '-'}`).sort();

  acceptance('006-skills', 'detect drift', async () => {
    await drifted();
    const { body } = await b.k.rest('POST', '/skills/verify');
    expect(found(body.entries)).to.deep.equal([
      'missing_link gone codex',
      'missing_master headless -',
      'orphan_master orphan -',
      'orphan_master orphan-broken -',
      'replaced_with_regular taken codex',
      'tampered_link elsewhere codex',
    ]);
    for (const e of body.entries as Obj[]) expect(e['suggested_remedy']).to.be.a('string').and.not.equal('');
    expect(linkOf(b.of('codex', 'elsewhere'))).to.equal(b.dir);
    expect(existsSync(b.of('codex', 'gone'))).to.equal(false);
    const { entries } = (await b.k.rest('GET', '/audit?kind=skill&name=gone')).body;
    expect((entries as Obj[]).map((e) => e['event_type'])).to.include('skill_drift_detected');
  });

  acceptance('006-skills', 'opt-in repair', async () => {
    await drifted();
    const { body } = await b.k.rest('POST', '/skills/repair');
    expect(found(body.remediated)).to.deep.equal([
      'missing_link gone codex',
      'orphan_master orphan -',
      'tampered_link elsewhere codex',
    ]);
    expect(found(body.remaining.entries)).to.deep.equal([
      'missing_master headless -',
      'orphan_master orphan-broken -',
      'replaced_with_regular taken codex',
    ]);
    expect(linkOf(b.of('codex', 'gone'))).to.equal(b.master('gone'));
    expect(linkOf(b.of('codex', 'elsewhere'))).to.equal(b.master('elsewhere'));
    expect(readdirSync(b.of('codex')).some((n) => n.startsWith('elsewhere.coffer-backup-'))).to.equal(true);
    expect(readFileSync(b.of('codex', 'taken', 'mine.md'), 'utf8')).to.equal('mine');
    expect(linkOf(b.of('codex', 'orphan'))).to.equal(b.master('orphan'));
    expect(await b.view('orphan')).to.deep.include({ valid: true, description: 'What orphan is for.' });
    expect(isLink(b.of('codex', 'headless'))).to.equal(false);
  });

  acceptance('006-skills', 'remove cleans up all links', async () => {
    await add('one');
    unlinkSync(b.of('codex', 'one'));
    b.skill(b.of('codex', 'one'));
    await add('two');
    expect((await b.k.rest('DELETE', '/skills/one')).status).to.equal(204);
    expect((await b.k.rest('DELETE', '/resources/skill/two')).status).to.equal(204);
    expect(readdirSync(b.of('claude-code'))).to.deep.equal([]);
    expect(readdirSync(b.of('codex'))).to.deep.equal(['one']);
    expect(lstatSync(b.of('codex', 'one')).isDirectory()).to.equal(true);
    expect(readdirSync(b.master())).to.deep.equal([]);
  });

  acceptance('006-skills', 'removing an agent cleans up', async () => {
    await add('one');
    b.skill(b.of('codex', 'own'));
    symlinkSync(b.dir, b.of('codex', 'other'));
    b.targets = b.targets.filter((t) => t.agent !== 'codex');
    await b.leave(b.of('codex'));
    await b.changed();
    expect(readdirSync(b.of('codex')).sort()).to.deep.equal(['other', 'own']);
    expect(linkOf(b.of('claude-code', 'one'))).to.equal(b.master('one'));
    expect(existsSync(b.master('one'))).to.equal(true);
  });

  it('follows an agent that moves, and waits for one that is not installed', async () => {
    await add('one');
    b.targets = [{ agent: 'codex', folder: path.join(b.dir, 'later', 'skills') }];
    await b.changed();
    expect(await states('one')).to.deep.equal({ codex: 'unreachable' });
    expect(existsSync(path.join(b.dir, 'later'))).to.equal(false);
    mkdirSync(path.join(b.dir, 'later'));
    await b.changed();
    expect(linkOf(path.join(b.dir, 'later', 'skills', 'one'))).to.equal(b.master('one'));
  });

  it('makes links at the start that went while nobody was there, and takes those away that are for nothing', async () => {
    await add('one');
    unlinkSync(b.of('codex', 'one'));
    symlinkSync(b.master('no-more'), b.of('codex', 'no-more'));
    await b.restart();
    expect(readdirSync(b.of('codex'))).to.deep.equal(['one']);
  });

  it('gives two agents that share a folder what either of them has', async () => {
    b.targets = [
      { agent: 'a', folder: b.of('codex') },
      { agent: 'b', folder: b.of('codex') },
    ];
    await add('one');
    await scope('one', ['b']);
    expect(linkOf(b.of('codex', 'one'))).to.equal(b.master('one'));
    await scope('one', []);
    expect(isLink(b.of('codex', 'one'))).to.equal(false);
  });

  it('keeps a broken skill where it is: somebody may be editing it through the link', async () => {
    await add('one');
    writeFileSync(b.of('codex', 'one', 'SKILL.md'), 'half');
    await b.k.rest('POST', '/skills/repair');
    expect(linkOf(b.of('codex', 'one'))).to.equal(b.master('one'));
  });

  it('finds the old folder again after a crash in the middle of a replacement', async () => {
    await add('one');
    await b.k.stop({ keep: true });
    const { renameSync } = await import('node:fs');
    renameSync(b.master('one'), b.master('.old-one'));
    b.skill(b.master('.old-nobody'), { name: 'nobody' });
    await b.restart();
    expect(readdirSync(b.master())).to.deep.equal(['one']);
  });
});

describe('where links cannot be made', () => {
  let dir: string;
  beforeEach(() => void (dir = mkdtempSync(path.join(tmpdir(), 'coffer-skill-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('a marked copy serves, which goes again only while nobody has changed it', async () => {
    const links = new Links(path.join(dir, 'skills'), () =>
      Promise.reject(Object.assign(new Error(), { code: 'EPERM' })),
    );
    const master = path.join(dir, 'skills', 'one');
    mkdirSync(master, { recursive: true });
    writeFileSync(path.join(master, 'SKILL.md'), headOf('one'));
    const at = path.join(dir, 'one');
    expect(await links.put(master, 'one', at)).to.equal('copy');
    const spot = await links.look(at);
    expect(spot).to.include({ kind: 'copy', skill: 'one', intact: true });
    const hash = 'hash' in spot ? spot.hash : '';
    expect(judge('one', spot, true, true, hash).state).to.equal('copied');
    expect(judge('one', spot, true, true, 'newer').state).to.equal('missing');
    expect(judge('one', spot, false, true, hash).state).to.equal('left_over');
    writeFileSync(path.join(at, 'SKILL.md'), 'mine now');
    const edited = await links.look(at);
    expect(judge('one', edited, true, true, hash).state).to.equal('replaced');
    expect(judge('one', edited, false, true, hash).state).to.equal('not_delivered');
    expect(await links.takeAway(at, edited)).to.equal(false);
    writeFileSync(path.join(at, 'SKILL.md'), headOf('one'));
    expect(await links.takeAway(at, await links.look(at))).to.equal(true);
    expect(existsSync(at)).to.equal(false);
  });
});
