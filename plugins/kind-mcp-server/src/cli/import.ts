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
      const notes: string[] = [];
      const failed: { name: string; code: string; message: string }[] = [];
      let first: InstanceType<typeof Failure> | undefined;
      for (const server of servers) {
        try {
          await progress(`Registering ${server.name}`, () => take(api, server, source, notes));
          imported.push(server.name);
        } catch (e) {
          if (!(e instanceof Failure)) throw e;
          first ??= e;
          failed.push({ name: server.name, code: e.code, message: e.message });
        }
      }
      await this.print(
        { imported, failed, problems, notes },
        [...notes, ...(imported.length === 0 ? [] : [`Registered ${imported.join(', ')}. See: coffer mcp list`])].join(
          '\n',
        ),
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
  async function take(api: Api, server: ImportedServer, source: string, notes: string[]): Promise<void> {
    const stored: string[] = [];
    const said: string[] = [];
    const transport = server.config.transport as Obj;
    const refs = { ...(transport.credential_refs as Record<string, string>) };
    try {
      for (const secret of server.secrets) {
        const { ref, anew, note } = await store(api, server, secret, source);
        refs[secret.key] = ref;
        if (anew) stored.push(ref);
        if (note !== undefined) said.push(note);
      }
      const config = { ...server.config, transport: { ...transport, credential_refs: refs } };
      await api.post('/resources', { kind: KIND, name: server.name, config }, START_MS);
      notes.push(...said);
    } catch (e) {
      for (const ref of stored) await api.request('DELETE', `/credentials/${encodeURIComponent(ref)}`);
      throw e;
    }
    if (server.disabled) await api.post(`${input.resourcePath(KIND, server.name)}/disable`);
  }

  /**
   * The credential that holds the secret. One that is there already is never replaced: it is used when it holds the same value or the
   * source gives none, else the value goes under the next free name.
   */
  async function store(
    api: Api,
    server: ImportedServer,
    secret: ImportedSecret,
    source: string,
  ): Promise<{ ref: string; anew: boolean; note?: string }> {
    const key = text.clean(secret.key);
    const at = (ref: string): string => `/credentials/${encodeURIComponent(ref)}`;
    const present = async (ref: string): Promise<boolean> => (await api.get(`${at(ref)}/exists`)).present === true;
    const taken = await present(secret.ref);
    let value = secretValue(source, server, secret, process.env);
    if (taken && value === undefined)
      return {
        ref: secret.ref,
        anew: false,
        note: `${server.name} uses the stored credential ${secret.ref} for ${key}. Replace its value with: coffer credentials set ${secret.ref}`,
      };
    if (taken && (await api.get(at(secret.ref))).value === value) return { ref: secret.ref, anew: false };
    if (value === undefined && ask.interactive()) value = await ask.secret(`Value of ${key} for ${server.name}: `);
    if (value === undefined)
      throw new Failure(
        'CREDENTIAL_MISSING',
        `the value of ${key} is not in the file. Set it first: coffer credentials set ${secret.ref}`,
        { status: 400 },
      );
    let ref = secret.ref;
    for (let n = 2; ref === secret.ref ? taken : await present(ref); n++) ref = `${secret.ref}-${n}`;
    await api.post('/credentials', { ref, value });
    if (ref === secret.ref) return { ref, anew: true };
    return {
      ref,
      anew: true,
      note: `The credential ${secret.ref} holds another value and was left alone: ${key} of ${server.name} is stored as ${ref}.`,
    };
  }

  return [Import];
}
