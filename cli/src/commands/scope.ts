import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { CofferCommand } from '../command.js';
import { usage } from '../failure.js';
import { pairs, parseRef } from '../input.js';
import type { Commands } from '../toolkit.js';

abstract class ScopeCommand extends CofferCommand {
  ref = Option.String({ name: 'REF' });

  protected async show(): Promise<void> {
    const { scope, axes } = await (await this.daemon()).get(`${parseRef(this.ref).path}/scope`);
    await this.print(
      { scope, axes },
      axes.length === 0 ? 'This kind has no scope: it is visible everywhere.' : describeScope(scope),
    );
  }
  protected async put(scope: Obj | null): Promise<void> {
    await (await this.daemon()).request('PUT', `${parseRef(this.ref).path}/scope`, { body: { scope } });
    await this.show();
  }
}

const paths = (verb: string): string[][] => [
  ['scope', verb],
  ['resource', 'scope', verb],
];

class Show extends ScopeCommand {
  static override paths = paths('show');
  static override usage = Command.Usage({ description: 'Show which machines and agents see a resource' });
  execute(): Promise<void> {
    return this.show();
  }
}

class Set extends ScopeCommand {
  static override paths = paths('set');
  static override usage = Command.Usage({
    description: 'Say which machines and agents see a resource',
    details:
      'The exact machine wins over `*`. `this` stands for the id of this machine. What is not named sees nothing.',
    examples: [
      ['Only Claude Code, on every machine', '$0 scope set mcp_server:files --machine "*=claude-code"'],
      ['Everyone, but only here', '$0 scope set mcp_server:files --machine "this=*"'],
    ],
  });
  machine = Option.Array('--machine', { description: 'ID=agent,agent or ID=* (repeat; * for every machine)' });
  nowhere = Option.Boolean('--nowhere', false, { description: 'Visible nowhere' });

  async execute(): Promise<void> {
    if ((this.machine === undefined) !== this.nowhere)
      throw usage(
        'scope set takes --machine ID=agent,agent (or ID=*), or --nowhere. For everywhere: coffer scope clear REF',
      );
    const scope: Obj = {};
    for (const [id, agents] of Object.entries(pairs(this.machine, '--machine'))) {
      scope[id === 'this' ? await this.here() : id] =
        agents === '*'
          ? '*'
          : agents
              .split(',')
              .map((a) => a.trim())
              .filter((a) => a !== '');
    }
    await this.put(scope);
  }
  private async here(): Promise<string> {
    const { machines } = await (await this.daemon()).get('/machines');
    return (machines as Obj[]).find((m) => m.this_machine)?.id;
  }
}

class Clear extends ScopeCommand {
  static override paths = paths('clear');
  static override usage = Command.Usage({ description: 'Make a resource visible everywhere again' });
  execute(): Promise<void> {
    return this.put(null);
  }
}

function describeScope(scope: Obj | null): string {
  if (scope === null) return 'Visible everywhere, to every agent.';
  const entries = Object.entries(scope);
  if (entries.length === 0) return 'Visible nowhere.';
  return entries
    .map(([machine, agents]) => {
      const where = machine === '*' ? 'on every other machine' : `on machine ${machine}`;
      const who = agents === '*' ? 'every agent' : agents.length === 0 ? 'nobody' : agents.join(', ');
      return `${entries.length === 1 && machine === '*' ? 'on every machine' : where}: ${who}`;
    })
    .join('\n');
}

export default [Show, Set, Clear] satisfies Commands;
