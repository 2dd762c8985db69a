import { Command } from 'clipanion';
import { runChecks } from '../checks.js';
import { CofferCommand } from '../command.js';
import { progress } from '../progress.js';
import { green, red, yellow } from '../text.js';
import type { Commands } from '../toolkit.js';

const WORDS = { ok: green('ok  '), warn: yellow('warn'), fail: red('fail') };

class Doctor extends CofferCommand {
  static override paths = [['doctor']];
  static override usage = Command.Usage({
    description: 'Check this installation and say what to do; exit code 1 when something fails',
  });
  async execute(): Promise<number> {
    const checks = await progress('Looking around', runChecks);
    const healthy = checks.every((c) => c.state !== 'fail');
    await this.print(
      { ok: healthy, checks },
      checks.map((c) => `${WORDS[c.state]}  ${c.name.padEnd(12)} ${c.message}`).join('\n'),
    );
    return healthy ? 0 : 1;
  }
}

export default [Doctor] satisfies Commands;
