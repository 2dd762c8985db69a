import { expect } from 'chai';
import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fakeClock } from '../../src/testing/clock.js';
import type { TestKernel } from '../../src/testing/index.js';
import { backupVault, isPopulated, pathsOf, restoreVault } from '../../src/vault/index.js';
import { notes } from '../support/notes.js';
import { plugin, workshop } from '../support/kernels.js';

describe('backup and restore', () => {
  const make = workshop();
  const options = { trees: ['knowledge', 'memory', 'skills'], includeMasterKey: false, now: new Date(), version: '1' };
  const add = (k: TestKernel, name: string): Promise<{ status: number }> =>
    k.rest('POST', '/resources', { kind: 'note', name, config: { text: name } });
  /** A stopped vault with a note, a credential and a file in a tree. */
  const vault = async (name = 'a'): Promise<string> => {
    const home = make.folder();
    mkdirSync(path.join(home, 'knowledge/sub'), { recursive: true });
    writeFileSync(path.join(home, 'knowledge/sub/doc.md'), `doc of ${name}`);
    const k = await make.kernel({ home, plugins: [notes] });
    await add(k, name);
    await k.rest('POST', '/credentials', { ref: 'c', value: `secret of ${name}` });
    await k.stop({ keep: true });
    return home;
  };

  it('into a folder that can never be is refused at once', async function () {
    // A file system that says of every folder in it that it cannot be; Node's own way of making folders tries for ever there.
    if (process.platform !== 'linux') this.skip();
    const k = await make.kernel();
    const answer = await k.rest('POST', '/vault/backup', { path: '/proc/coffer/backup' });
    expect(answer.body.error.code).to.equal('VAULT_UNWRITABLE');
  });

  it('of a running daemon that is written to all the while comes back whole', async () => {
    const home = make.folder();
    const k = await make.kernel({ home, plugins: [notes] });
    mkdirSync(path.join(home, 'skills'));
    writeFileSync(path.join(home, 'skills/s.md'), 'skill');
    for (let i = 0; i < 20; i++) await add(k, `before${i}`);
    const dest = path.join(make.folder(), 'new/backup');
    let writing = true;
    const writer = (async () => {
      for (let i = 0; writing; i++) await add(k, `during${i}`);
    })();
    const { status, body } = await k.rest('POST', '/vault/backup', { path: dest });
    writing = false;
    await writer;
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.deep.include({ path: dest, trees: ['skills'], includes_master_key: false });
    expect(body.size_bytes).to.be.greaterThan(1000);
    expect(readdirSync(dest).sort()).to.deep.equal(['backup.json', 'coffer.db', 'skills']);
    expect((await k.rest('GET', '/audit?event_type=backup_created')).body.entries[0].details).to.deep.equal({
      path: dest,
      includes_master_key: false,
    });

    const fresh = path.join(make.folder(), 'fresh');
    expect(isPopulated(pathsOf(fresh))).to.equal(false);
    expect(restoreVault(pathsOf(fresh), dest)).to.deep.equal({ trees: ['skills'], master_key: false });
    const back = await make.kernel({ home: fresh, plugins: [notes] });
    const names = (await back.rest('GET', '/resources')).body.resources.map(
      (r: { name: string }) => r.name,
    ) as string[];
    for (let i = 0; i < 20; i++) expect(names).to.include(`before${i}`);
    expect(readFileSync(path.join(fresh, 'skills/s.md'), 'utf8')).to.equal('skill');
  });

  it('leaves the key out unless it is asked for', async () => {
    const home = await vault();
    const at = make.folder();
    const without = await backupVault(pathsOf(home), path.join(at, 'a'), options);
    expect(existsSync(path.join(without.path, 'master.key'))).to.equal(false);
    const withKey = await backupVault(pathsOf(home), path.join(at, 'b'), { ...options, includeMasterKey: true });
    expect(withKey.includes_master_key).to.equal(true);
    expect(readFileSync(path.join(withKey.path, 'master.key'), 'utf8')).to.equal(
      readFileSync(path.join(home, 'master.key'), 'utf8'),
    );
    expect(statSync(path.join(withKey.path, 'master.key')).mode & 0o777).to.equal(0o600);
    expect(statSync(withKey.path).mode & 0o077).to.equal(0);
    expect(JSON.parse(readFileSync(path.join(withKey.path, 'backup.json'), 'utf8'))).to.deep.include({
      version: 1,
      trees: ['knowledge'],
      includes_master_key: true,
    });
  });

  it('replaces a populated vault whole: database, trees and key, and nothing else', async () => {
    const [source, target] = [await vault('one'), await vault('two')];
    writeFileSync(path.join(target, 'knowledge/old.md'), 'goes');
    mkdirSync(path.join(target, 'memory'));
    mkdirSync(path.join(target, 'workspace'));
    writeFileSync(path.join(target, 'workspace/stays'), '');
    const dest = path.join(make.folder(), 'b');
    await backupVault(pathsOf(source), dest, { ...options, includeMasterKey: true });
    expect(isPopulated(pathsOf(target))).to.equal(true);
    restoreVault(pathsOf(target), dest);
    expect(existsSync(path.join(target, 'knowledge/old.md'))).to.equal(false);
    expect(existsSync(path.join(target, 'memory'))).to.equal(false);
    expect(existsSync(path.join(target, 'workspace/stays'))).to.equal(true);
    expect(readdirSync(target).filter((f) => f.startsWith('.re'))).to.deep.equal([]);
    const k = await make.kernel({ home: target, plugins: [notes], clock: fakeClock() });
    expect((await k.rest('GET', '/resources')).body.resources.map((r: { name: string }) => r.name)).to.deep.equal([
      'one',
    ]);
    expect((await k.rest('GET', '/credentials/c')).body.value).to.equal('secret of one');
  });

  it('that fails half way leaves the old state', async () => {
    const [source, target] = [await vault('one'), await vault('two')];
    const dest = path.join(make.folder(), 'b');
    await backupVault(pathsOf(source), dest, options);
    const paths = pathsOf(target);
    const before = readFileSync(paths.db);
    // A pipe cannot be copied; it lies in the tree that is copied last.
    mkdirSync(path.join(dest, 'zz'));
    execFileSync('mkfifo', [path.join(dest, 'zz/pipe')]);
    expect(() => restoreVault(paths, dest))
      .to.throw()
      .with.property('code', 'VAULT_UNWRITABLE');
    expect(readFileSync(paths.db).equals(before)).to.equal(true);
    expect(readFileSync(path.join(target, 'knowledge/sub/doc.md'), 'utf8')).to.equal('doc of two');
    expect(readdirSync(target).filter((f) => f.startsWith('.re'))).to.deep.equal([]);
    const k = await make.kernel({ home: target, plugins: [notes], clock: fakeClock() });
    expect((await k.rest('GET', '/resources')).body.resources.map((r: { name: string }) => r.name)).to.deep.equal([
      'two',
    ]);
  });

  it('from what is no whole backup changes nothing', async () => {
    const target = await vault();
    const paths = pathsOf(target);
    const before = readFileSync(paths.db);
    const at = make.folder();
    mkdirSync(path.join(at, 'empty'));
    for (const [name, text] of [
      ['noise', 'no database at all '.repeat(500)],
      ['cut', undefined],
    ] as const) {
      mkdirSync(path.join(at, name));
      writeFileSync(path.join(at, name, 'coffer.db'), text ?? before.subarray(0, 9000));
    }
    mkdirSync(path.join(at, 'foreign'));
    const db = new Database(path.join(at, 'foreign/coffer.db'));
    db.exec('CREATE TABLE something (x)');
    db.close();
    for (const name of ['empty', 'noise', 'cut', 'foreign', 'missing'])
      expect(() => restoreVault(paths, path.join(at, name)), name)
        .to.throw()
        .with.property('code', 'BACKUP_INVALID');
    expect(readFileSync(paths.db).equals(before)).to.equal(true);
    expect(readdirSync(target).filter((f) => f.startsWith('.'))).to.deep.equal([]);
  });

  it('refuses a place that is taken or inside what it copies, and leaves no half there', async () => {
    const home = make.folder();
    const tree = plugin('p', (v) => v.tap(v.hooks.backup.trees, (t) => t.add('gallery')));
    const k = await make.kernel({ home, plugins: [tree] });
    mkdirSync(path.join(home, 'gallery'));
    const at = make.folder();
    writeFileSync(path.join(at, 'full'), '');
    const code = async (dest: string): Promise<string> =>
      (await k.rest('POST', '/vault/backup', { path: dest })).body.error?.code;
    expect(await code(at)).to.equal('BACKUP_INVALID');
    expect(await code(path.join(at, 'full'))).to.equal('BACKUP_INVALID');
    expect(await code(path.join(home, 'knowledge/b'))).to.equal('BACKUP_INVALID');
    expect(await code(path.join(home, 'gallery/b'))).to.equal('BACKUP_INVALID');
    expect(await code('relative/path')).to.equal('BAD_REQUEST');
    expect(await code('/dev/null/x')).to.equal('VAULT_UNWRITABLE');
    expect(readdirSync(at)).to.deep.equal(['full']);
    const { body } = await k.rest('POST', '/vault/backup', { path: path.join(at, 'ok') });
    expect(body.trees).to.deep.equal(['gallery']);
    mkdirSync(path.join(at, 'prepared'));
    chmodSync(path.join(at, 'prepared'), 0o755);
    expect(await code(path.join(at, 'prepared'))).to.equal(undefined);
  });

  it('of nothing is refused', async () => {
    let said = '';
    await backupVault(pathsOf(make.folder()), path.join(make.folder(), 'x'), options).catch(
      (e: { code: string }) => (said = e.code),
    );
    expect(said).to.equal('NOT_FOUND');
  });
});
