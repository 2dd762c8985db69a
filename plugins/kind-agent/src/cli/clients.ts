/** Clients that are no agents of the vault: Coffer put in and taken out. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';

export function clientCommands({ Command, Option, rows, text }: Toolkit): Commands {
  abstract class Change extends Command {
    dry = Option.Boolean('--dry-run', false, { description: 'Only show what would change' });
    protected async change(client: string, verb: 'connect' | 'disconnect', done: string): Promise<void> {
      const path = `/clients/${encodeURIComponent(client)}/${verb}`;
      const data = await (await this.daemon()).post(path, { dry_run: this.dry });
      await this.print(data, () => {
        if (data.diff === '')
          return `Nothing ${this.dry ? 'would change' : 'had to change'} in ${text.clean(data.path)}.`;
        const lines = (data.diff as string)
          .split('\n')
          .map((l) => (l.startsWith('+') ? text.green(text.clean(l)) : text.red(text.clean(l))));
        return this.dry
          ? [text.clean(data.path), ...lines].join('\n')
          : `${done} ${text.clean(data.path)}.\n${text.clean(data.then)}`;
      });
    }
  }

  class Connect extends Change {
    static override paths = [['connect']];
    static override usage = Command.Usage({
      description: 'Put Coffer among the MCP servers of a client; without one, list those it knows',
      details: 'Everything else in the file stays as it is; a `.bak` of it is beside it.',
      examples: [
        ['Which are there?', '$0 connect'],
        ['See first what would change', '$0 connect cursor --dry-run'],
      ],
    });
    client = Option.String({ name: 'CLIENT', required: false });
    async execute(): Promise<void> {
      if (this.client !== undefined) return this.change(this.client, 'connect', 'Coffer is now in');
      const data = await (await this.daemon()).get('/clients');
      await this.print(data, () =>
        rows(
          ['CLIENT', 'NAME', 'STATE', 'FILE'],
          (data.clients as Obj[]).map((c) => [
            c.id,
            text.clean(c.label),
            c.problem !== null
              ? text.red('cannot be read')
              : c.connected
                ? text.green('connected')
                : c.found
                  ? 'not connected'
                  : text.dim('not found'),
            text.clean(c.path),
          ]),
          'It knows none.',
        ),
      );
    }
  }

  class Disconnect extends Change {
    static override paths = [['disconnect']];
    static override usage = Command.Usage({
      description: "Take Coffer out of a client's settings, which are then what they were",
    });
    client = Option.String({ name: 'CLIENT' });
    execute(): Promise<void> {
      return this.change(this.client, 'disconnect', 'Coffer is no more in');
    }
  }

  return [Connect, Disconnect];
}
