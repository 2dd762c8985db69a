/** Adding, changing and removing connections. A key is typed or piped, never an argument. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { pathOf } from './look.js';

export function changeCommands({ Command, Option, usage, ask, text }: Toolkit): Commands {
  const WIRE = { description: 'responses or chat: which of OpenAI’s two APIs the endpoint offers' };
  const AGENTS = {
    description: 'Types of agents that may run on it, with commas: claude_code,codex. Empty: as its protocol says',
  };
  const CREDENTIAL = { description: 'The name of a stored credential instead of a key' };
  const listed = (agents: string | undefined): Obj =>
    agents === undefined
      ? {}
      : { compatible_agents: agents.trim() === '' ? null : agents.split(',').map((a) => a.trim()) };

  class Add extends Command {
    static override paths = [['llm', 'add']];
    static override usage = Command.Usage({
      description: 'Add an LLM connection; its key is typed at a hidden prompt or given on stdin',
      examples: [
        ['A well-known one', '$0 llm add anthropic --preset anthropic'],
        ['Any other', '$0 llm add office --protocol openai --base-url https://llm.example.com/v1 --wire chat'],
        ['With a stored credential', '$0 llm add deepseek --preset deepseek --credential deepseek/key'],
      ],
    });
    name = Option.String({ name: 'NAME' });
    preset = Option.String('--preset', { description: 'A well-known endpoint, see: coffer llm presets' });
    protocol = Option.String('--protocol', { description: 'anthropic, openai, ollama or unknown' });
    url = Option.String('--base-url', { description: 'Where the API begins' });
    wire = Option.String('--wire', WIRE);
    agents = Option.String('--agents', AGENTS);
    credential = Option.String('--credential', CREDENTIAL);
    description = Option.String('--description', { description: 'What it is for' });

    async execute(): Promise<void> {
      if (this.preset === undefined && (this.protocol === undefined || this.url === undefined))
        throw usage('give --preset, or --protocol and --base-url.');
      const api = await this.daemon();
      const preset = await this.known((await api.get('/llm-presets')).presets as Obj[]);
      const protocol = this.protocol ?? preset?.protocol;
      const body = {
        name: this.name,
        protocol,
        base_url: this.url ?? preset?.base_url,
        ...((this.wire ?? preset?.wire_api) !== undefined && { wire_api: this.wire ?? preset?.wire_api }),
        ...listed(this.agents),
        ...(this.description !== undefined && { description: this.description }),
        ...(this.credential !== undefined
          ? { credential_ref: this.credential }
          : protocol === 'ollama'
            ? {}
            : { secret_value: await ask.secret(`Key for ${this.name}: `) }),
      };
      const made = await api.post('/llm-connections', body);
      await this.print(
        made,
        `Added ${made.name}. Next: coffer llm test ${made.name}, then coffer llm use AGENT ${made.name} --model MODEL`,
      );
    }

    private async known(presets: readonly Obj[]): Promise<Obj | undefined> {
      if (this.preset === undefined) return undefined;
      const found = presets.find((p) => p.id === this.preset);
      if (found === undefined)
        throw usage(`there is no such preset. There are: ${presets.map((p) => p.id).join(', ')}.`);
      return found;
    }
  }

  class Update extends Command {
    static override paths = [['llm', 'update']];
    static override usage = Command.Usage({
      description: 'Change a connection; what is not named stays, and agents that run on it follow',
    });
    name = Option.String({ name: 'NAME' });
    url = Option.String('--base-url', { description: 'Where the API begins' });
    wire = Option.String('--wire', WIRE);
    agents = Option.String('--agents', AGENTS);
    key = Option.Boolean('--key', false, { description: 'Another key, typed at a hidden prompt or given on stdin' });
    credential = Option.String('--credential', CREDENTIAL);
    description = Option.String('--description', { description: 'What it is for' });

    async execute(): Promise<void> {
      if (this.key && this.credential !== undefined) throw usage('--key and --credential do not go together.');
      const change = {
        ...(this.url !== undefined && { base_url: this.url }),
        ...(this.wire !== undefined && { wire_api: this.wire }),
        ...listed(this.agents),
        ...(this.credential !== undefined && { credential_ref: this.credential }),
        ...(this.description !== undefined && { description: this.description }),
      };
      if (!this.key && Object.keys(change).length === 0) throw usage('name what is to change, see --help.');
      const api = await this.daemon();
      const secret = this.key ? { secret_value: await ask.secret(`Key for ${this.name}: `) } : {};
      const changed = await api.request('PATCH', pathOf(this.name), { body: { ...change, ...secret } });
      await this.print(changed, `Changed ${changed.name}.`);
    }
  }

  class Remove extends Command {
    static override paths = [['llm', 'remove']];
    static override usage = Command.Usage({ description: 'Remove a connection, with the key that came with it' });
    name = Option.String({ name: 'NAME' });
    force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const { name } = await api.get(pathOf(this.name));
      await ask.confirm(`Remove LLM connection ${text.clean(name)}?`, this.force);
      await api.request('DELETE', pathOf(this.name));
      await this.print({ removed: name }, `Removed ${name}.`);
    }
  }

  return [Add, Update, Remove];
}
