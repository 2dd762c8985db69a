import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { CofferCommand, rows } from '../command.js';
import { since, whole } from '../input.js';
import { clean, when } from '../text.js';
import type { Commands } from '../toolkit.js';

class List extends CofferCommand {
  static override paths = [['audit', 'list']];
  static override usage = Command.Usage({ description: 'List changes, newest first' });
  kind = Option.String('--kind', { description: 'Only resources of this kind' });
  name = Option.String('--name', { description: 'Only resources of this name' });
  eventType = Option.String('--event-type', { description: 'For example resource_created' });
  actor = Option.String('--actor', { description: 'cli, api, ui, system or agent' });
  since = Option.String('--since', { description: 'A date, or an age such as 2h' });
  limit = Option.String('--limit', { description: '1 to 500, default 50' });
  cursor = Option.String('--cursor', { description: '"next" of the page before' });
  async execute(): Promise<void> {
    const query = {
      kind: this.kind,
      name: this.name,
      event_type: this.eventType,
      actor: this.actor,
      since: since(this.since),
      limit: whole(this.limit, '--limit', 1, 500),
      cursor: whole(this.cursor, '--cursor', 1, Number.MAX_SAFE_INTEGER),
    };
    const { entries, next } = await (await this.daemon()).get('/audit', query);
    await this.print({ audit_events: entries, next }, async () => {
      const list = await rows(
        ['WHEN', 'EVENT', 'RESOURCE', 'ACTOR', 'DETAILS'],
        (entries as Obj[]).map((e) => [
          when(e.timestamp),
          e.event_type,
          e.resource_kind ? `${e.resource_kind}:${e.resource_name}` : '',
          e.actor,
          clean(e.details).slice(0, 100),
        ]),
        'Nothing was recorded.',
      );
      return next === null ? list : `${list}\n… older ones: --cursor ${next}`;
    });
  }
}

export default [List] satisfies Commands;
