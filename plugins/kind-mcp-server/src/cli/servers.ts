/** Registering, showing, changing and removing servers. */
import type { Api, Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { KIND } from '../config.js';
import { transportOf } from './transport.js';

/** A server may take its whole start limit (120 s) to come up. */
const START_MS = 150_000;

export function serverCommands(kit: Toolkit): Commands {
  const { Command, Option, Failure, usage, rows, ask, input, progress, text } = kit;
  const at = (name: string): string => input.resourcePath(KIND, name);

  abstract class Described extends Command {
    name = Option.String({ name: 'NAME' });
    stdio = Option.String('--stdio', { description: 'A local program with its arguments, in one string' });
    http = Option.String('--http', { description: 'The URL of a remote server' });
    env = Option.Array('--env', { description: 'K=V in the environment of the program (repeat)' });
    header = Option.Array('--header', { description: 'K=V sent with each request (repeat)' });
    credential = Option.Array('--credential', {
      description: 'KEY=REF: a variable or header filled from a stored credential (repeat)',
    });
    cwd = Option.String('--cwd', { description: 'Where the program starts' });
    description = Option.String('--description', { description: 'What the server is for' });
    command = Option.Rest({ name: '-- command args' });
  }

  class Add extends Described {
    static override paths = [['mcp', 'add']];
    static override usage = Command.Usage({
      description: 'Register an MCP server',
      examples: [
        ['A local program', '$0 mcp add files -- npx -y @modelcontextprotocol/server-filesystem /tmp'],
        [
          'A remote one with a secret',
          '$0 mcp add github --http https://api.githubcopilot.com/mcp/ --credential Authorization=github/header',
        ],
      ],
    });
    noAutoEnable = Option.Boolean('--no-auto-enable', false, {
      description: 'Capabilities seen for the first time are off until you enable them',
    });
    async execute(): Promise<void> {
      const config = {
        transport: transportOf(kit, this),
        ...(this.noAutoEnable && { auto_enable_new_capabilities: false }),
      };
      const api = await this.daemon();
      const body = {
        kind: KIND,
        name: this.name,
        config,
        ...(this.description !== undefined && { description: this.description }),
      };
      const r = await progress(`Registering ${this.name}`, () => api.post('/resources', body, START_MS));
      await this.print(r, `Registered ${r.name}. ${verdict(r)}`);
    }
  }

  class Update extends Described {
    static override paths = [['mcp', 'update']];
    static override usage = Command.Usage({
      description: 'Change an MCP server; what is not named stays',
      details: 'An empty `--description` takes the description away.',
    });
    autoEnable = Option.Boolean('--auto-enable', { description: 'New capabilities are on; --no-auto-enable: off' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const before = await api.get(at(this.name));
      const body: Obj = {};
      if (this.description !== undefined) body.description = this.description === '' ? null : this.description;
      const transport = transportOf(kit, this, before.config.transport);
      if (JSON.stringify(transport) !== JSON.stringify(before.config.transport) || this.autoEnable !== undefined) {
        body.config = {
          ...before.config,
          transport,
          ...(this.autoEnable !== undefined && { auto_enable_new_capabilities: this.autoEnable }),
        };
        body.expected_updated_at = before.updated_at;
      }
      if (Object.keys(body).length === 0) throw usage('mcp update was given nothing to change.');
      const r = await progress(`Updating ${this.name}`, () =>
        api.request('PATCH', at(this.name), { body, timeoutMs: START_MS }),
      );
      await this.print(r, `Updated ${r.name}. ${verdict(r)}`);
    }
  }

  class List extends Command {
    static override paths = [['mcp', 'list']];
    static override usage = Command.Usage({ description: 'List MCP servers' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/resources', { kind: KIND });
      await this.print(data, () =>
        rows(
          ['NAME', 'ENABLED', 'STATUS', 'TRANSPORT', 'DESCRIPTION'],
          (data.resources as Obj[]).map((r) => [
            r.name,
            r.enabled ? 'yes' : 'no',
            statusWord(r),
            target(r.config.transport),
            text.clean(r.description),
          ]),
          'There are no MCP servers yet. Add one: coffer mcp add NAME -- command args',
        ).then((list) => [list, ...(data.resources as Obj[]).flatMap(failure)].join('\n')),
      );
    }
  }

  class Show extends Command {
    static override paths = [['mcp', 'show']];
    static override usage = Command.Usage({ description: 'Show one MCP server' });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const r = await api.get(at(this.name));
      await this.print(r, async () => page(r, await capabilities(api, r)));
    }
  }

  class Remove extends Command {
    static override paths = [['mcp', 'remove']];
    static override usage = Command.Usage({ description: 'Remove an MCP server; its audit rows and invocations stay' });
    name = Option.String({ name: 'NAME' });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await api.get(at(this.name));
      await ask.confirm(`Remove the MCP server ${this.name}?`, this.force);
      await api.request('DELETE', at(this.name), { timeoutMs: 60_000 });
      await this.print({ removed: this.name }, `Removed ${this.name}.`);
    }
  }

  class Refresh extends Command {
    static override paths = [['mcp', 'refresh']];
    static override usage = Command.Usage({ description: 'List the capabilities of a server anew' });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const list = await progress(`Listing ${this.name}`, () => api.post(`${at(this.name)}/refresh`, {}, START_MS));
      await this.print(
        list,
        `${this.name} has ${text.count(list.tools.length, 'tool')}, ${text.count(list.resources.length, 'resource')} and ${text.count(list.prompts.length, 'prompt')}.`,
      );
    }
  }

  class Test extends Command {
    static override paths = [['mcp', 'test']];
    static override usage = Command.Usage({
      description: 'Connect to a server and shake hands; exit code 7 when that fails',
    });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const result = await progress(`Connecting to ${this.name}`, () =>
        api.post(`${at(this.name)}/test`, {}, START_MS),
      );
      if (this.json || result.ok) {
        await this.print(
          result,
          `${this.name} answers: MCP ${result.protocol_version ?? '(version unknown)'}, ${text.duration(result.latency_ms)}.`,
        );
      }
      if (!result.ok)
        throw new Failure(
          'UPSTREAM_UNAVAILABLE',
          `${this.name} does not answer: ${text.clean(result.error_message)} Its own output: coffer mcp log ${this.name}`,
          { status: 503 },
        );
    }
  }

  class Log extends Command {
    static override paths = [['mcp', 'log']];
    static override usage = Command.Usage({
      description: 'Print the last lines that a local server wrote to its stderr',
    });
    name = Option.String({ name: 'NAME' });
    lines = Option.String('-n,--lines', { description: '1 to 5000, default 200' });
    async execute(): Promise<void> {
      const lines = input.whole(this.lines, '--lines', 1, 5000);
      const api = await this.daemon();
      const { config } = await api.get(at(this.name));
      const data = await api.get(`${at(this.name)}/log`, { lines });
      await this.print(
        data,
        data.lines.length === 0
          ? config.transport.type === 'http'
            ? `${this.name} runs elsewhere: what it writes is not seen here. What it answers: coffer mcp test ${this.name}`
            : `${this.name} has written nothing.`
          : (data.lines as string[]).map(text.clean).join('\n'),
      );
    }
  }

  const statusWord = (r: Obj): string =>
    r.status?.missing_runner
      ? text.red(`missing ${text.clean(r.status.missing_runner)}`)
      : text.health(r.status?.status ?? 'unknown');

  function verdict(r: Obj): string {
    if (r.status?.missing_runner)
      return `It needs ${text.clean(r.status.missing_runner)}, which is not installed on this machine.`;
    if (r.status?.status === 'failing')
      return `It is failing${r.status.reason ? `: ${text.clean(r.status.reason).replace(/\.$/, '')}` : ''}. Try: coffer mcp test ${r.name}`;
    return r.status?.status === 'healthy' ? 'It is healthy.' : `Try it: coffer mcp test ${r.name}`;
  }

  /** Why a server is failing, as a line under the table: a column would have no room for it. */
  const failure = (r: Obj): string[] =>
    r.enabled && r.status?.status === 'failing' && !r.status.missing_runner && r.status.reason
      ? [text.red(`${r.name}: ${text.clean(r.status.reason)}`)]
      : [];

  /** What a server has, where it can be listed; one that does not answer is shown without. */
  async function capabilities(api: Api, r: Obj): Promise<Obj | undefined> {
    if (!r.enabled || r.status?.status !== 'healthy') return undefined;
    try {
      return await progress(`Listing ${r.name}`, () =>
        api.request('GET', `${at(r.name)}/capabilities`, { timeoutMs: START_MS }),
      );
    } catch (e) {
      if (e instanceof Failure) return undefined;
      throw e;
    }
  }

  function scopeOf(scope: Obj | null | undefined): string {
    if (scope === null || scope === undefined) return 'everywhere, every agent';
    const machines = Object.entries(scope.machines ?? scope);
    if (machines.length === 0) return 'nowhere';
    return machines
      .map(([machine, agents]) => `${machine}=${Array.isArray(agents) ? agents.join(',') : String(agents)}`)
      .map(text.clean)
      .join(' ');
  }

  function target(t: Obj): string {
    const whole = t.type === 'http' ? String(t.url) : [t.command, ...((t.args ?? []) as string[])].join(' ');
    return text.clean(whole);
  }

  function page(r: Obj, has: Obj | undefined): string {
    const t = r.config.transport as Obj;
    const findings = (has?.findings ?? r.status?.findings ?? []) as Obj[];
    const counted = (['tools', 'resources', 'prompts'] as const).flatMap((type) => {
      const all = (has?.[type] ?? []) as Obj[];
      return all.length === 0
        ? []
        : [`${type.padEnd(12)}${all.filter((c) => c.enabled).length} of ${all.length} enabled`];
    });
    const keys = (label: string, values: Obj | undefined): string[] =>
      values === undefined || Object.keys(values).length === 0
        ? []
        : [
            `${label.padEnd(12)}${Object.entries(values)
              .map(([k, v]) => `${k}=${text.clean(v)}`)
              .join(', ')}`,
          ];
    return [
      `${text.bold(r.name)}${r.description ? `  ${text.clean(r.description)}` : ''}`,
      `enabled     ${r.enabled ? 'yes' : 'no'}`,
      `status      ${statusWord(r)}${r.status?.reason ? `  ${text.clean(r.status.reason)}` : ''}`,
      `transport   ${t.type}: ${target(t)}`,
      ...keys('env', t.env),
      ...keys('headers', t.headers),
      ...keys('secrets', t.credential_refs),
      ...(t.cwd ? [`cwd         ${text.clean(t.cwd)}`] : []),
      ...counted,
      `scope       ${scopeOf(r.scope)}`,
      `new ones    ${r.config.auto_enable_new_capabilities === false ? 'off until enabled' : 'on'}`,
      ...(r.status?.stdout_noise
        ? [`stdout      ${text.count(r.status.stdout_noise, 'line')} that are no JSON-RPC`]
        : []),
      ...(r.status?.note && !r.status.stdout_noise ? [`note        ${text.clean(r.status.note)}`] : []),
      `created     ${text.when(r.created_at)}, changed ${text.when(r.updated_at)}`,
      ...findings.map((f) => `${text.yellow('note')}        ${text.clean(f.message)}`),
    ].join('\n');
  }

  return [Add, List, Show, Update, Remove, Refresh, Test, Log];
}
