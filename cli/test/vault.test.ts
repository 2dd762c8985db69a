import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isRunning } from '../src/daemon/process.js';
import { createHome, EXAMPLE, type Home } from './harness.js';

describe('coffer backup and restore', function () {
  this.timeout(60_000);
  let home: Home;
  let dest: string;
  beforeEach(async () => {
    home = createHome();
    dest = join(home.dir, 'backups', 'one');
    await home.ok(['daemon', 'start']);
    await home.ok(['plugin', 'add', EXAMPLE, '--yes']);
    await home.ok(['resource', 'add', 'bookmark', 'kept', '--set', 'title=Kept', '--set', 'url=https://kept.example/']);
    await home.ok(['credentials', 'set', 'a/key'], { input: 'hush' });
    mkdirSync(join(home.dir, 'knowledge'));
    writeFileSync(join(home.dir, 'knowledge', 'note.md'), '# kept\r\n');
  });
  afterEach(() => home.done());

  const spoil = async (): Promise<void> => {
    await home.ok(['resource', 'delete', 'bookmark:kept', '--force']);
    await home.ok(['credentials', 'delete', 'a/key', '--force']);
    writeFileSync(join(home.dir, 'knowledge', 'note.md'), 'spoilt');
  };
  const intact = async (): Promise<void> => {
    expect((await home.json(['resource', 'show', 'bookmark:kept'])).config.title).to.equal('Kept');
    expect(await home.ok(['credentials', 'get', 'a/key', '--show'])).to.equal('hush\n');
    expect(readFileSync(join(home.dir, 'knowledge', 'note.md'), 'utf8')).to.equal('# kept\r\n');
  };

  it('come around with a running daemon, which is stopped and started again', async () => {
    const ran = await home.run(['backup', dest]);
    expect(ran.code, ran.err).to.equal(0);
    expect(ran.err).to.include('master key is not in it');
    expect(existsSync(join(dest, 'master.key'))).to.equal(false);
    expect((await home.json(['audit', 'list', '--event-type', 'backup_created'])).audit_events).to.have.length(1);
    await spoil();
    const { pid } = home.record();
    expect(await home.ok(['restore', dest, '--force'])).to.include('runs again');
    expect(isRunning(pid)).to.equal(false);
    expect(home.record().pid).to.not.equal(pid);
    await intact();
  });

  it('come around without a daemon, which stays stopped', async () => {
    await home.ok(['daemon', 'stop']);
    const report = await home.json(['backup', dest]);
    expect(report).to.include({ path: dest, includes_master_key: false });
    expect(report.trees).to.include('knowledge');
    await home.ok(['daemon', 'start']);
    await spoil();
    await home.ok(['daemon', 'stop']);
    expect(await home.ok(['restore', dest, '--force'])).to.include('coffer up');
    expect(existsSync(join(home.dir, 'daemon.json'))).to.equal(false);
    await home.ok(['daemon', 'start']);
    await intact();
  });

  it('take the master key along only when told, with a warning of its own', async () => {
    for (const running of [true, false]) {
      if (!running) await home.ok(['daemon', 'stop']);
      const to = `${dest}-${running}`;
      const ran = await home.run(['backup', to, '--include-master-key']);
      expect(ran.err).to.include('holds the master key');
      expect(statSync(join(to, 'master.key')).mode & 0o777).to.equal(0o600);
    }
  });

  it('take a path from where the command runs', async () => {
    await home.ok(['backup', 'here'], { cwd: home.dir });
    expect(existsSync(join(home.dir, 'here', 'coffer.db'))).to.equal(true);
  });

  it('refuse what is in the way, what is no backup, and what nobody agreed to', async () => {
    await home.ok(['backup', dest]);
    expect((await home.run(['backup', dest])).err).to.match(/^BACKUP_INVALID: /);
    expect((await home.run(['backup', dest])).code).to.equal(6);
    const { pid } = home.record();
    const none = await home.run(['restore', join(home.dir, 'knowledge'), '--force']);
    expect(none.code).to.equal(6);
    expect(none.err).to.match(/^BACKUP_INVALID: .*no coffer\.db/);
    expect((await home.run(['restore', dest])).err).to.match(/^NEEDS_CONFIRMATION: .*--force/);
    expect(home.record().pid).to.equal(pid);
    expect(isRunning(pid)).to.equal(true);
    await intact();
  });

  it('say that there is nothing to back up where no vault is', async () => {
    const ran = await home.run(['backup', dest], { env: { COFFER_HOME: join(home.dir, 'nowhere') } });
    expect(ran.code).to.equal(4);
    expect(ran.err).to.match(/^NOT_FOUND: .*nothing to back up/);
    expect(existsSync(join(home.dir, 'nowhere'))).to.equal(false);
  });
});
