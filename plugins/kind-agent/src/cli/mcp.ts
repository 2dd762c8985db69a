/** The MCP servers of an agent: Coffer's own entry, and those of the agent's settings. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { at } from './at.js';

/** A server that is adopted is started once, to see what it has. */
const SLOW_MS = 120_000;

export function mcpCommands({ Command, Option, Failure, usage, rows, ask, input, progress, text }: Toolkit): Commands {
  abstract class OfAgent extends Command {
    name = Option.String({ name: 'NAME' });
  }
  abstract class OfEntry extends OfAgent {
    entry = Option.String({ name: 'ENTRY' });
    source = Option.String('--source', { description: 'Its file, when it is in two' });
    protected query(): Record<string, string> {
      return this.source === undefined ? {} : { source: this.source };
    }
  }
  const told = (s: Obj): string =>
    !s.installed
      ? `Coffer is not in ${text.clean(s.path)}.`
      : `Coffer is in ${text.clean(s.path)}${s.works ? '' : `, but ${text.red('its program is not there')}`}${s.current ? '' : '; the entry is not the current one, install it anew'}.\n${text.clean(s.command ?? '')}`;

  class Status extends OfAgent {
    static override paths = [['agent', 'mcp', 'status']];
    static override usage = Command.Usage({ description: "Is Coffer among the agent's MCP servers?" });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).get(at(this.name, 'mcp-install'));
      await this.print(s, () => told(s));
    }
  }

  class Install extends OfAgent {
    static override paths = [['agent', 'mcp', 'install']];
    static override usage = Command.Usage({
      description: "Put Coffer among the agent's MCP servers, or renew its entry",
      details: 'Everything else in the file stays as it is; a `.bak` of it is beside it.',
    });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).post(at(this.name, 'mcp-install'));
      await this.print(s, () => `${told(s)}\nA new session of the agent has it.`);
    }
  }

  class Uninstall extends OfAgent {
    static override paths = [['agent', 'mcp', 'uninstall']];
    static override usage = Command.Usage({ description: "Take Coffer out of the agent's MCP servers" });
    async execute(): Promise<void> {
      const s = await (await this.daemon()).request('DELETE', at(this.name, 'mcp-install'));
      await this.print(s, () => told(s));
    }
  }

  class Entries extends OfAgent {
    static override paths = [['agent', 'mcp', 'entries']];
    static override usage = Command.Usage({ description: "List the MCP servers in the agent's own settings" });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(at(this.name, 'mcp-entries'));
      await this.print(data, async () =>
        [
          await rows(
            ['ENTRY', 'FILE', 'WHAT', 'ON', 'NOTE'],
            (data.items as Obj[]).map((e) => [
              text.clean(e.name),
              e.source,
              text.clean(e.url ?? e.command ?? '-'),
              e.enabled === null ? '' : e.enabled ? 'on' : 'off',
              noteOf(e),
            ]),
            'There is none.',
          ),
          ...(data.parse_errors as Obj[]).map((p) => text.red(text.clean(p.error))),
        ].join('\n'),
      );
    }
  }

  const noteOf = (e: Obj): string => {
    if (e.is_coffer) return 'Coffer itself';
    if (e.matches_resource !== null) return `the vault has it as ${text.clean(e.matches_resource)}`;
    if (e.problem !== null) return text.clean(e.problem);
    return e.secrets.length > 0 ? text.yellow('holds a secret in plain text') : '';
  };

  class RemoveEntry extends OfEntry {
    static override paths = [['agent', 'mcp', 'remove-entry']];
    static override usage = Command.Usage({ description: "Take a server out of the agent's own settings" });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await ask.confirm(`Take ${this.entry} out of the settings of ${this.name}?`, this.force);
      await api.request('DELETE', at(this.name, 'mcp-entries', this.entry), { query: this.query() });
      await this.print({ removed: this.entry }, `Took ${text.clean(this.entry)} out.`);
    }
  }

  class ToggleEntry extends OfEntry {
    static override paths = [['agent', 'mcp', 'toggle-entry']];
    static override usage = Command.Usage({ description: 'Switch a server, where the agent has such a switch' });
    on = Option.Boolean('--on', false);
    off = Option.Boolean('--off', false);
    async execute(): Promise<void> {
      if (this.on === this.off) throw usage('say --on or --off.');
      const body = { enabled: this.on, ...this.query() };
      const e = await (await this.daemon()).request('PATCH', at(this.name, 'mcp-entries', this.entry), { body });
      await this.print(e, `${text.clean(this.entry)} is ${e.enabled ? 'on' : 'off'}.`);
    }
  }

  class Adopt extends OfEntry {
    static override paths = [['agent', 'mcp', 'adopt']];
    static override usage = Command.Usage({
      description: "Move a server from the agent's settings into the vault, for every agent",
      details: 'Its secrets become credentials, and the entry goes only once the server is in the vault.',
      examples: [
        ['With the names it proposes', '$0 agent mcp adopt claude-code github --lift'],
        ['With a name of yours', '$0 agent mcp adopt claude-code github --secret GITHUB_TOKEN=github/token'],
      ],
    });
    newName = Option.String('--name', { description: 'What it is called in the vault' });
    secrets = Option.Array('--secret', { description: 'KEY=REF: the credential that a secret goes to; repeat it' });
    lift = Option.Boolean('--lift', false, { description: 'Secrets go to credentials of the proposed names' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const given = input.pairs(this.secrets, '--secret');
      const body = {
        ...this.query(),
        ...(this.newName !== undefined && { new_name: this.newName }),
        secrets: this.lift ? { ...(await this.#proposed(api)), ...given } : given,
      };
      const path = at(this.name, 'mcp-entries', this.entry, 'adopt');
      const data = await progress('Adopting', () => api.post(path, body, SLOW_MS));
      await this.print(data, () =>
        [
          `Adopted ${text.clean(data.resource.name)}. Agents get it through Coffer.`,
          ...(data.credentials as string[]).map((ref) => `stored as a credential: ${ref}`),
          ...(data.still_in as string[]).map((f) =>
            text.yellow(`a copy that the agent made still holds a secret: ${text.clean(f)}`),
          ),
        ].join('\n'),
      );
    }
    async #proposed(api: { get(path: string): Promise<Obj> }): Promise<Record<string, string>> {
      const { items } = await api.get(at(this.name, 'mcp-entries'));
      const found = (items as Obj[]).find(
        (e) => e.name === this.entry && (this.source === undefined || e.source === this.source),
      );
      if (found === undefined)
        throw new Failure('AGENT_ENTRY_NOT_FOUND', `there is no such server in the settings of ${this.name}.`, {
          status: 404,
        });
      return Object.fromEntries((found.secrets as { key: string; ref: string }[]).map((s) => [s.key, s.ref]));
    }
  }

  return [Status, Install, Uninstall, Entries, RemoveEntry, ToggleEntry, Adopt];
}
