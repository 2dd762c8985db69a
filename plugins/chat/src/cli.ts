/** The commands of `coffer chat`, thin: they call REST. */
import type { Api, Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { writer } from './cli-text.js';

const LISTED = 200;

export default ({ Command, Option, Failure, rows, ask, input, text }: Toolkit): Commands => {
  const { said, live } = writer(text);
  const base = '/chat/conversations';
  const at = (id: string, more = ''): string => `${base}/${encodeURIComponent(id)}${more}`;

  abstract class OfOne extends Command {
    id = Option.String({ name: 'ID' });
    /** The conversation whose id begins so. */
    async of(api: Api): Promise<string> {
      if (/^[0-9a-f]{32}$/.test(this.id)) return this.id;
      const lists = await Promise.all(['false', 'true'].map((archived) => api.get(base, { archived, limit: LISTED })));
      const fit = lists
        .flatMap((l) => l.conversations as Obj[])
        .map((c) => c.id as string)
        .filter((id) => this.id !== '' && id.startsWith(this.id));
      if (fit.length === 1) return fit[0] as string;
      throw fit.length === 0
        ? new Failure('CONVERSATION_NOT_FOUND', 'there is no such conversation. See: coffer chat list', { status: 404 })
        : new Failure('BAD_REQUEST', 'several conversations begin so. Give more of the id.', { status: 400 });
    }
  }

  class Agents extends Command {
    static override paths = [['chat', 'agents']];
    static override usage = Command.Usage({ description: 'List the agents to talk to' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/chat/agents');
      await this.print(data, () =>
        rows(
          ['AGENT', 'NAME', 'STATE'],
          (data.agents as Obj[]).map((a) => [
            a.agent_key,
            text.clean(a.display_name),
            a.available === true ? 'available' : `unavailable: ${text.clean(a.reason)}`,
          ]),
          'There is no agent to talk to: no plugin brings one. See: coffer plugin list',
        ),
      );
    }
  }

  class List extends Command {
    static override paths = [['chat', 'list']];
    static override usage = Command.Usage({ description: 'List conversations, those with the newest message first' });
    archived = Option.Boolean('--archived', false, { description: 'Those in the archive' });
    search = Option.String('--search', { description: 'A part of the title' });
    limit = Option.String('--limit', { description: '1 to 200, default 50' });
    async execute(): Promise<void> {
      const limit = input.whole(this.limit, '--limit', 1, LISTED);
      const query = { archived: String(this.archived), search: this.search, limit };
      const data = await (await this.daemon()).get(base, query);
      await this.print(data, () =>
        rows(
          ['ID', 'TITLE', 'AGENT', 'STATE', 'CHANGED'],
          (data.conversations as Obj[]).map((c) => [
            (c.id as string).slice(0, 8),
            text.clean(c.title),
            text.clean(c.agent_key) + (c.channel_name === null ? '' : ` over ${text.clean(c.channel_name)}`),
            c.running === true ? 'running' : c.waiting > 0 ? 'held back' : '',
            text.when(c.updated_at),
          ]),
          this.search === undefined
            ? 'There are no conversations here. Begin one with: coffer chat new AGENT'
            : 'No title fits.',
        ),
      );
    }
  }

  class New extends Command {
    static override paths = [['chat', 'new']];
    static override usage = Command.Usage({ description: 'Begin a conversation; prints its id' });
    agent = Option.String({ name: 'AGENT' });
    cwd = Option.String('--cwd', { description: 'The folder the agent works in; default: the workspace of the vault' });
    model = Option.String('--model', { description: 'The model, as the agent calls it; default: its own' });
    set = Option.String('--config', { description: 'Whatever else this agent wants to know, as JSON' });
    async execute(): Promise<void> {
      const agent_config = {
        ...(this.set !== undefined && input.jsonObject(this.set, '--config')),
        ...(this.cwd !== undefined && { cwd: this.cwd }),
        ...(this.model !== undefined && { model: this.model }),
      };
      const made = await (await this.daemon()).post(base, { agent_key: this.agent, agent_config });
      await this.print(made, made.id as string);
    }
  }

  class Show extends OfOne {
    static override paths = [['chat', 'show']];
    static override usage = Command.Usage({ description: 'Show a conversation and its last messages' });
    last = Option.String('--last', { description: 'How many messages, 1 to 1000, default 20' });
    async execute(): Promise<void> {
      const limit = input.whole(this.last, '--last', 1, 1000) ?? 20;
      const api = await this.daemon();
      const id = await this.of(api);
      const [conversation, { messages, total }] = await Promise.all([
        api.get(at(id)),
        api.get(at(id, '/messages'), { limit }),
      ]);
      await this.print({ conversation, messages, total }, () => {
        const shown = messages as Obj[];
        const earlier = (total as number) - shown.length;
        return [
          text.bold(text.clean(conversation.title)),
          `${text.clean(conversation.agent_name ?? conversation.agent_key)}, ${text.count(total as number, 'message')}, ${conversation.tokens.prompt} tokens in, ${conversation.tokens.completion} out`,
          ...(earlier > 0 ? [text.dim(`${text.count(earlier, 'earlier message')} not shown: --last`)] : []),
          ...shown.map((m) => `\n${said(m)}`),
          ...(conversation.queue.pending as string[]).map((p) => `\n${text.dim('waiting')} ${text.cleanLines(p)}`),
        ].join('\n');
      });
    }
  }

  class Send extends OfOne {
    static override paths = [['chat', 'send']];
    static override usage = Command.Usage({
      description: 'Say something; it waits its turn while another runs',
      examples: [['Wait for the answer', '$0 chat send 3fa9 --wait "What changed in the API?"']],
    });
    given = Option.String({ name: 'TEXT or -' });
    wait = Option.Boolean('--wait', false, {
      description: 'Print the answer as it comes; exit code 7 when the turn fails, 1 when it is stopped',
    });
    async execute(): Promise<number | undefined> {
      const body = this.given === '-' ? await ask.readStdin() : this.given;
      const api = await this.daemon();
      const id = await this.of(api);
      if (!this.wait) {
        const sent = await api.post(at(id, '/messages'), { text: body });
        await this.print(sent, sent.queued === true ? 'It waits for the turn that runs.' : 'It runs.');
        return 0;
      }
      // Listening begins before speaking, so that nothing of the answer is missed.
      const events = api.events(at(id, '/events'));
      await events.next();
      const end = await this.exchange(api, id, body, events).finally(() => events.return());
      if (this.json) {
        const { messages } = await api.get(at(id, '/messages'), { limit: 1000 });
        const message = (messages as Obj[]).find((m) => m.id === end.message_id) ?? null;
        await this.print({ conversation_id: id, message }, '');
      } else this.context.stdout.write('\n');
      if (end.type === 'turn_error') throw new Failure('UPSTREAM_ERROR', text.clean(end.message), { status: 502 });
      return end.stop_reason === 'interrupted' ? 1 : 0;
    }

    private async exchange(api: Api, id: string, body: string, events: ReturnType<Api['events']>): Promise<Obj> {
      const { item_id } = await api.post(at(id, '/messages'), { text: body });
      return this.follow(events, item_id as string);
    }

    /** Prints the turn of one message; answers how it ended. */
    private async follow(events: ReturnType<Api['events']>, item: string): Promise<Obj> {
      let mine = false;
      for await (const { data } of events) {
        const event = JSON.parse(data) as Obj;
        if (event.type === 'turn_start') mine = event.item_id === item;
        if (!mine) continue;
        if (event.type === 'turn_done' || event.type === 'turn_error') return event;
        if (!this.json) this.context.stdout.write(live(event));
      }
      throw new Failure('CONVERSATION_NOT_FOUND', 'the conversation was deleted meanwhile.', { status: 404 });
    }
  }

  class Tail extends OfOne {
    static override paths = [['chat', 'tail']];
    static override usage = Command.Usage({
      description: 'Watch a conversation, from the turn that runs on, until Ctrl-C',
      details: 'With --json one event a line, as the daemon sends them.',
    });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const id = await this.of(api);
      for await (const { data } of api.events(at(id, '/events'))) {
        if (this.json) this.context.stdout.write(`${data}\n`);
        else this.context.stdout.write(live(JSON.parse(data) as Obj));
      }
      if (!this.json) this.context.stdout.write('The conversation was deleted.\n');
    }
  }

  class Interrupt extends OfOne {
    static override paths = [['chat', 'interrupt']];
    static override usage = Command.Usage({
      description: 'Stop the turn that runs; what it had done is kept, what waits is held back',
    });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const id = await this.of(api);
      await api.post(at(id, '/interrupt'));
      const { queue } = await api.get(at(id));
      await this.print({ id, queue }, () =>
        queue.pending.length === 0
          ? 'Nothing runs now.'
          : `Nothing runs now; ${text.count(queue.pending.length, 'message')} held back until you go on with: coffer chat resume ${this.id}`,
      );
    }
  }

  class Resume extends OfOne {
    static override paths = [['chat', 'resume']];
    static override usage = Command.Usage({ description: 'Let the queue go on after an interrupt, or drop it' });
    drop = Option.Boolean('--drop', false, { description: 'Drop what waits' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const id = await this.of(api);
      const { queue } = await api.get(at(id));
      const body = { pending: this.drop ? [] : (queue.pending as string[]), revision: queue.revision };
      const data = await api.request('PUT', at(id, '/pending'), { body });
      await this.print(data, () =>
        this.drop
          ? `Dropped ${text.count(queue.pending.length, 'message')}.`
          : queue.pending.length === 0
            ? 'Nothing waits.'
            : 'It goes on.',
      );
    }
  }

  const archiving = (verb: 'archive' | 'restore', description: string): Commands[number] => {
    class Archiving extends OfOne {
      static override paths = [['chat', verb]];
      static override usage = Command.Usage({ description });
      async execute(): Promise<void> {
        const api = await this.daemon();
        const data = await api.post(at(await this.of(api), verb === 'archive' ? '/archive' : '/unarchive'));
        await this.print(data, verb === 'archive' ? 'It is in the archive.' : 'It is back.');
      }
    }
    return Archiving;
  };

  class Delete extends OfOne {
    static override paths = [['chat', 'delete']];
    static override usage = Command.Usage({ description: 'Delete a conversation with its messages' });
    force = Option.Boolean('--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const id = await this.of(api);
      const { title } = await api.get(at(id));
      await ask.confirm(`Delete ${text.clean(title)} with all its messages?`, this.force);
      await api.request('DELETE', at(id));
      await this.print({ deleted: id }, 'Deleted.');
    }
  }

  return [
    Agents,
    List,
    New,
    Show,
    Send,
    Tail,
    Interrupt,
    Resume,
    archiving('archive', 'Put a conversation into the archive'),
    archiving('restore', 'Take a conversation out of the archive'),
    Delete,
  ];
};
