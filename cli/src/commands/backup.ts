import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { confirm } from '../ask.js';
import { connect } from '../api.js';
import { CofferCommand } from '../command.js';
import { checkMaySpawn, ensureDaemon, runningStatus } from '../daemon/start.js';
import { stopDaemon } from '../daemon/stop.js';
import { home } from '../home.js';
import { version } from '../product.js';
import { progress } from '../progress.js';
import { bytes, yellow } from '../text.js';
import type { Commands } from '../toolkit.js';

class Backup extends CofferCommand {
  static override paths = [['backup']];
  static override usage = Command.Usage({
    description: 'Write a backup of the vault into a new folder; works with and without a daemon',
    details:
      'Without `--include-master-key` the credentials in a backup cannot be read by whoever gets it, nor by you without the key.',
  });
  dest = Option.String({ name: 'DEST' });
  includeKey = Option.Boolean('--include-master-key', false, {
    description: 'Also copy the key that opens the credentials',
  });
  async execute(): Promise<void> {
    const dest = resolve(this.dest);
    const report = await progress('Writing the backup', () => this.write(dest));
    const note = report.includes_master_key
      ? 'It holds the master key: whoever has this folder can read every credential. Keep it safe.'
      : 'The master key is not in it. Without that key the credentials of this backup stay closed: keep a copy of it elsewhere, or use --include-master-key.';
    await this.print(report, `Wrote ${report.path} (${bytes(report.size_bytes)}).`);
    this.context.stderr.write(`${yellow(note, process.stderr)}\n`);
  }
  private async write(dest: string): Promise<Obj> {
    if ((await runningStatus()) !== undefined)
      return (await connect()).post('/vault/backup', { path: dest, include_master_key: this.includeKey }, 600_000);
    const { TREES, backupVault, pathsOf, withVaultLock } = await import('@coffer/kernel/vault');
    const paths = pathsOf(home());
    const work = async (): Promise<Obj> => ({
      ...(await backupVault(paths, dest, {
        trees: TREES,
        includeMasterKey: this.includeKey,
        now: new Date(),
        version: version(),
      })),
    });
    const { existsSync } = await import('node:fs');
    // The lock lies inside the home: without one there is nothing to back up and nothing to lock.
    return existsSync(paths.home) ? withVaultLock(paths, work) : work();
  }
}

class Restore extends CofferCommand {
  static override paths = [['restore']];
  static override usage = Command.Usage({
    description: 'Put a backup in place of the vault; a running daemon is stopped for it and started again',
  });
  src = Option.String({ name: 'SRC' });
  force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
  async execute(): Promise<void> {
    const { checkBackup, ensureHome, isPopulated, pathsOf, restoreVault, withVaultLock } =
      await import('@coffer/kernel/vault');
    const src = resolve(this.src);
    const paths = pathsOf(home());
    // A backup that is none must not cost a running daemon.
    checkBackup(src);
    const running = (await runningStatus()) !== undefined;
    if (running) checkMaySpawn();
    if (running || isPopulated(paths)) {
      await confirm(
        `Replace the vault ${paths.home} by this backup${running ? ', stopping the daemon for it' : ''}?`,
        this.force,
      );
    }
    if (running) await progress('Stopping the Coffer daemon', stopDaemon);
    let done: { trees: string[]; master_key: boolean };
    try {
      ensureHome(paths);
      done = await progress('Restoring', () => withVaultLock(paths, () => Promise.resolve(restoreVault(paths, src))));
    } finally {
      // Whether it worked or not: what ran before runs again.
      if (running) await progress('Starting the Coffer daemon', ensureDaemon);
    }
    const key = done.master_key
      ? ''
      : '\nThe backup has no master key: the one of this vault stays, and must be the one that the credentials were stored with.';
    await this.print(
      { ...done, restarted: running },
      `Restored ${paths.home}.${key}\n${running ? 'The daemon runs again.' : 'Start it with: coffer up'}`,
    );
  }
}

export default [Backup, Restore] satisfies Commands;
