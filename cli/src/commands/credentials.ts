import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { confirm, secret } from '../ask.js';
import { CofferCommand, rows } from '../command.js';
import { Failure, usage } from '../failure.js';
import { when } from '../text.js';
import type { Commands } from '../toolkit.js';

const at = (ref: string): string => `/credentials/${encodeURIComponent(ref)}`;

class Set extends CofferCommand {
  static override paths = [['credentials', 'set']];
  static override usage = Command.Usage({
    description: 'Store a secret, typed at a hidden prompt or given on stdin',
    examples: [['From another program', 'pass show github | $0 credentials set github/token']],
  });
  ref = Option.String({ name: 'REF' });
  async execute(): Promise<void> {
    const api = await this.daemon();
    await api.post('/credentials', { ref: this.ref, value: await secret(`Value of ${this.ref}: `) });
    await this.print({ ref: this.ref }, `Stored ${this.ref}.`);
  }
}

class Get extends CofferCommand {
  static override paths = [['credentials', 'get']];
  static override usage = Command.Usage({
    description: 'Say whether a secret is stored; with --show, print it (audited)',
  });
  ref = Option.String({ name: 'REF' });
  reveal = Option.Boolean('--show', false, { description: 'Print the value' });
  async execute(): Promise<void> {
    const api = await this.daemon();
    if (this.reveal) {
      const { value } = await api.get(at(this.ref));
      await this.print({ ref: this.ref, value }, value);
      return;
    }
    const { present } = await api.get(`${at(this.ref)}/exists`);
    if (!present)
      throw new Failure('CREDENTIAL_NOT_FOUND', 'there is no credential of that name. See: coffer credentials list', {
        status: 404,
      });
    await this.print({ ref: this.ref, value: '********' }, `${this.ref} is stored. --show prints it.`);
  }
}

class List extends CofferCommand {
  static override paths = [['credentials', 'list']];
  static override usage = Command.Usage({ description: 'List the names of stored secrets and what uses them' });
  async execute(): Promise<void> {
    const { credentials } = await (await this.daemon()).get('/credentials');
    await this.print({ refs: credentials }, () =>
      rows(
        ['REF', 'CHANGED', 'LOCKED', 'USED BY'],
        (credentials as Obj[]).map((c) => [c.ref, when(c.updated_at), c.locked ? 'yes' : 'no', c.cited_by.join(', ')]),
        'No credentials are stored.',
      ),
    );
  }
}

class Delete extends CofferCommand {
  static override paths = [['credentials', 'delete']];
  static override usage = Command.Usage({ description: 'Delete a secret that nothing uses' });
  ref = Option.String({ name: 'REF' });
  force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
  async execute(): Promise<void> {
    const api = await this.daemon();
    await confirm(`Delete the credential ${this.ref}?`, this.force);
    await api.request('DELETE', at(this.ref));
    await this.print({ deleted: this.ref }, `Deleted ${this.ref}.`);
  }
}

class Storage extends CofferCommand {
  static override paths = [['credentials', 'storage']];
  static override usage = Command.Usage({ description: 'Show or choose where the master key lives: file or keychain' });
  set = Option.String('--set', { description: 'file or keychain' });
  async execute(): Promise<void> {
    if (this.set !== undefined && this.set !== 'file' && this.set !== 'keychain')
      throw usage('--set takes file or keychain.');
    const api = await this.daemon();
    const data =
      this.set === undefined
        ? await api.get('/settings/credentials')
        : await api.request('PUT', '/settings/credentials', { body: { master_key_storage: this.set } });
    await this.print(
      data,
      `The master key is in the ${data.master_key_storage === 'file' ? 'file master.key of the vault' : 'system keychain'}.`,
    );
  }
}

export default [Set, Get, List, Delete, Storage] satisfies Commands;
