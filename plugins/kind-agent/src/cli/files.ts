/** The agent's own files, by their keys. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { at } from './at.js';

export function fileCommands({ Command, Option, rows, ask, input, text }: Toolkit): Commands {
  abstract class OfAgent extends Command {
    name = Option.String({ name: 'NAME' });
  }
  abstract class OfFile extends OfAgent {
    key = Option.String({ name: 'KEY' });
  }

  class Ls extends OfAgent {
    static override paths = [['agent', 'config', 'ls']];
    static override usage = Command.Usage({ description: "List the agent's own files" });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(at(this.name, 'config-files'));
      await this.print(data, () =>
        rows(
          ['KEY', 'WHAT', 'SIZE', 'CHANGED', 'FILE'],
          (data.items as Obj[]).map((f) => [
            f.key,
            text.clean(f.display_name),
            f.kind === 'directory' ? text.count(f.files.length, 'file') : f.exists ? text.bytes(f.size) : '-',
            f.modified_at === null ? '' : text.when(f.modified_at),
            text.clean(f.path),
          ]),
          'There is none.',
        ),
      );
    }
  }

  class Cat extends OfFile {
    static override paths = [['agent', 'config', 'cat']];
    static override usage = Command.Usage({ description: "Print one of the agent's files" });
    child = Option.String({ name: 'FILE', required: false });
    async execute(): Promise<void> {
      const more = this.child === undefined ? [] : ['files', this.child];
      const data = await (await this.daemon()).get(at(this.name, 'config-files', this.key, ...more));
      if (this.json) return this.print(data, '');
      this.context.stdout.write(data.content as string);
    }
  }

  class Edit extends OfFile {
    static override paths = [['agent', 'config', 'edit']];
    static override usage = Command.Usage({
      description: "Replace one of the agent's files; a `.bak` of it stays",
      examples: [['From a file', '$0 agent config edit codex config --from-file config.toml']],
    });
    from = Option.String('--from-file', { required: true, description: 'The new text; - for standard input' });
    fingerprint = Option.String('--fingerprint', {
      description: 'Only if the file is still the one that `cat --json` told',
    });
    async execute(): Promise<void> {
      const content = await input.readSource(this.from);
      const body = { content, ...(this.fingerprint !== undefined && { fingerprint: this.fingerprint }) };
      const data = await (await this.daemon()).request('PUT', at(this.name, 'config-files', this.key), { body });
      await this.print(data, `Written: ${this.key} of ${this.name}.`);
    }
  }

  class Files extends OfFile {
    static override paths = [['agent', 'config', 'files']];
    static override usage = Command.Usage({ description: "List the files of one of the agent's folders" });
    async execute(): Promise<void> {
      const { items } = await (await this.daemon()).get(at(this.name, 'config-files'));
      const files = ((items as Obj[]).find((f) => f.key === this.key)?.files ?? []) as string[];
      await this.print({ files }, files.map(text.clean).join('\n') || 'There is none.');
    }
  }

  class Write extends OfFile {
    static override paths = [['agent', 'config', 'write']];
    static override usage = Command.Usage({ description: "Make or replace a file in one of the agent's folders" });
    child = Option.String({ name: 'FILE' });
    from = Option.String('--from-file', { required: true, description: 'Its text; - for standard input' });
    async execute(): Promise<void> {
      const content = await input.readSource(this.from);
      const path = at(this.name, 'config-files', this.key, 'files', this.child);
      const data = await (await this.daemon()).request('PUT', path, { body: { content } });
      await this.print(data, `Written: ${text.clean(this.child)}.`);
    }
  }

  class Remove extends OfFile {
    static override paths = [['agent', 'config', 'rm']];
    static override usage = Command.Usage({
      description: "Delete a file in one of the agent's folders; a `.bak` stays",
    });
    child = Option.String({ name: 'FILE' });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await ask.confirm(`Delete ${this.child} of ${this.name}?`, this.force);
      await api.request('DELETE', at(this.name, 'config-files', this.key, 'files', this.child));
      await this.print({ removed: this.child }, `Deleted ${text.clean(this.child)}.`);
    }
  }

  return [Ls, Cat, Edit, Files, Write, Remove];
}
