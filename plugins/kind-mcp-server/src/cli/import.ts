/** `mcp import`: another client's configuration becomes servers here, its secrets credentials. */
import type { Api, Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { KIND } from '../config.js';
import type { ImportedSecret, ImportedServer } from '../convert-server.js';
import { namedVariables, secretValue } from '../import-values.js';

const START_MS = 150_000;

export function importCommands({ Command, Option, Failure, ask, input, progress, text, usage }: Toolkit): Commands {
  class Import extends Command {
    static override paths = [['mcp', 'import']];
    static override usage = Command.Usage({
      description: 'Take over MCP servers from the configuration of another client',
      details:
        'Reads JSON (`mcpServers`, VS Code `servers`) and TOML (Codex). Shows what would come of it, then asks. Secrets become credentials.',
      examples: [['From Codex', '$0 mcp import ~/.codex/config.toml']],
    });
    file = Option.String({ name: 'FILE', required: false });
    yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask' });

    async execute(): Promise<void> {
      if (this.file === undefined && process.stdin.isTTY) throw usage('give a FILE, or the configuration on stdin.');
      const source = await input.readSource(this.file ?? '-');
      const api = await this.daemon();
      const preview = await api.post('/mcp/import/preview', {
        text: source,
        variables: namedVariables(source, process.env),
      });
      const servers = preview.servers as ImportedServer[];
      const problems = preview.problems as string[];
      if (!this.json) this.context.stderr.write(`${describe(servers, problems)}\n`);
      if (servers.length === 0)
        throw new Failure('BAD_REQUEST', problems.map(text.clean).join('; ') || 'there is nothing to import.', {
          status: 400,
        });
      await ask.confirm(`Register ${text.count(servers.length, 'server')}?`, this.yes, '--yes');
      const imported: string[] = [];
      const failed: { name: string; code: string; message: string }[] = [];
      let first: InstanceType<typeof Failure> | undefined;
      for (const server of servers) {
        try {
          await progress(`Registering ${server.name}`, () => take(api, server, source));
          imported.push(server.name);
        } catch (e) {
          if (!(e instanceof Failure)) throw e;
          first ??= e;
          failed.push({ name: server.name, code: e.code, message: e.message });
        }
      }
      await this.print(
        { imported, failed, problems },
        imported.length === 0 ? '' : `Registered ${imported.join(', ')}. See: coffer mcp list`,
      );
      for (const f of failed) this.context.stderr.write(`${f.name}: ${text.clean(f.message)}\n`);
      if (first !== undefined) throw first;
    }
  }

  function describe(servers: readonly ImportedServer[], problems: readonly string[]): string {
    const lines = servers.flatMap((s) => [
      `${text.bold(s.name, process.stderr)}  ${where(s.config.transport as Obj)}`,
      ...s.secrets.map((x) => `    ${text.clean(x.key)} becomes the credential ${x.ref}`),
      ...s.notes.map((n) => `    ${text.clean(n)}`),
    ]);
    return [...lines, ...problems.map((p) => text.yellow(`left out: ${text.clean(p)}`, process.stderr))].join('\n');
  }

  const where = (t: Obj): string =>
    text.clean(t.type === 'http' ? t.url : [t.command, ...(t.args as string[])].join(' ')).slice(0, 80);

  /** Credentials first, since a server may only name those that exist; none is left behind when the server is refused. */
  async function take(api: Api, server: ImportedServer, source: string): Promise<void> {
    const stored: string[] = [];
    try {
      for (const secret of server.secrets) if (await store(api, server, secret, source)) stored.push(secret.ref);
      await api.post('/resources', { kind: KIND, name: server.name, config: server.config }, START_MS);
    } catch (e) {
      for (const ref of stored) await api.request('DELETE', `/credentials/${encodeURIComponent(ref)}`);
      throw e;
    }
    if (server.disabled) await api.post(`${input.resourcePath(KIND, server.name)}/disable`);
  }

  /** True when a new credential was stored; one that is there already is used as it is. */
  async function store(api: Api, server: ImportedServer, secret: ImportedSecret, source: string): Promise<boolean> {
    const { present } = await api.get(`/credentials/${encodeURIComponent(secret.ref)}/exists`);
    if (present) return false;
    let value = secretValue(source, server, secret, process.env);
    if (value === undefined && ask.interactive())
      value = await ask.secret(`Value of ${text.clean(secret.key)} for ${server.name}: `);
    if (value === undefined)
      throw new Failure(
        'CREDENTIAL_MISSING',
        `the value of ${text.clean(secret.key)} is not in the file. Set it first: coffer credentials set ${secret.ref}`,
        { status: 400 },
      );
    await api.post('/credentials', { ref: secret.ref, value });
    return true;
  }

  return [Import];
}
