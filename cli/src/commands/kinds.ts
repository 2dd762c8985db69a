import { Command } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { CofferCommand, rows } from '../command.js';
import type { Commands } from '../toolkit.js';

class Kinds extends CofferCommand {
  static override paths = [['kinds'], ['resource', 'kinds']];
  static override usage = Command.Usage({ description: 'List the kinds of resources and who defines them' });
  async execute(): Promise<void> {
    const data = await (await this.daemon()).get('/kinds');
    await this.print(data, () =>
      rows(
        ['KIND', 'LABEL', 'PLUGIN', 'SCOPE', 'CONFIG'],
        (data.kinds as Obj[]).map((k) => [
          k.kind,
          k.label.many,
          k.plugin,
          k.scope_axes.join(' x ') || 'none',
          fields(k.schema),
        ]),
        'No plugin defines a kind. See: coffer plugin list',
      ),
    );
  }
}

/** Names of a config's fields; those it cannot do without bear a star. */
function fields(schema: Obj): string {
  const required = new Set<string>(schema.required ?? []);
  return Object.keys((schema.properties ?? {}) as Obj)
    .map((f) => (required.has(f) ? `${f}*` : f))
    .join(', ');
}

export default [Kinds] satisfies Commands;
