/** The start of sessions, and plugins in the agent's own sense. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { at } from './at.js';

/** A session waits for its context no longer than this, in milliseconds. */
const CONTEXT_MS = 3000;
const SLOW_MS = 90_000;

export function wiringCommands({ Command, Option, rows, ask, progress, text }: Toolkit): Commands {
  abstract class OfAgent extends Command {
    name = Option.String({ name: 'NAME' });
  }
  const told = (s: Obj): string =>
    [
      s.installed
        ? `New sessions are told what Coffer has to say (${text.clean(s.path)}).`
        : 'New sessions are told nothing.',
      ...(s.installed && !s.current ? ['The hook is not the current one, install it anew.'] : []),
      ...(s.installed && s.note !== null ? [text.yellow(text.clean(s.note))] : []),
    ].join('\n');

  class Status extends OfAgent {
    static override paths = [['agent', 'hook', 'status']];
    static override usage = Command.Usage({ description: 'Are new sessions told what Coffer has to say?' });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).get(at(this.name, 'hook-install'));
      await this.print(s, () => told(s));
    }
  }
  class Install extends OfAgent {
    static override paths = [['agent', 'hook', 'install']];
    static override usage = Command.Usage({ description: "Add Coffer's hook for the start of sessions" });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).post(at(this.name, 'hook-install'));
      await this.print(s, () => told(s));
    }
  }
  class Uninstall extends OfAgent {
    static override paths = [['agent', 'hook', 'uninstall']];
    static override usage = Command.Usage({ description: "Take Coffer's hook out" });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).request('DELETE', at(this.name, 'hook-install'));
      await this.print(s, () => told(s));
    }
  }

  class Context extends OfAgent {
    static override paths = [['agent', 'session-context']];
    static override usage = Command.Usage({
      description: 'Print, for the hook of an agent, what a session in this folder is told',
      details:
        'In the form that agents take from a hook. It reads no input, prints nothing and ends with 0 whatever goes wrong, within three seconds.',
    });
    plain = Option.Boolean('--plain', false, { description: 'The text alone' });
    async execute(): Promise<number> {
      // Whatever else may wait, the session must not.
      const late = setTimeout(() => process.exit(0), CONTEXT_MS + 500);
      late.unref();
      try {
        const api = await this.daemon();
        const { text: context } = await api.request('GET', at(this.name, 'session-context'), {
          query: { cwd: process.cwd() },
          timeoutMs: CONTEXT_MS,
        });
        const hook = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context as string } };
        if (context !== '') this.context.stdout.write(`${this.plain ? context : JSON.stringify(hook)}\n`);
      } catch {
        // A session must not fail because of us; the audit log shows who was served.
      }
      return 0;
    }
  }

  class Plugins extends OfAgent {
    static override paths = [['agent', 'plugin', 'list']];
    static override usage = Command.Usage({ description: "List the agent's own plugins" });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(at(this.name, 'plugins'));
      await this.print(data, () =>
        rows(
          ['PLUGIN', 'VERSION', 'ON', 'NOTE'],
          (data.items as Obj[]).map((p) => [
            text.clean(p.id),
            text.clean(p.version ?? '-'),
            p.enabled ? 'on' : 'off',
            p.problem === null ? '' : text.red(text.clean(p.problem)),
          ]),
          'It has none.',
        ),
      );
    }
  }

  abstract class OfPlugin extends OfAgent {
    plugin = Option.String({ name: 'PLUGIN' });
    protected async switched(enabled: boolean): Promise<void> {
      const api = await this.daemon();
      const p = await api.request('PATCH', at(this.name, 'plugins', this.plugin), { body: { enabled } });
      await this.print(p, `${text.clean(p.id)} is ${p.enabled ? 'on' : 'off'}.`);
    }
  }
  class Enable extends OfPlugin {
    static override paths = [['agent', 'plugin', 'enable']];
    static override usage = Command.Usage({ description: "Switch one of the agent's own plugins on" });
    execute(): Promise<void> {
      return this.switched(true);
    }
  }
  class Disable extends OfPlugin {
    static override paths = [['agent', 'plugin', 'disable']];
    static override usage = Command.Usage({ description: "Switch one of the agent's own plugins off" });
    execute(): Promise<void> {
      return this.switched(false);
    }
  }
  class UninstallPlugin extends OfPlugin {
    static override paths = [['agent', 'plugin', 'uninstall']];
    static override usage = Command.Usage({
      description: "Take one of the agent's own plugins out, by its own program",
    });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await ask.confirm(`Uninstall ${this.plugin} of ${this.name}?`, this.force);
      await progress('Uninstalling', () =>
        api.request('DELETE', at(this.name, 'plugins', this.plugin), { timeoutMs: SLOW_MS }),
      );
      await this.print({ uninstalled: this.plugin }, `Uninstalled ${text.clean(this.plugin)}.`);
    }
  }

  return [Status, Install, Uninstall, Context, Plugins, Enable, Disable, UninstallPlugin];
}
