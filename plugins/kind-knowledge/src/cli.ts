/** The commands of `coffer kb`, thin: they call REST. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Api, Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { formatOf } from './convert/formats.js';
import { KIND } from './kind.js';

/** A long document may take its time. */
const INGEST_MS = 180_000;
const REINDEX_MS = 3_600_000;

export default ({ Command, Option, Failure, rows, ask, input, progress, text }: Toolkit): Commands => {
  const at = (name: string, more = ''): string => `${input.resourcePath(KIND, name)}${more}`;
  const doc = (name: string, id: string, more = ''): string => at(name, `/documents/${encodeURIComponent(id)}${more}`);

  abstract class InBase extends Command {
    name = Option.String({ name: 'NAME' });
  }

  class Create extends InBase {
    static override paths = [['kb', 'create']];
    static override usage = Command.Usage({
      description: 'Make a knowledge base',
      examples: [
        [
          'With a word on what is in it, which agents read',
          '$0 kb create specs --description "Specifications of the product"',
        ],
      ],
    });
    description = Option.String('--description', { description: 'What is in it; agents choose by this' });
    async execute(): Promise<void> {
      const body = {
        kind: KIND,
        name: this.name,
        config: {},
        ...(this.description !== undefined && { description: this.description }),
      };
      const made = await (await this.daemon()).post('/resources', body);
      await this.print(made, `Made ${this.name}. Put files in with: coffer kb ingest ${this.name} FILE…`);
    }
  }

  class List extends Command {
    static override paths = [['kb', 'list']];
    static override usage = Command.Usage({ description: 'List knowledge bases' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get('/resources', { kind: KIND });
      await this.print({ knowledge_bases: data.resources }, () =>
        rows(
          ['NAME', 'DOCUMENTS', 'ENABLED', 'DESCRIPTION'],
          (data.resources as Obj[]).map((r) => [
            r.name,
            String(r.status?.documents ?? ''),
            r.enabled ? 'yes' : 'no',
            text.clean(r.description),
          ]),
          'There are no knowledge bases. Make one with: coffer kb create NAME',
        ),
      );
    }
  }

  class Ingest extends InBase {
    static override paths = [['kb', 'ingest']];
    static override usage = Command.Usage({
      description: 'Put files or folders into a knowledge base',
      details:
        'What is there already with the same bytes is passed over, so a run that was stopped goes on where it was.',
      examples: [['A folder, with all that can be read in it', '$0 kb ingest specs ./docs']],
    });
    given = Option.Rest({ name: 'FILE or FOLDER', required: 1 });
    replace = Option.Boolean('--replace', false, {
      description: 'Put new bytes in the place of old ones of the same name',
    });
    async execute(): Promise<number> {
      const found = this.given.flatMap((p) => filesIn(p));
      const files = found.filter((f) => f.known);
      const passed = found.filter((f) => !f.known);
      if (files.length === 0)
        throw new Failure('INGEST_REJECTED', 'nothing there can be taken in. See: coffer kb ingest --help');
      const api = await this.daemon();
      const results: Obj[] = [];
      await progress(`Taking in ${text.count(files.length, 'file')}`, async () => {
        for (const file of files) results.push(await this.one(api, file));
      });
      const failed = results.filter((r) => r.status === 'failed');
      const count = (status: string): number => results.filter((r) => r.status === status).length;
      await this.print({ documents: results, passed_over: passed.map((f) => f.file) }, () =>
        [
          `${count('created')} new, ${count('replaced')} replaced, ${count('unchanged')} unchanged, ${failed.length} failed`,
          ...failed.map((r) => `${text.clean(r.file)}: ${text.clean(r.message)}`),
          ...(passed.length > 0
            ? [`passed over, of types that are not taken in: ${passed.map((f) => text.clean(f.shown)).join(', ')}`]
            : []),
        ].join('\n'),
      );
      return failed.length > 0 ? 6 : 0;
    }

    private async one(api: Api, { file, shown }: Found): Promise<Obj> {
      try {
        const content_base64 = readFileSync(file).toString('base64');
        const body = { filename: shown, content_base64, ...(this.replace && { replace: true }) };
        return { file, ...(await api.post(at(this.name, '/documents'), body, INGEST_MS)) };
      } catch (e) {
        // The daemon names the file too.
        const own = (message: string): string =>
          message.startsWith(`${shown}: `) ? message.slice(shown.length + 2) : message;
        if (e instanceof Failure) return { file, status: 'failed', code: e.code, message: own(e.message) };
        return { file, status: 'failed', message: `it cannot be read (${(e as { code?: string }).code ?? 'unknown'})` };
      }
    }
  }

  class Docs extends InBase {
    static override paths = [['kb', 'docs']];
    static override usage = Command.Usage({ description: 'List the documents of a knowledge base' });
    q = Option.String('-q,--query', { description: 'Only those with this in title or file name' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(at(this.name, '/documents'), { limit: 1000, q: this.q });
      await this.print(data, () =>
        rows(
          ['ID', 'TITLE', 'FILE', 'STATE', 'SIZE', 'CHANGED'],
          (data.documents as Obj[]).map((d) => [
            d.document_id,
            text.clean(d.title),
            text.clean(d.source_filename ?? ''),
            d.source_mode,
            text.bytes(d.bytes),
            text.when(d.updated_at),
          ]),
          `${this.name} has no such documents.`,
        ),
      );
    }
  }

  class Read extends InBase {
    static override paths = [['kb', 'read']];
    static override usage = Command.Usage({ description: 'Print a document as Markdown' });
    id = Option.String({ name: 'ID' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).get(doc(this.name, this.id));
      await this.print(data, () => text.cleanLines(data.markdown));
    }
  }

  class Edit extends InBase {
    static override paths = [['kb', 'edit']];
    static override usage = Command.Usage({
      description:
        'Replace the Markdown of a document from standard input; or open its file in an editor of yours, that counts as well',
    });
    id = Option.String({ name: 'ID' });
    async execute(): Promise<void> {
      const markdown = await ask.readStdin();
      const data = await (await this.daemon()).request('PUT', doc(this.name, this.id), { body: { markdown } });
      await this.print(data, `Changed ${data.document_id}`);
    }
  }

  class Delete extends InBase {
    static override paths = [['kb', 'delete']];
    static override usage = Command.Usage({ description: 'Delete a document and its original' });
    id = Option.String({ name: 'ID' });
    force = Option.Boolean('--force', false, { description: 'Do not ask' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      await ask.confirm(`Delete ${this.id} of ${this.name}, its original included?`, this.force);
      await api.request('DELETE', doc(this.name, this.id));
      await this.print({ deleted: this.id }, `Deleted ${this.id}`);
    }
  }

  class Search extends InBase {
    static override paths = [['kb', 'search']];
    static override usage = Command.Usage({ description: 'Find passages by words' });
    query = Option.Rest({ name: 'QUERY', required: 1 });
    topK = Option.String('--top-k', { description: '1 to 50, default 10' });
    async execute(): Promise<void> {
      const top_k = input.whole(this.topK, '--top-k', 1, 50);
      const body = { query: this.query.join(' '), ...(top_k !== undefined && { top_k }) };
      const data = await (await this.daemon()).post(at(this.name, '/search'), body);
      await this.print(data, () =>
        (data.passages as Obj[]).length === 0
          ? 'Nothing fits.'
          : (data.passages as Obj[])
              .map((p) => `${text.clean(p.title)}  ${p.document_id}\n${text.cleanLines(p.text)}`)
              .join('\n\n'),
      );
    }
  }

  class Grep extends InBase {
    static override paths = [['kb', 'grep']];
    static override usage = Command.Usage({ description: 'Find lines by a regular expression' });
    pattern = Option.String({ name: 'PATTERN' });
    async execute(): Promise<void> {
      const data = await (await this.daemon()).post(at(this.name, '/grep'), { pattern: this.pattern });
      await this.print(
        data,
        () =>
          [
            ...(data.hits as Obj[]).map((h) => `${text.clean(h.path)}:${h.line_number}: ${text.clean(h.line)}`),
            ...(data.truncated ? ['(there is more)'] : []),
          ].join('\n') || 'No line matches.',
      );
    }
  }

  class Reconvert extends InBase {
    static override paths = [['kb', 'reconvert']];
    static override usage = Command.Usage({
      description: 'Convert the original of a document anew, unless it was edited',
    });
    id = Option.String({ name: 'ID' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await progress('Converting', () => api.post(doc(this.name, this.id, '/reconvert'), {}, INGEST_MS));
      await this.print(data, `Converted ${data.document_id} anew`);
    }
  }

  class Reindex extends InBase {
    static override paths = [['kb', 'reindex']];
    static override usage = Command.Usage({ description: 'Make the index anew from the files' });
    async execute(): Promise<void> {
      const api = await this.daemon();
      const data = await progress('Indexing', () => api.post(at(this.name, '/reindex'), {}, REINDEX_MS));
      await this.print(
        data,
        `${data.added + data.changed} indexed, ${data.removed} gone, ${data.failed.length} not readable`,
      );
    }
  }

  return [Create, List, Ingest, Docs, Read, Edit, Delete, Search, Grep, Reconvert, Reindex];
};

interface Found {
  file: string;
  /** The name it is known by: within a folder its path there, so that two of one name stay two. */
  shown: string;
  /** Of a type that is taken in; what was named by itself is left to the daemon to refuse. */
  known: boolean;
}

/** A file as it is; of a folder all that is not hidden. What links lead to is left out. */
function filesIn(given: string): Found[] {
  if (!statSync(given, { throwIfNoEntry: false })?.isDirectory())
    return [{ file: given, shown: path.basename(given), known: true }];
  return readdirSync(given, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => path.join(e.parentPath, e.name))
    .filter(
      (file) =>
        !path
          .relative(given, file)
          .split(path.sep)
          .some((part) => part.startsWith('.') || part === 'node_modules'),
    )
    .sort()
    .map((file) => ({
      file,
      shown: path.relative(given, file).split(path.sep).join(' - '),
      known: formatOf(file) !== undefined,
    }));
}
