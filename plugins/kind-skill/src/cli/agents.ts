/** Skills at the agents: how they stand, drift, and what agents have of their own. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';

const SLOW_MS = 120_000;
/** The exit code for a disk that is not as it should be: a conflict. */
const DRIFT_EXIT = 5;

export function agentCommands({ Command, Option, Failure, rows, ask, progress, text }: Toolkit): Commands {
  class Agents extends Command {
    static override paths = [['skill', 'agents']];
    static override usage = Command.Usage({ description: 'List the agents that take skills, and their folders' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/skill-targets');
      await this.print(data, () =>
        rows(
          ['AGENT', 'FOLDER', 'ALSO READS'],
          (data.targets as Obj[]).map((t) => [t.agent, text.clean(t.folder), text.clean(t.extra_folders.join(', '))]),
          'No agent takes skills on this machine yet.',
        ),
      );
    }
  }

  class Verify extends Command {
    static override paths = [['skill', 'verify']];
    static override usage = Command.Usage({
      description: 'Compare the disk with what should be; exit code 5 when they differ',
      details: '`--fix` makes missing links again, and links that lead elsewhere after keeping them as a backup.',
    });
    fix = Option.Boolean('--fix', false, { description: 'Mend what can be mended' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await progress('Comparing', () =>
        api.post(this.fix ? '/skills/repair' : '/skills/verify', {}, SLOW_MS),
      );
      const left = (this.fix ? data.remaining.entries : data.entries) as Obj[];
      const mended = (data.remediated ?? []) as Obj[];
      await this.print(data, async () =>
        [
          ...mended.map((d) => `mended      ${d.skill_name}: ${text.clean(d.target_path)}`),
          await rows(
            ['SKILL', 'AGENT', 'WHAT', 'WHERE', 'REMEDY'],
            left.map((d) => [
              text.clean(d.skill_name),
              text.clean(d.agent_name ?? '-'),
              d.kind,
              text.clean(d.target_path),
              text.clean(d.suggested_remedy),
            ]),
            'Everything is as it should be.',
          ),
        ].join('\n'),
      );
      if (left.length > 0)
        throw new Failure(
          'SKILL_DRIFT',
          `${text.count(left.length, 'place is', 'places are')} not as they should be.`,
          {
            exit: DRIFT_EXIT,
          },
        );
    }
  }

  class Deliver extends Command {
    static override paths = [['skill', 'deliver']];
    static override usage = Command.Usage({ description: 'Link a skill for one agent anew' });
    name = Option.String({ name: 'NAME' });
    agent = Option.String('--agent', { required: true, description: 'Whose folder' });
    force = Option.Boolean('-f,--force', false, { description: 'Keep what is in its place beside, as a backup' });
    async execute(): Promise<void> {
      const d = await (
        await this.daemon()
      ).post(`/skills/${encodeURIComponent(this.name)}/deliver`, {
        agent: this.agent,
        force: this.force,
      });
      await this.print(d, `${this.name} is ${String(d.state).replaceAll('_', ' ')}: ${text.clean(d.path)}`);
    }
  }

  class List extends Command {
    static override paths = [['skill', 'unmanaged']];
    static override usage = Command.Usage({
      description: "List skills in agents' own folders that are not the vault's",
    });
    agent = Option.String({ name: 'AGENT', required: false });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/unmanaged-skills', { agent: this.agent });
      await this.print(data, () =>
        rows(
          ['AGENT', 'NAME', 'STATE', 'WHERE'],
          (data.items as Obj[]).map((u) => [
            u.agent,
            text.clean(u.name),
            u.foreign_link
              ? 'a link elsewhere'
              : u.valid
                ? u.taken
                  ? text.yellow('the vault has one of this name')
                  : 'can be adopted'
                : text.red(text.clean(`${u.problem.file}: ${u.problem.reason}`)),
            text.clean(u.path),
          ]),
          'There are none.',
        ),
      );
    }
  }

  abstract class Named extends Command {
    agent = Option.String({ name: 'AGENT' });
    skill = Option.String({ name: 'SKILL' });
    location = Option.String('--location', { description: 'The folder it lies in, when there are two of that name' });
    protected which(): Record<string, string> {
      return { agent: this.agent, name: this.skill, ...(this.location !== undefined && { location: this.location }) };
    }
  }

  class Adopt extends Named {
    static override paths = [['skill', 'adopt']];
    static override usage = Command.Usage({ description: 'Move a skill of an agent into the vault and link it back' });
    replace = Option.Boolean('--replace', false, { description: "Take the place of the vault's own of that name" });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const s = await api.post('/unmanaged-skills/adopt', { ...this.which(), replace: this.replace }, SLOW_MS);
      await this.print(s, `Adopted ${s.name}. Its master is ${text.clean(s.path)}.`);
    }
  }

  class Forget extends Named {
    static override paths = [['skill', 'rm-unmanaged']];
    static override usage = Command.Usage({ description: "Delete a skill from an agent's own folder" });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await ask.confirm(
        `Delete ${this.skill} from the folder of ${this.agent}? The vault has no copy of it.`,
        this.force,
      );
      await api.request('DELETE', `/unmanaged-skills?${new URLSearchParams(this.which()).toString()}`, {
        timeoutMs: SLOW_MS,
      });
      await this.print({ removed: this.skill }, `Deleted ${this.skill}.`);
    }
  }

  return [Agents, Verify, Deliver, List, Adopt, Forget];
}
