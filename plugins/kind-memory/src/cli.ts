/** The commands of `coffer memory`, thin: they call REST. */
import type { Api, Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';

/** A session waits for its context no longer than this, in milliseconds. */
const CONTEXT_MS = 3000;

export default ({ Command, Option, rows, ask, input, text }: Toolkit): Commands => {
  const at = (store: string, more = ''): string => `/memory_stores/${encodeURIComponent(store)}${more}`;
  const fact = (store: string, id: string): string => at(store, `/facts/${encodeURIComponent(id)}`);

  abstract class InStore extends Command {
    store = Option.String('--store', {
      description: 'global, or a project’s; default: of the folder you are in, else global',
    });
    async of(api: Api): Promise<string> {
      if (this.store !== undefined) return this.store;
      const { project } = await api.get('/memory/project', { cwd: process.cwd() });
      return project?.store ?? 'global';
    }
  }

  class List extends Command {
    static override paths = [['memory', 'list']];
    static override usage = Command.Usage({ description: 'List memory stores' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/memory_stores');
      await this.print(data, () =>
        rows(
          ['STORE', 'PROJECT', 'FACTS', 'SIZE', 'CHANGED', 'FOLDER'],
          (data.stores as Obj[]).map((s) => [
            s.name,
            text.clean(s.identity ?? s.label),
            String(s.fact_count),
            text.bytes(s.disk_bytes),
            s.updated_at === null ? '' : text.when(s.updated_at),
            s.folder_path,
          ]),
          'Nothing was remembered yet. Agents do so with coffer__remember, you with: coffer memory add',
        ),
      );
    }
  }

  class FactList extends InStore {
    static override paths = [['memory', 'facts']];
    static override usage = Command.Usage({ description: 'List the facts of a store, the newest first' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await api.get(at(await this.of(api), '/facts'), { limit: 1000 });
      await this.print(data, () =>
        rows(
          ['ID', 'NAME', 'BY', 'CHANGED'],
          (data.facts as Obj[]).map((f) => [
            f.id,
            text.clean(f.name),
            text.clean(f.agent ?? f.actor ?? ''),
            text.when(f.updated_at),
          ]),
          'This store has no facts.',
        ),
      );
    }
  }

  class Add extends InStore {
    static override paths = [['memory', 'add']];
    static override usage = Command.Usage({
      description: 'Remember a fact',
      examples: [['In the project of this folder', '$0 memory add "The suite needs Redis on port 6390."']],
    });
    given = Option.String({ name: 'TEXT or -' });
    name = Option.String('--name', { description: 'A short name' });
    description = Option.String('--description', { description: 'One line on what it is about' });
    async execute(): Promise<void> {
      const body = this.given === '-' ? await ask.readStdin() : this.given;
      const api = await this.daemon();
      const made = await api.post(at(await this.of(api), '/facts'), {
        text: body,
        ...(this.store === undefined && { cwd: process.cwd() }),
        ...(this.name !== undefined && { name: this.name }),
        ...(this.description !== undefined && { description: this.description }),
      });
      await this.print(made, `Remembered as ${made.id}, in ${made.path}`);
    }
  }

  class Get extends InStore {
    static override paths = [['memory', 'get']];
    static override usage = Command.Usage({ description: 'Show a fact' });
    id = Option.String({ name: 'ID' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await api.get(fact(await this.of(api), this.id));
      await this.print(data, () => `${text.cleanLines(data.text)}\n\n${text.clean(data.path)}`);
    }
  }

  class Edit extends InStore {
    static override paths = [['memory', 'edit']];
    static override usage = Command.Usage({
      description: 'Replace the text of a fact; or open its file in an editor of yours, that counts as well',
    });
    id = Option.String({ name: 'ID' });
    given = Option.String({ name: 'TEXT or -' });
    async execute(): Promise<void> {
      const body = this.given === '-' ? await ask.readStdin() : this.given;
      const api = await this.daemon();
      const data = await api.request('PATCH', fact(await this.of(api), this.id), { body: { text: body } });
      await this.print(data, `Changed ${data.id}`);
    }
  }

  class Delete extends InStore {
    static override paths = [['memory', 'delete']];
    static override usage = Command.Usage({ description: 'Forget a fact' });
    id = Option.String({ name: 'ID' });
    force = Option.Boolean('--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const store = await this.of(api);
      await ask.confirm(`Forget ${this.id} of ${store}?`, this.force);
      await api.request('DELETE', fact(store, this.id));
      await this.print({ deleted: this.id, store }, `Forgot ${this.id}`);
    }
  }

  class Move extends InStore {
    static override paths = [['memory', 'move']];
    static override usage = Command.Usage({ description: 'Move a fact to another store' });
    id = Option.String({ name: 'ID' });
    to = Option.String({ name: 'STORE' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await api.post(`${fact(await this.of(api), this.id)}/move`, { to: this.to });
      await this.print(data, `Moved to ${this.to} as ${data.id}`);
    }
  }

  class Clear extends InStore {
    static override paths = [['memory', 'clear']];
    static override usage = Command.Usage({ description: 'Forget all facts of a store; its rules and hand-offs stay' });
    force = Option.Boolean('--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const store = await this.of(api);
      await ask.confirm(`Forget every fact of ${store}? A backup is made with: coffer backup`, this.force);
      const data = await api.request('DELETE', at(store, '/facts'));
      await this.print(data, `Forgot ${text.count(data.cleared, 'fact')}`);
    }
  }

  class Recall extends InStore {
    static override paths = [['memory', 'recall']];
    static override usage = Command.Usage({ description: 'Search facts by words, as agents do' });
    query = Option.Rest({ name: 'QUERY', required: 1 });
    topK = Option.String('--top-k', { description: '1 to 50, default 10' });
    async execute(): Promise<void> {
      const top_k = input.whole(this.topK, '--top-k', 1, 50);
      const api = await this.daemon();
      // As agents do: in the project of this folder and in what holds everywhere.
      const own = await this.of(api);
      const stores = this.store !== undefined || own === 'global' ? [own] : [own, 'global'];
      const body = { query: this.query.join(' '), ...(top_k !== undefined && { top_k }) };
      const answers = await Promise.all(stores.map((store) => api.post(at(store, '/recall'), body)));
      const data = { hits: answers.flatMap((a) => a.hits as Obj[]) };
      await this.print(data, () =>
        data.hits.length === 0
          ? 'Nothing is known about that.'
          : data.hits.map((h) => `${text.clean(h.path)}:${h.line}\n${text.cleanLines(h.text)}`).join('\n\n'),
      );
    }
  }

  class Rules extends InStore {
    static override paths = [['memory', 'rules']];
    static override usage = Command.Usage({
      description: 'Show the rules that sessions start with, or set them',
      examples: [['Write them from a file', '$0 memory rules --set - < rules.md']],
    });
    set = Option.String('--set', { description: 'The text, or - for standard input' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const path = at(await this.of(api), '/rules');
      const body = this.set === '-' ? await ask.readStdin() : this.set;
      const data = body === undefined ? await api.get(path) : await api.request('PUT', path, { body: { text: body } });
      await this.print(data, () => (data.text === '' ? 'There are no rules.' : text.cleanLines(data.text)));
    }
  }

  class Context extends Command {
    static override paths = [['memory', 'context']];
    static override usage = Command.Usage({
      description: 'Print what a session in this folder should start with: rules, and where its branch was left',
      details:
        'For the session-start hook of an agent: it prints nothing and ends with 0 whatever goes wrong, within three seconds.',
    });
    async execute(): Promise<number> {
      try {
        const api = await this.daemon();
        const data = await api.request('GET', '/memory/context', {
          query: { cwd: process.cwd() },
          timeoutMs: CONTEXT_MS,
        });
        if (this.json) await this.print(data, '');
        else if (data.text !== '') this.context.stdout.write(`${data.text as string}\n`);
      } catch {
        // A session must not fail or wait because of us; the audit log of the daemon shows who was served.
      }
      return 0;
    }
  }

  return [List, FactList, Add, Get, Edit, Delete, Move, Clear, Recall, Rules, Context];
};
