/** What connections there are, and whether they answer. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';

/** Milliseconds; longer than the daemon gives a model. */
export const ASK_MS = 75_000;
/** The exit code of a test that failed, as for servers. */
export const FAILED_EXIT = 7;
export const pathOf = (name: string): string => `/llm-connections/${encodeURIComponent(name)}`;

export function lookCommands({ Command, Option, Failure, rows, progress, text }: Toolkit): Commands {
  const answered = (t: Obj | null): string =>
    t === null ? text.dim('not tested') : t.ok ? text.green(`answered ${text.when(t.at)}`) : text.red('fails');
  const users = (c: Obj): string =>
    [...(c.used_by as string[]), ...(c.internal_default ? ['Coffer itself'] : [])].map(text.clean).join(', ') || '-';

  class List extends Command {
    static override paths = [['llm', 'list']];
    static override usage = Command.Usage({ description: 'List the LLM connections, and who runs on them' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/llm-connections');
      await this.print(data, () =>
        rows(
          ['NAME', 'SPEAKS', 'ADDRESS', 'STATE', 'IN USE BY'],
          (data.connections as Obj[]).map((c) => [
            text.clean(c.name),
            c.protocol === 'openai' ? `openai, ${c.wire_api}` : c.protocol,
            text.clean(c.base_url),
            c.enabled ? answered(c.last_test) : text.dim('off'),
            users(c),
          ]),
          'There is no LLM connection yet. Add one: coffer llm add NAME --preset anthropic',
        ),
      );
    }
  }

  class Show extends Command {
    static override paths = [['llm', 'show']];
    static override usage = Command.Usage({ description: 'Show one connection; never its key' });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const c = await (await this.daemon()).get(pathOf(this.name));
      await this.print(c, () =>
        [
          `${text.bold(text.clean(c.name))}  ${c.enabled ? answered(c.last_test) : text.dim('off')}`,
          ...(c.description === null ? [] : [text.clean(c.description)]),
          `address   ${text.clean(c.base_url)}`,
          `speaks    ${c.protocol}${c.protocol === 'openai' ? `, ${c.wire_api}` : ''}`,
          `key       ${c.credential_ref === null ? 'none needed' : `credential ${text.clean(c.credential_ref)}`}`,
          `fits      ${(c.fits as string[]).map(text.clean).join(', ') || 'no agent here'}`,
          `in use by ${users(c)}`,
          ...(c.last_test === null
            ? []
            : [`test      ${text.clean(c.last_test.message)} (${text.when(c.last_test.at)})`]),
        ].join('\n'),
      );
    }
  }

  class Presets extends Command {
    static override paths = [['llm', 'presets']];
    static override usage = Command.Usage({ description: 'List well-known endpoints' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/llm-presets');
      await this.print(data, () =>
        rows(
          ['PRESET', 'WHAT', 'SPEAKS', 'ADDRESS', 'KEYS ARE MADE AT'],
          (data.presets as Obj[]).map((p) => [p.id, p.label, p.protocol, p.base_url, p.keys_at ?? '-']),
          'There is none.',
        ),
      );
    }
  }

  class Test extends Command {
    static override paths = [['llm', 'test']];
    static override usage = Command.Usage({
      description: 'Ask a connection for a small answer; exit code 7 when it does not give one',
      details: 'With `--model` that model is asked, else the endpoint for its list of models.',
    });
    name = Option.String({ name: 'NAME' });
    model = Option.String('--model', { description: 'The model to ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const result = await progress('Asking', () =>
        api.post(`${pathOf(this.name)}/test`, this.model === undefined ? {} : { model: this.model }, ASK_MS),
      );
      await this.print(result, result.ok ? `${result.message} ${text.dim(text.duration(result.duration_ms))}` : '');
      if (!result.ok) throw new Failure('UPSTREAM_ERROR', text.clean(result.message), { exit: FAILED_EXIT });
    }
  }

  class Models extends Command {
    static override paths = [['llm', 'models']];
    static override usage = Command.Usage({ description: 'List the models of a connection' });
    name = Option.String({ name: 'NAME' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await progress('Asking', () =>
        api.request('GET', `${pathOf(this.name)}/models`, { timeoutMs: ASK_MS }),
      );
      await this.print(data, (data.models as string[]).map(text.clean).join('\n') || text.clean(data.message));
    }
  }

  return [List, Show, Presets, Test, Models];
}
