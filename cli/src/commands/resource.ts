import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { confirm } from '../ask.js';
import { CofferCommand, rows } from '../command.js';
import { usage } from '../failure.js';
import { jsonObject, parseRef, readSource, withSettings } from '../input.js';
import { clean, health, when } from '../text.js';
import type { Commands } from '../toolkit.js';

const CONFIG = { description: 'A file with the config as JSON, or - for stdin' };
const SET = { description: 'key=value in the config; dots go deeper, values are JSON or plain text (repeat)' };

class List extends CofferCommand {
  static override paths = [['resource', 'list']];
  static override usage = Command.Usage({ description: 'List resources' });
  kind = Option.String('--kind', { description: 'Only this kind' });
  async execute(): Promise<void> {
    const data = await (await this.daemon()).get('/resources', { kind: this.kind });
    await this.print(data, () =>
      rows(
        ['REF', 'ENABLED', 'STATUS', 'SCOPE', 'DESCRIPTION'],
        (data.resources as Obj[]).map((r) => [
          r.ref,
          r.enabled ? 'yes' : 'no',
          health(r.status.status),
          scopeWord(r.scope),
          clean(r.description),
        ]),
        'There are no resources yet.',
      ),
    );
  }
}

const scopeWord = (scope: Obj | null): string =>
  scope === null ? 'everywhere' : Object.keys(scope).length === 0 ? 'nowhere' : 'limited';

class Show extends CofferCommand {
  static override paths = [['resource', 'show']];
  static override usage = Command.Usage({ description: 'Show one resource' });
  ref = Option.String({ name: 'REF' });
  async execute(): Promise<void> {
    const r = await (await this.daemon()).get(parseRef(this.ref).path);
    await this.print(r, () => page(r));
  }
}

function page(r: Obj): string {
  const reason = r.status?.reason ? `  ${clean(r.status.reason)}` : '';
  return [
    `${r.ref}${r.description ? `  ${clean(r.description)}` : ''}`,
    `enabled  ${r.enabled ? 'yes' : 'no'}`,
    `status   ${health(r.status?.status ?? 'unknown')}${reason}`,
    `scope    ${scopeWord(r.scope)}`,
    `created  ${when(r.created_at)}, changed ${when(r.updated_at)}`,
    `config   ${JSON.stringify(r.config, null, 2).split('\n').join('\n         ')}`,
  ].join('\n');
}

class Add extends CofferCommand {
  static override paths = [['resource', 'add']];
  static override usage = Command.Usage({
    description: 'Register a resource of any kind',
    examples: [
      [
        'A bookmark',
        '$0 resource add bookmark docs --set title=Docs --set url=https://example.org --set \'tags=["read"]\'',
      ],
    ],
  });
  kind = Option.String({ name: 'KIND' });
  name = Option.String({ name: 'NAME' });
  config = Option.String('--config', CONFIG);
  settings = Option.Array('--set', SET);
  description = Option.String('--description', { description: 'What it is for' });
  async execute(): Promise<void> {
    const config = withSettings(
      this.config === undefined ? {} : jsonObject(await readSource(this.config), 'the config'),
      this.settings,
    );
    const body = {
      kind: this.kind,
      name: this.name,
      config,
      ...(this.description !== undefined && { description: this.description }),
    };
    const r = await (await this.daemon()).post('/resources', body, 150_000);
    await this.print(r, `Registered ${r.ref}.`);
  }
}

class Update extends CofferCommand {
  static override paths = [['resource', 'update']];
  static override usage = Command.Usage({
    description: 'Change config or description of a resource',
    details: '`--config` replaces the whole config, `--set` changes single values of it.',
  });
  ref = Option.String({ name: 'REF' });
  config = Option.String('--config', CONFIG);
  settings = Option.Array('--set', SET);
  description = Option.String('--description', { description: 'What it is for' });
  async execute(): Promise<void> {
    if (this.config === undefined && this.settings === undefined && this.description === undefined)
      throw usage('resource update takes --config, --set or --description.');
    const { path } = parseRef(this.ref);
    const api = await this.daemon();
    const body: Obj = {};
    if (this.description !== undefined) body.description = this.description === '' ? null : this.description;
    if (this.config !== undefined || this.settings !== undefined) {
      const before = await api.get(path);
      const base = this.config === undefined ? before.config : jsonObject(await readSource(this.config), 'the config');
      body.config = withSettings(base, this.settings);
      body.expected_updated_at = before.updated_at;
    }
    const r = await api.request('PATCH', path, { body, timeoutMs: 150_000 });
    await this.print(r, `Updated ${r.ref}.`);
  }
}

abstract class Toggle extends CofferCommand {
  ref = Option.String({ name: 'REF' });
  protected async toggle(verb: 'enable' | 'disable'): Promise<void> {
    const r = await (await this.daemon()).post(`${parseRef(this.ref).path}/${verb}`);
    await this.print(r, `${r.ref} is ${verb}d.`);
  }
}
class Enable extends Toggle {
  static override paths = [['resource', 'enable']];
  static override usage = Command.Usage({ description: 'Enable a resource' });
  execute(): Promise<void> {
    return this.toggle('enable');
  }
}
class Disable extends Toggle {
  static override paths = [['resource', 'disable']];
  static override usage = Command.Usage({ description: 'Disable a resource without deleting it' });
  execute(): Promise<void> {
    return this.toggle('disable');
  }
}

class Delete extends CofferCommand {
  static override paths = [['resource', 'delete']];
  static override usage = Command.Usage({ description: 'Delete a resource; its audit rows stay' });
  ref = Option.String({ name: 'REF' });
  force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
  async execute(): Promise<void> {
    const { path } = parseRef(this.ref);
    const api = await this.daemon();
    await api.get(path);
    await confirm(`Delete ${this.ref}?`, this.force);
    await api.request('DELETE', path);
    await this.print({ deleted: this.ref }, `Deleted ${this.ref}.`);
  }
}

export default [List, Show, Add, Update, Enable, Disable, Delete] satisfies Commands;
