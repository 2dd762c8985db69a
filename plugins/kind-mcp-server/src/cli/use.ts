/** Using what servers offer: call, search, and the log of calls. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { KIND } from '../config.js';

/** A call may be silent for 30 minutes and longer with progress; the daemon ends it in time. */
const CALL_MS = 4 * 3_600_000;
const LIST_MS = 30_000;

export function useCommands({ Command, Option, rows, ask, input, progress, text }: Toolkit): Commands {
  class Call extends Command {
    static override paths = [['mcp', 'call']];
    static override usage = Command.Usage({
      description: 'Call a tool by its full name; gated and logged like any call',
      examples: [['With arguments', '$0 mcp call everything__echo \'{"message": "hello"}\'']],
    });
    tool = Option.String({ name: 'NAME__TOOL' });
    given = Option.String({ name: 'JSON', required: false });
    async execute(): Promise<number> {
      const source = this.given === '-' ? await ask.readStdin() : (this.given ?? '{}');
      const args = input.jsonObject(source, 'what was given as arguments');
      const api = await this.daemon();
      const result = await progress(`Calling ${this.tool}`, () =>
        api.post('/gateway/call', { name: this.tool, arguments: args }, CALL_MS),
      );
      await this.print(result, () => shown(result, this.context.stdout === process.stdout && process.stdout.isTTY));
      return result.isError === true ? 1 : 0;
    }
  }

  /** The content as text; on a terminal without what it would obey. */
  function shown({ content = [], structuredContent }: Obj, terminal: boolean): string {
    const parts = (content as Obj[]).map((c) => {
      if (typeof c.text === 'string') return terminal ? text.cleanLines(c.text) : c.text;
      if (typeof c.data === 'string')
        return `[${text.clean(c.type)} ${text.clean(c.mimeType)}, ${text.bytes(Math.floor((c.data.length * 3) / 4))}; --json has it]`;
      return text.clean(c.resource?.text ?? c.resource?.uri ?? c.uri ?? c);
    });
    return parts.length > 0
      ? parts.join('\n')
      : structuredContent === undefined
        ? '(the tool gave nothing back)'
        : JSON.stringify(structuredContent, null, 2);
  }

  class Search extends Command {
    static override paths = [['mcp', 'search']];
    static override usage = Command.Usage({ description: 'Find tools of all servers by what they do' });
    query = Option.Rest({ name: 'QUERY', required: 1 });
    topK = Option.String('--top-k', { description: '1 to 20, default 5' });
    async execute(): Promise<void> {
      const top_k = input.whole(this.topK, '--top-k', 1, 20);
      const api = await this.daemon();
      const data = await progress('Searching', () =>
        api.post('/gateway/search', { query: this.query.join(' '), ...(top_k !== undefined && { top_k }) }, LIST_MS),
      );
      await this.print(data, () =>
        rows(
          ['TOOL', 'SCORE', 'DESCRIPTION'],
          (data.tools as Obj[]).map((t) => [text.clean(t.name), Number(t.score).toFixed(2), text.clean(t.description)]),
          `No tool matches; ${text.count(data.total_searched, 'tool')} looked at.`,
        ),
      );
    }
  }

  class Invocations extends Command {
    static override paths = [['mcp', 'invocations']];
    static override usage = Command.Usage({ description: 'List calls through the gateway, newest first' });
    name = Option.String({ name: 'NAME', required: false });
    limit = Option.String('--limit', { description: '1 to 500, default 20' });
    status = Option.String('--status', { description: 'ok, error, timeout, denied or cancelled' });
    since = Option.String('--since', { description: 'A date, or an age such as 2h' });
    async execute(): Promise<void> {
      const query = {
        limit: input.whole(this.limit, '--limit', 1, 500) ?? 20,
        status: this.status,
        since: input.since(this.since),
      };
      const path = this.name === undefined ? '/invocations' : `${input.resourcePath(KIND, this.name)}/invocations`;
      const data = await (await this.daemon()).get(path, query);
      await this.print(data, () =>
        rows(
          ['WHEN', 'SERVER', 'TYPE', 'WHAT', 'STATUS', 'TOOK', 'AGENT', 'ERROR'],
          (data.invocations as Obj[]).map((i) => [
            text.when(i.timestamp),
            i.server,
            i.capability_type,
            text.clean(i.capability_key),
            text.health(i.status),
            text.duration(i.duration_ms),
            text.clean(i.agent),
            text.clean(i.error_message),
          ]),
          'No calls were recorded.',
        ),
      );
    }
  }

  return [Call, Search, Invocations];
}
