/** Agents themselves: found, added, looked at, changed, forgotten. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { at } from './at.js';

/** Its program may take a while to say its version, and servers to say what they have. */
const SLOW_MS = 60_000;

export function agentCommands({ Command, Option, usage, rows, ask, progress, text }: Toolkit): Commands {
  const NAME = { name: 'NAME' };

  class List extends Command {
    static override paths = [['agent', 'list']];
    static override usage = Command.Usage({ description: 'List registered agents' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/agents');
      await this.print(data, () =>
        rows(
          ['NAME', 'AGENT', 'SETTINGS', 'NOTE'],
          (data.items as Obj[]).map((a) => [
            a.name,
            text.clean(a.label),
            text.clean(a.config_dir ?? '-'),
            !a.here ? 'on another machine' : a.dir_exists ? '' : text.red('its folder has vanished'),
          ]),
          'No agent is registered yet. See which are installed: coffer agent detect',
        ),
      );
    }
  }

  class Detect extends Command {
    static override paths = [['agent', 'detect']];
    static override usage = Command.Usage({ description: 'List agents that are installed and not registered' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/agents/candidates');
      await this.print(data, () =>
        rows(
          ['AGENT', 'FOUND BY', 'ADD IT WITH'],
          (data.candidates as Obj[]).map((c) => [
            text.clean(c.display_name),
            text.clean(c.config_dir),
            `coffer agent add ${c.type}`,
          ]),
          'There is none that is not registered already.',
        ),
      );
    }
  }

  class Add extends Command {
    static override paths = [['agent', 'add']];
    static override usage = Command.Usage({
      description: 'Register an agent',
      details: 'Nothing in its settings is changed but that a folder for skills is made. See: coffer agent mcp install',
      examples: [
        ['The usual one', '$0 agent add claude_code'],
        ['Another folder', '$0 agent add codex --name codex-work --config-dir ~/work/.codex'],
      ],
    });
    type = Option.String({ name: 'TYPE' });
    name = Option.String('--name', { description: 'Default: the type, with dashes' });
    dir = Option.String('--config-dir', { description: 'Where its settings are; default: the usual place' });
    description = Option.String('--description');
    async execute(): Promise<void> {
      const made = await (
        await this.daemon()
      ).post('/agents', {
        type: this.type,
        ...(this.name !== undefined && { name: this.name }),
        ...(this.dir !== undefined && { config_dir: this.dir }),
        ...(this.description !== undefined && { description: this.description }),
      });
      await this.print(
        made,
        `Registered ${made.name} (${text.clean(made.label)}), settings in ${text.clean(made.config_dir)}.\nGive it Coffer's tools: coffer agent mcp install ${made.name}`,
      );
    }
  }

  class Show extends Command {
    static override paths = [['agent', 'show']];
    static override usage = Command.Usage({ description: 'Show an agent' });
    name = Option.String(NAME);
    async execute(): Promise<void> {
      const a = await (await this.daemon()).request('GET', at(this.name), { timeoutMs: SLOW_MS });
      await this.print(a, () =>
        [
          `${text.bold(a.name)}  ${text.clean(a.label)}${a.version === null ? '' : ` ${text.clean(a.version)}`}`,
          `settings  ${text.clean(a.config_dir ?? '-')}`,
          `skills    ${text.clean(a.skill_dir ?? '-')}`,
          `program   ${text.clean(a.program ?? 'not on the PATH')}`,
          `memory    ${a.disable_native_memory ? 'told to keep none of its own' : 'as it likes'}`,
          `has       ${(a.facets as string[]).join(', ') || '-'}`,
        ].join('\n'),
      );
    }
  }

  class Edit extends Command {
    static override paths = [['agent', 'edit']];
    static override usage = Command.Usage({ description: 'Change an agent' });
    name = Option.String(NAME);
    dir = Option.String('--config-dir', { description: 'Where its settings are; `usual` for the usual place' });
    description = Option.String('--description');
    memory = Option.String('--native-memory', { description: '`off`: it is told to keep no memory of its own; `on`' });
    async execute(): Promise<void> {
      if (this.memory !== undefined && !['on', 'off'].includes(this.memory))
        throw usage('--native-memory takes on or off.');
      const body = {
        ...(this.dir !== undefined && { config_dir: this.dir === 'usual' ? null : this.dir }),
        ...(this.description !== undefined && { description: this.description }),
        ...(this.memory !== undefined && { disable_native_memory: this.memory === 'off' }),
      };
      if (Object.keys(body).length === 0)
        throw usage('say what to change: --config-dir, --description, --native-memory.');
      const changed = await (await this.daemon()).request('PATCH', at(this.name), { body });
      await this.print(changed, `Changed ${changed.name}.`);
    }
  }

  class Remove extends Command {
    static override paths = [['agent', 'rm']];
    static override usage = Command.Usage({
      description: "Forget an agent; what Coffer has set in it is taken out, the agent's own files stay",
    });
    name = Option.String(NAME);
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await ask.confirm(`Forget ${this.name}, and take Coffer's own settings out of it?`, this.force);
      await api.request('DELETE', at(this.name));
      await this.print({ removed: this.name }, `Forgot ${this.name}.`);
    }
  }

  class Sees extends Command {
    static override paths = [['agent', 'sees']];
    static override usage = Command.Usage({
      description: 'What a new session in this folder gets from Coffer, and what not',
    });
    name = Option.String(NAME);
    async execute(): Promise<void> {
      const api = await this.daemon();
      const s = await progress('Asking as the agent would', () =>
        api.request('GET', at(this.name, 'sees'), { query: { cwd: process.cwd() }, timeoutMs: SLOW_MS }),
      );
      await this.print(s, async () =>
        [
          await rows(
            ['SERVER', 'TOOLS', 'ABOUT TOKENS'],
            (s.servers as Obj[]).map((v) => [text.clean(v.server), String(v.tools.length), String(v.tokens)]),
            'It gets no tool.',
          ),
          '',
          `${text.count(s.tools, 'tool')}, about ${s.tokens} tokens; ${text.count(s.prompts.length, 'prompt')}, ${text.count(s.resources, 'resource')}`,
          `skills: ${(s.skills as string[]).map(text.clean).join(', ') || '-'}`,
          ...(s.not.length === 0
            ? []
            : [
                '',
                await rows(
                  ['IT DOES NOT GET', 'WHY'],
                  (s.not as Obj[]).map((n) => [text.clean(n.ref), text.clean(n.reason)]),
                  '',
                ),
              ]),
        ].join('\n'),
      );
    }
  }

  return [List, Detect, Add, Show, Edit, Remove, Sees];
}
