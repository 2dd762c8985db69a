/** Who runs on what: agents, and Coffer itself. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { ASK_MS, FAILED_EXIT, pathOf } from './look.js';

export function agentCommands({ Command, Option, Failure, usage, rows, progress, text }: Toolkit): Commands {
  const MODEL = { description: 'The model it asks for; left out: as it likes' };
  const FAST = { description: 'The model for small tasks, where the agent has two' };
  const agentPath = (agent: string): string => `/llm-agents/${encodeURIComponent(agent)}`;

  class Agents extends Command {
    static override paths = [['llm', 'agents']];
    static override usage = Command.Usage({ description: 'List which agent runs on what, and what it could run on' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const [{ agents }, engine] = await Promise.all([api.get('/llm-agents'), api.get('/llm-engine')]);
      await this.print({ agents, engine }, () =>
        rows(
          ['AGENT', 'RUNS ON', 'MODEL', 'COULD RUN ON'],
          [
            ...(agents as Obj[]).map((a) => [
              text.clean(a.agent),
              a.connection === null ? text.dim('its own login') : text.clean(a.connection),
              text.clean(a.model ?? '-'),
              (a.choices as string[]).map(text.clean).join(', ') || '-',
            ]),
            ['Coffer itself', text.clean(engine.connection ?? '-'), text.clean(engine.model ?? '-'), 'any'],
          ],
          'No agent is registered yet.',
        ),
      );
    }
  }

  class Use extends Command {
    static override paths = [['llm', 'use']];
    static override usage = Command.Usage({
      description: 'Switch an agent to a connection, or back to its own login',
      details:
        'The connection is tested first. Then the agent’s own settings are written: what Coffer does not manage stays, and a `.bak` is beside each file. The key is never in them.',
      examples: [
        ['Switch', '$0 llm use claude-code deepseek --model deepseek-chat'],
        ['Back', '$0 llm use claude-code --built-in'],
      ],
    });
    agent = Option.String({ name: 'AGENT' });
    name = Option.String({ name: 'NAME', required: false });
    builtIn = Option.Boolean('--built-in', false, { description: 'Back to the agent’s own login' });
    model = Option.String('--model', MODEL);
    fast = Option.String('--fast-model', FAST);
    noTest = Option.Boolean('--no-test', false, { description: 'Do not ask the endpoint first' });
    dry = Option.Boolean('--dry-run', false, { description: 'Only show what would change' });

    async execute(): Promise<void> {
      if (this.builtIn === (this.name !== undefined)) throw usage('give the NAME of a connection, or --built-in.');
      const wish = {
        connection: this.name ?? null,
        ...(this.model !== undefined && { model: this.model }),
        ...(this.fast !== undefined && { fast_model: this.fast }),
      };
      const api = await this.daemon();
      if (this.dry) {
        const data = await api.post(`${agentPath(this.agent)}/preview`, wish);
        return this.print(data, () => shown(data.changes, 'Nothing would change.'));
      }
      if (this.name !== undefined && !this.noTest) {
        const body = this.model === undefined ? {} : { model: this.model };
        const test = await progress('Asking', () => api.post(`${pathOf(this.name as string)}/test`, body, ASK_MS));
        if (!test.ok)
          throw new Failure(
            'UPSTREAM_ERROR',
            `${text.clean(test.message)} Nothing was switched; with --no-test it is switched all the same.`,
            { exit: FAILED_EXIT },
          );
      }
      const data = await api.request('PUT', agentPath(this.agent), { body: wish });
      await this.print(data, () =>
        [
          this.name === undefined
            ? `${text.clean(this.agent)} runs on its own login.`
            : `${text.clean(this.agent)} runs on ${text.clean(this.name)}. It takes effect when the agent is started next.`,
          ...(data.changes as Obj[]).map((c) => `written: ${text.clean(c.path)}`),
        ].join('\n'),
      );
    }
  }

  /** Lines that go and come; what stays is left out. */
  const shown = (changes: Obj[], none: string): string =>
    changes.length === 0
      ? none
      : changes
          .map(({ path, before, after }) => {
            const old = String(before).split('\n');
            const now = String(after).split('\n');
            return [
              text.bold(text.clean(path)),
              ...old.filter((l) => !now.includes(l)).map((l) => text.red(`- ${text.clean(l)}`)),
              ...now.filter((l) => !old.includes(l)).map((l) => text.green(`+ ${text.clean(l)}`)),
            ].join('\n');
          })
          .join('\n\n');

  class Activate extends Command {
    static override paths = [['llm', 'activate']];
    static override usage = Command.Usage({ description: 'Switch every agent that a connection fits to it' });
    name = Option.String({ name: 'NAME' });
    model = Option.String('--model', MODEL);
    fast = Option.String('--fast-model', FAST);
    async execute(): Promise<void> {
      const data = await (
        await this.daemon()
      ).post(`${pathOf(this.name)}/activate`, {
        ...(this.model !== undefined && { model: this.model }),
        ...(this.fast !== undefined && { fast_model: this.fast }),
      });
      await this.print(data, () =>
        [
          (data.activated as string[]).length === 0
            ? `No agent was switched to ${text.clean(this.name)}.`
            : `${(data.activated as string[]).map(text.clean).join(', ')} now on ${text.clean(this.name)}.`,
          ...(data.skipped as Obj[]).map((s) => `left alone: ${text.clean(s.agent)}: ${text.clean(s.reason)}`),
        ].join('\n'),
      );
    }
  }

  class Engine extends Command {
    static override paths = [['llm', 'engine']];
    static override usage = Command.Usage({
      description: 'Show or choose what Coffer itself runs on, for coffer__ask',
    });
    name = Option.String({ name: 'NAME', required: false });
    model = Option.String('--model', { description: 'The model it asks for' });
    off = Option.Boolean('--off', false, { description: 'None' });
    async execute(): Promise<void> {
      if (this.off && this.name !== undefined) throw usage('--off and a NAME do not go together.');
      if (this.name !== undefined && this.model === undefined) throw usage('name the model with --model.');
      const api = await this.daemon();
      const engine =
        this.off || this.name !== undefined
          ? await api.request('PUT', '/llm-engine', {
              body: { connection: this.name ?? null, ...(this.model !== undefined && { model: this.model }) },
            })
          : await api.get('/llm-engine');
      await this.print(
        engine,
        engine.connection === null
          ? 'Coffer itself runs on nothing; coffer__ask says so. Choose: coffer llm engine NAME --model MODEL'
          : `Coffer itself runs on ${text.clean(engine.connection)}, ${text.clean(engine.model)}.`,
      );
    }
  }

  class Key extends Command {
    static override paths = [['llm', 'key']];
    static override usage = Command.Usage({
      description: 'Print a key, for programs that ask for it; audited',
      details:
        'Claude Code runs this by itself (`apiKeyHelper`). For Codex: `export COFFER_PROVIDER_KEY=$(coffer llm key --agent codex)`.',
    });
    connection = Option.String('--connection', { description: 'Of this connection' });
    agent = Option.String('--agent', { description: 'Of what this agent runs on' });
    async execute(): Promise<void> {
      if ((this.connection === undefined) === (this.agent === undefined)) throw usage('give --connection or --agent.');
      const from = this.agent === undefined ? pathOf(this.connection as string) : agentPath(this.agent);
      const data = await (await this.daemon()).get(`${from}/key`);
      await this.print(data, data.key as string);
    }
  }

  return [Agents, Use, Activate, Engine, Key];
}
