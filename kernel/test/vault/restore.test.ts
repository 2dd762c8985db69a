import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createTestKernel } from '@coffer/kernel/testing';
import { pathsOf, recoverRestore, restoreVault } from '../../src/vault/index.js';

describe('a restore that is cut off', () => {
  let at: string;
  let home: string;
  beforeEach(() => {
    at = mkdtempSync(path.join(tmpdir(), 'coffer-cut-'));
    home = path.join(at, 'home');
    mkdirSync(path.join(home, 'skills'), { recursive: true });
    writeFileSync(path.join(home, 'coffer.db'), 'old');
    writeFileSync(path.join(home, 'skills/a'), 'old skill');
  });
  afterEach(() => rmSync(at, { recursive: true, force: true }));
  const read = (name: string): string => readFileSync(path.join(home, name), 'utf8');
  /** What a restore leaves that is killed after so many of its moves: out skills, out db, in skills, in memory, in db. */
  const killedAfter = (moves: number): void => {
    const incoming = path.join(home, '.restore-1-1');
    const outgoing = path.join(home, '.replaced-1-1');
    mkdirSync(path.join(incoming, 'skills'), { recursive: true });
    mkdirSync(path.join(incoming, 'memory'));
    mkdirSync(outgoing);
    writeFileSync(path.join(incoming, 'coffer.db'), 'new');
    writeFileSync(path.join(incoming, 'skills/a'), 'new skill');
    writeFileSync(path.join(incoming, 'restore.json'), JSON.stringify(['skills', 'memory', 'coffer.db']));
    const steps: [string, string][] = [
      [path.join(home, 'skills'), path.join(outgoing, 'skills')],
      [path.join(home, 'coffer.db'), path.join(outgoing, 'coffer.db')],
      [path.join(incoming, 'skills'), path.join(home, 'skills')],
      [path.join(incoming, 'memory'), path.join(home, 'memory')],
      [path.join(incoming, 'coffer.db'), path.join(home, 'coffer.db')],
    ];
    for (const [from, to] of steps.slice(0, moves)) renameSync(from, to);
  };

  for (const moves of [0, 1, 2, 3, 4]) {
    it(`after ${moves} moves is undone by whoever opens the vault next`, () => {
      killedAfter(moves);
      recoverRestore(pathsOf(home));
      expect([read('coffer.db'), read('skills/a')]).to.deep.equal(['old', 'old skill']);
      expect(readdirSync(home).sort()).to.deep.equal(['coffer.db', 'skills']);
    });
  }

  it('after the database was moved in is done', () => {
    killedAfter(5);
    recoverRestore(pathsOf(home));
    expect([read('coffer.db'), read('skills/a')]).to.deep.equal(['new', 'new skill']);
    expect(readdirSync(home).sort()).to.deep.equal(['coffer.db', 'memory', 'skills']);
  });

  it('while it copied leaves nothing behind', () => {
    mkdirSync(path.join(home, '.restore-1-1'));
    mkdirSync(path.join(home, '.replaced-1-1'));
    recoverRestore(pathsOf(home));
    expect(readdirSync(home).sort()).to.deep.equal(['coffer.db', 'skills']);
  });

  it('is looked for at the start of a daemon', async () => {
    const k = await createTestKernel();
    await k.rest('POST', '/vault/backup', { path: path.join(at, 'backup') });
    expect(statSync(path.join(at, 'backup/coffer.db')).mode & 0o777).to.equal(0o600);
    await k.stop({ keep: true });
    rmSync(home, { recursive: true });
    mkdirSync(home);
    restoreVault(pathsOf(home), path.join(at, 'backup'));
    mkdirSync(path.join(home, '.replaced-2-2'));
    mkdirSync(path.join(home, '.restore-2-2'));
    renameSync(path.join(home, 'coffer.db'), path.join(home, '.replaced-2-2/coffer.db'));
    writeFileSync(path.join(home, '.restore-2-2/coffer.db'), 'half a copy');
    const again = await createTestKernel({ home });
    expect(existsSync(path.join(home, '.restore-2-2'))).to.equal(false);
    expect((await again.rest('GET', '/audit')).body.entries.length).to.be.greaterThan(1);
    await again.stop();
    rmSync(k.home, { recursive: true, force: true });
  });
});
