import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { CofferCommand, rows } from '../command.js';
import { usage } from '../failure.js';
import { whole } from '../input.js';
import { count, when } from '../text.js';
import type { Commands } from '../toolkit.js';

const kept = (days: number | null): string => (days === null ? 'for ever' : count(days, 'day'));

class List extends CofferCommand {
  static override paths = [['retention', 'list']];
  static override usage = Command.Usage({ description: 'List the logs and how long each is kept' });
  async execute(): Promise<void> {
    const data = await (await this.daemon()).get('/retention/policies');
    await this.print(data, () =>
      rows(
        ['TABLE', 'KEPT', 'LAST PRUNED', 'ROWS', 'WHAT'],
        (data.policies as Obj[]).map((p) => [
          p.table_name,
          kept(p.retention_days),
          when(p.last_pruned_at),
          String(p.last_pruned_rows ?? ''),
          p.description,
        ]),
        'There are no logs.',
      ),
    );
  }
}

class Set extends CofferCommand {
  static override paths = [['retention', 'set']];
  static override usage = Command.Usage({ description: 'Keep a log for so many days, or for ever' });
  table = Option.String({ name: 'TABLE' });
  days = Option.String('--days', { description: '1 to 3650' });
  forever = Option.Boolean('--forever', false, { description: 'Never delete' });
  async execute(): Promise<void> {
    if ((this.days === undefined) !== this.forever) throw usage('retention set takes either --days N or --forever.');
    const retention_days = whole(this.days, '--days', 1, 3650) ?? null;
    const policy = await (
      await this.daemon()
    ).request('PATCH', `/retention/policies/${encodeURIComponent(this.table)}`, { body: { retention_days } });
    await this.print(policy, `${policy.table_name} is kept ${kept(policy.retention_days)}.`);
  }
}

class PruneNow extends CofferCommand {
  static override paths = [['retention', 'prune-now']];
  static override usage = Command.Usage({ description: 'Delete now what is older than its log allows' });
  table = Option.String('--table', { description: 'Only this log' });
  async execute(): Promise<void> {
    const data = await (
      await this.daemon()
    ).post('/retention/prune', this.table === undefined ? {} : { table_name: this.table }, 300_000);
    await this.print(
      data,
      Object.entries(data.tables as Record<string, number>)
        .map(([t, n]) => `${t}: ${count(n, 'row')} deleted`)
        .join('\n'),
    );
  }
}

export default [List, Set, PruneNow] satisfies Commands;
