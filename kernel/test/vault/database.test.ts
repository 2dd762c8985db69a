import { expect } from 'chai';
import Database from 'better-sqlite3';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CofferError } from '../../src/errors.js';
import { createTestKernel } from '../../src/testing/index.js';
import { migrate, openDatabase } from '../../src/vault/database.js';
import { plugin, workshop } from '../support/kernels.js';

describe('the database of the vault', () => {
  const make = workshop();
  const refusal = async (home: string): Promise<CofferError> => {
    try {
      await (await createTestKernel({ home })).stop({ keep: true });
    } catch (e) {
      return e as CofferError;
    }
    throw new Error('the daemon started');
  };
  const vault = async (): Promise<string> => {
    const home = make.folder();
    await (await make.kernel({ home })).stop({ keep: true });
    return home;
  };

  it('migrates forward, each step once, in order, whatever the order they come in', () => {
    const file = path.join(make.folder(), 'x.db');
    const db = openDatabase(file, [{ id: 1, sql: 'CREATE TABLE a (x)' }]);
    const steps = [
      { id: 2, sql: 'INSERT INTO b VALUES (2)' },
      { id: 1, sql: 'CREATE TABLE b (x)' },
    ];
    migrate(db, 'p', steps);
    migrate(db, 'p', [...steps, { id: 3, sql: 'INSERT INTO b VALUES (3)' }]);
    expect(db.prepare('SELECT x FROM b').pluck().all()).to.deep.equal([2, 3]);
    expect(db.prepare('SELECT plugin, id FROM schema_migrations ORDER BY plugin, id').raw().all()).to.deep.equal([
      ['kernel', 1],
      ['p', 1],
      ['p', 2],
      ['p', 3],
    ]);
    db.close();
  });

  it('takes a step that fails back whole, and tries it again next time', () => {
    const db = openDatabase(path.join(make.folder(), 'x.db'), []);
    expect(() => migrate(db, 'p', [{ id: 1, sql: 'CREATE TABLE a (x); CREATE TABLE a (x)' }])).to.throw();
    expect(db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'a'").pluck().get()).to.equal(0);
    migrate(db, 'p', [{ id: 1, sql: 'CREATE TABLE a (x)' }]);
    expect(db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'a'").pluck().get()).to.equal(1);
    db.close();
  });

  it('of a newer Coffer is refused in plain words and not touched', async () => {
    const home = await vault();
    const file = path.join(home, 'coffer.db');
    const db = new Database(file);
    db.exec("INSERT INTO schema_migrations VALUES ('kernel', 999, 'x')");
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const before = readFileSync(file);
    const e = await refusal(home);
    expect(e.code).to.equal('DB_SCHEMA_TOO_NEW');
    expect(e.message).to.include('newer Coffer').and.include('999').and.include('nothing was changed');
    expect(readFileSync(file).equals(before)).to.equal(true);
    expect(readdirSync(home).filter((f) => /-wal|-shm/.test(f))).to.deep.equal([]);
    expect(existsSync(path.join(home, 'daemon.json'))).to.equal(false);
  });

  it('with tables of a newer plugin fails that plugin alone', async () => {
    const home = make.folder();
    const p = (steps: number): ReturnType<typeof plugin> =>
      plugin(
        'p',
        (k) =>
          void k.database(Array.from({ length: steps }, (_, i) => ({ id: i + 1, sql: `CREATE TABLE p_${i} (x)` }))),
      );
    await (await make.kernel({ home, plugins: [p(2)] })).stop({ keep: true });
    const k = await make.kernel({ home, plugins: [p(1)] });
    expect(k.host.get('p').state).to.equal('failed');
    expect(k.host.get('p').note).to.include('newer Coffer').and.include('p schema 2');
  });

  for (const [what, text] of [
    ['is noise', 'noise '.repeat(2000)],
    ['was cut off', undefined],
    ['was emptied', ''],
  ] as const)
    it(`that ${what} is refused with a way out, and kept`, async () => {
      const home = await vault();
      const file = path.join(home, 'coffer.db');
      const bytes = text === undefined ? readFileSync(file).subarray(0, 5000) : Buffer.from(text);
      writeFileSync(file, bytes);
      const e = await refusal(home);
      expect(e.code).to.equal('VAULT_DAMAGED');
      expect(e.message).to.include(file).and.include('coffer restore');
      expect(readFileSync(file).subarray(0, 1000).equals(bytes.subarray(0, 1000))).to.equal(true);
    });

  it('waits for another process that holds a transaction, and loses nothing', async function () {
    this.timeout(20_000);
    const k = await make.kernel();
    const file = path.join(k.home, 'coffer.db');
    const { spawn } = await import('node:child_process');
    const script = `const D = require('better-sqlite3'); const db = new D(${JSON.stringify(file)}); db.exec('BEGIN IMMEDIATE'); console.log('held'); setTimeout(() => { db.exec('COMMIT'); process.exit(0); }, 700);`;
    const child = spawn(process.execPath, ['-e', script], {
      cwd: path.dirname(new URL(import.meta.url).pathname),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect((await k.rest('POST', '/credentials', { ref: 'a', value: 'v' })).status).to.equal(204);
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    expect((await k.rest('GET', '/credentials/a')).body.value).to.equal('v');
  });

  it('a home that cannot be written is named', async () => {
    for (const home of ['/dev/null/x']) {
      const e = await refusal(home);
      expect(e.code).to.equal('VAULT_UNWRITABLE');
      expect(e.message).to.include(home).and.include('COFFER_HOME');
    }
  });
});
