import { join } from 'node:path';
import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { unreachable } from '../api.js';
import { CofferCommand } from '../command.js';
import { checkMaySpawn, ensureDaemon, runningStatus } from '../daemon/start.js';
import { stopDaemon } from '../daemon/stop.js';
import { usage } from '../failure.js';
import { home } from '../home.js';
import { whole } from '../input.js';
import { progress } from '../progress.js';
import { describeStatus } from '../status.js';
import type { Commands } from '../toolkit.js';

class Start extends CofferCommand {
  static override paths = [['daemon', 'start']];
  static override usage = Command.Usage({
    description: 'Start the daemon in the background; --foreground makes this process the daemon',
  });
  foreground = Option.Boolean('--foreground', false, {
    description: 'Run in this process until it is stopped; takes no other flag',
  });
  async execute(): Promise<void> {
    // The launcher has already taken the plain form, see bin/coffer.js.
    if (this.foreground) throw usage('daemon start --foreground takes no other flag.');
    const { status, started } = await progress('Starting the Coffer daemon', ensureDaemon);
    await this.print(
      { ...status, started },
      `The daemon ${started ? 'has started' : 'is running already'} on port ${status.port} (process ${status.pid}).`,
    );
  }
}

class Stop extends CofferCommand {
  static override paths = [['daemon', 'stop']];
  static override usage = Command.Usage({ description: 'Stop the daemon; fine when it is not running' });
  async execute(): Promise<void> {
    const result = await progress('Stopping the Coffer daemon', stopDaemon);
    const words = {
      stopped: 'The daemon has stopped.',
      'not running': 'The daemon is not running.',
      'stale record':
        'The daemon is not running; its record is left over from an earlier run and the next start replaces it.',
    };
    await this.print({ result: result === 'stopped' ? 'stopped' : 'not_running' }, words[result]);
  }
}

class Status extends CofferCommand {
  static override paths = [['daemon', 'status']];
  static override usage = Command.Usage({ description: 'Show whether the daemon runs, where, and how its parts are' });
  async execute(): Promise<void> {
    const status = await runningStatus();
    if (status === undefined) throw unreachable();
    await this.print(status, describeStatus(status));
  }
}

class Restart extends CofferCommand {
  static override paths = [['daemon', 'restart']];
  static override usage = Command.Usage({ description: 'Stop the daemon if it runs, and start it' });
  async execute(): Promise<void> {
    checkMaySpawn();
    await progress('Stopping the Coffer daemon', stopDaemon);
    const { status } = await progress('Starting the Coffer daemon', ensureDaemon);
    await this.print(status, `The daemon has started on port ${status.port} (process ${status.pid}).`);
  }
}

class RotateToken extends CofferCommand {
  static override paths = [['daemon', 'rotate-token']];
  static override usage = Command.Usage({
    description: 'Give the daemon a new token; the old one and every browser session end at once',
  });
  async execute(): Promise<void> {
    const data = await (await this.daemon()).post('/daemon/rotate-token');
    await this.print(data, 'The token is new. CLI and shim find it by themselves; open the UI again with: coffer open');
  }
}

class Logs extends CofferCommand {
  static override paths = [['daemon', 'logs']];
  static override usage = Command.Usage({ description: 'Print the end of the daemon log; works without a daemon too' });
  following = Option.Boolean('-f,--follow', false, {
    description: 'Go on with what is added; with --json, one JSON object a line',
  });
  lines = Option.String('-n,--lines', { description: 'How many lines, 1 to 10000 (default 50)' });
  async execute(): Promise<void> {
    const [{ follow, tail }, { readable }] = await Promise.all([
      import('../daemon/follow.js'),
      import('../daemon/log-lines.js'),
    ]);
    const file = join(home(), 'logs', 'daemon.log');
    const { lines, size } = tail(file, whole(this.lines, '--lines', 1, 10_000) ?? 50);
    if (!this.following) {
      await this.print(
        { lines: lines.map(parsed) },
        lines.length === 0 ? `Nothing was logged yet in ${file}.` : lines.map(readable).join('\n'),
      );
      return;
    }
    const show = (line: string): void =>
      void this.context.stdout.write(`${this.json ? JSON.stringify(parsed(line)) : readable(line)}\n`);
    lines.forEach(show);
    await follow(file, size, show);
  }
}

/** A log line as an object; what the daemon did not log itself (a crash) has only a message. */
function parsed(line: string): Obj {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // not a line of the logger
  }
  return { msg: line };
}

export default [Start, Stop, Status, Restart, RotateToken, Logs] satisfies Commands;
