/** Looking at skills, their files, and taking them away. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { KIND } from '../config.js';

const at = (name: string): string => `/skills/${encodeURIComponent(name)}`;

export function skillCommands({ Command, Option, rows, ask, text, input }: Toolkit): Commands {
  class List extends Command {
    static override paths = [['skill', 'list']];
    static override usage = Command.Usage({ description: 'List skills, and where each is delivered' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/skills');
      const skills = data.skills as Obj[];
      await this.print(data, async () =>
        [
          await rows(
            ['NAME', 'ENABLED', 'STATE', 'SOURCE', 'AGENTS', 'DESCRIPTION'],
            skills.map((s) => [
              s.name,
              s.enabled ? 'yes' : 'no',
              state(s),
              s.source.type,
              text.clean(delivered(s)),
              text.clean(s.description),
            ]),
            'There are no skills yet. Bring some in: coffer skill import PATH, URL or ZIP; or look: coffer skill unmanaged',
          ),
          ...skills.flatMap((s) => (s.problem === null ? [] : [text.red(`${s.name}: ${problem(s.problem as Obj)}`)])),
        ].join('\n'),
      );
    }
  }

  class Show extends Command {
    static override paths = [['skill', 'show']];
    static override usage = Command.Usage({ description: 'Show one skill' });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).get(at(this.name));
      await this.print(s, page(s));
    }
  }

  class Files extends Command {
    static override paths = [['skill', 'files']];
    static override usage = Command.Usage({ description: 'List the files of a skill' });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(`${at(this.name)}/files`);
      const flat = (nodes: Obj[]): Obj[] => nodes.flatMap((n) => (n.children ? flat(n.children as Obj[]) : [n]));
      await this.print(data, () =>
        rows(
          ['FILE', 'SIZE'],
          flat(data.files as Obj[]).map((f) => [text.clean(f.path), f.type === 'link' ? 'link' : text.bytes(f.size)]),
          'The folder of this skill is empty or gone.',
        ),
      );
    }
  }

  class Cat extends Command {
    static override paths = [['skill', 'cat']];
    static override usage = Command.Usage({ description: 'Print a file of a skill; SKILL.md when none is named' });
    name = Option.String({ name: 'NAME' });
    file = Option.String({ name: 'FILE', required: false });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(`${at(this.name)}/files/content`, { path: this.file ?? 'SKILL.md' });
      await this.print(
        data,
        data.binary ? `A binary file of ${text.bytes(data.size)}.` : text.cleanLines(data.content).replace(/\n$/, ''),
      );
      if (data.truncated && !this.json) this.context.stderr.write(`Only the first part of ${text.bytes(data.size)}.\n`);
    }
  }

  class Write extends Command {
    static override paths = [['skill', 'write']];
    static override usage = Command.Usage({
      description: 'Replace an existing text file of a skill by what is on stdin',
    });
    name = Option.String({ name: 'NAME' });
    file = Option.String({ name: 'FILE' });
    async execute(): Promise<void> {
      const content = await ask.readStdin();
      const query = new URLSearchParams({ path: this.file }).toString();
      const data = await (
        await this.daemon()
      ).request('PUT', `${at(this.name)}/files/content?${query}`, {
        body: { content },
      });
      await this.print(data, `Wrote ${text.clean(data.path)} of ${this.name} (${text.bytes(data.size)}).`);
    }
  }

  class Remove extends Command {
    static override paths = [['skill', 'remove']];
    static override usage = Command.Usage({
      description: 'Remove a skill: its links, its folder; its audit rows stay',
    });
    name = Option.String({ name: 'NAME' });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const { path } = await api.get(at(this.name));
      await ask.confirm(`Remove the skill ${this.name} and its folder ${text.clean(path)}?`, this.force);
      await api.request('DELETE', at(this.name), { timeoutMs: 60_000 });
      await this.print({ removed: this.name }, `Removed ${this.name}.`);
    }
  }

  const toggles = (['enable', 'disable'] as const).map(
    (verb) =>
      class extends Command {
        static override paths = [['skill', verb]];
        static override usage = Command.Usage({
          description:
            verb === 'enable'
              ? 'Switch a skill on: its links come'
              : 'Switch a skill off: its links go, its folder stays',
        });
        name = Option.String({ name: 'NAME' });
        async execute(): Promise<void> {
          const r = await (await this.daemon()).post(`${input.resourcePath(KIND, this.name)}/${verb}`);
          await this.print(r, `${this.name} is ${verb === 'enable' ? 'on' : 'off'}.`);
        }
      },
  );

  const problem = (p: Obj): string => text.clean(`${p.file}${p.line === null ? '' : `, line ${p.line}`}: ${p.reason}`);
  const state = (s: Obj): string =>
    !s.valid
      ? text.health('failing')
      : (s.deliveries as Obj[]).some((d) => !['linked', 'copied', 'not_delivered'].includes(d.state))
        ? text.yellow('drift')
        : text.health('healthy');
  const delivered = (s: Obj): string =>
    (s.deliveries as Obj[])
      .filter((d) => d.state === 'linked' || d.state === 'copied')
      .map((d) => d.agent)
      .join(', ');

  function page(s: Obj): string {
    const from = s.source as Obj;
    const origin =
      from.type === 'git'
        ? `git ${from.url}${from.subpath ? ` ${from.subpath}` : ''} at ${String(from.commit).slice(0, 12)}${from.ref ? ` (${from.ref})` : ''}`
        : from.type === 'zip'
          ? `archive ${from.archive} ${from.folder}`
          : `${from.type} ${from.path}`;
    return [
      `${text.bold(s.name)}  ${text.clean(s.description)}`,
      `enabled     ${s.enabled ? 'yes' : 'no'}`,
      `state       ${state(s)}${s.problem === null ? '' : `  ${problem(s.problem as Obj)}`}`,
      `folder      ${text.clean(s.path)}  ${text.count(s.file_count, 'file')}, ${text.bytes(s.size_bytes)}`,
      `source      ${text.clean(origin)}${s.edited ? text.yellow('  edited since') : ''}`,
      ...(s.license ? [`license     ${text.clean(s.license)}`] : []),
      ...(s.allowed_tools.length > 0 ? [`tools       ${text.clean(s.allowed_tools.join(', '))}`] : []),
      ...(s.deliveries as Obj[]).map(
        (d) =>
          `${text.clean(d.agent).padEnd(12)}${String(d.state).replaceAll('_', ' ')}  ${text.clean(d.path)}${d.reason ? `  (${text.clean(d.reason)})` : ''}`,
      ),
      `taken       ${text.when(s.last_synced_at)}, changed ${text.when(s.updated_at)}`,
    ].join('\n');
  }

  return [List, Show, Files, Cat, Write, Remove, ...toggles];
}
