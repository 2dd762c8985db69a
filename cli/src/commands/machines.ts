import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { CofferCommand, rows } from '../command.js';
import type { Commands } from '../toolkit.js';

class List extends CofferCommand {
  static override paths = [['machines', 'list']];
  static override usage = Command.Usage({ description: 'List the machines that are known' });
  async execute(): Promise<void> {
    const data = await (await this.daemon()).get('/machines');
    await this.print(data, () =>
      rows(
        ['ID', 'NAME', ''],
        (data.machines as Obj[]).map((m) => [m.id, m.display_name, m.this_machine ? 'this machine' : '']),
        'No machine is known.',
      ),
    );
  }
}

class Rename extends CofferCommand {
  static override paths = [['machines', 'rename']];
  static override usage = Command.Usage({ description: 'Give a machine another name; `this` is the one you are on' });
  id = Option.String({ name: 'ID' });
  name = Option.String({ name: 'NAME' });
  async execute(): Promise<void> {
    const api = await this.daemon();
    const id =
      this.id === 'this' ? ((await api.get('/machines')).machines as Obj[]).find((m) => m.this_machine)?.id : this.id;
    const machine = await api.request('PATCH', `/machines/${encodeURIComponent(id)}`, {
      body: { display_name: this.name },
    });
    await this.print(machine, `${machine.id} is called ${machine.display_name}.`);
  }
}

export default [List, Rename] satisfies Commands;
