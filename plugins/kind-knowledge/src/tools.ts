/** The tools of knowledge, as agents see them. */
import { CofferError, type Obj, type ToolContext, type ToolDefinition } from '@coffer/kernel';
import type { Hit, Retrieval } from '@coffer/retrieval';
import type { Bases } from './bases.js';
import type { Author, Documents } from './documents.js';

const TOP = { default: 5, most: 20 };
const LINES = { default: 200, most: 500 };
const QUERY_CHARS = 4096;
const kb = { type: 'string', description: 'Name of a knowledge base, as list_knowledge_bases tells' };
const documentId = { type: 'string', description: 'As search_knowledge or list tells' };

export interface KnowledgeParts {
  bases: Bases;
  documents: Documents;
  retrieval: Retrieval;
}

export function passageOf(hit: Hit): Obj {
  return {
    kb: hit.store.slice('knowledge/'.length),
    document_id: hit.path.replace(/\.md$/, ''),
    title: hit.title,
    headings: hit.headings,
    text: hit.text,
    score: Number(hit.score.toFixed(4)),
    position: hit.position,
  };
}

export function knowledgeTools({ bases, documents, retrieval }: KnowledgeParts): ToolDefinition[] {
  const search = async ({ kb: name, query, top_k: top = TOP.default }: Obj): Promise<Obj> => {
    const some = name === undefined ? bases.all() : [bases.get(String(name))];
    const hits = await retrieval.search(
      some.map((b) => b.files),
      String(query).slice(0, QUERY_CHARS),
      clamp(top, TOP),
    );
    return { passages: hits.map(passageOf) };
  };
  return [
    {
      name: 'list_knowledge_bases',
      title: 'List knowledge bases',
      description: 'The collections of documents that were put here for you, with what each is about.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true, openWorldHint: false },
      call: async () => ({
        knowledge_bases: await Promise.all(
          bases.all().map(async ({ resource, files }) => {
            const all = await files.documents();
            return {
              name: resource.name,
              description: resource.description,
              document_count: all.length,
              disk_bytes: all.reduce((n, d) => n + d.bytes, 0),
            };
          }),
        ),
      }),
    },
    {
      name: 'search_knowledge',
      title: 'Search knowledge',
      description:
        'Find passages in the documents that were put here (specifications, manuals, notes, articles) by words. Use it before you search the web or guess. Without kb all knowledge bases are searched.',
      inputSchema: {
        type: 'object',
        required: ['query'],
        properties: {
          kb,
          query: { type: 'string', description: 'A few words, names or identifiers, in any language' },
          top_k: { type: 'integer', default: TOP.default, description: `1 to ${TOP.most}` },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      call: search,
    },
    {
      name: 'grep_knowledge',
      title: 'Grep knowledge',
      description:
        'Lines of the documents of one knowledge base that match a regular expression, for exact strings and patterns.',
      inputSchema: {
        type: 'object',
        required: ['kb', 'pattern'],
        properties: {
          kb,
          pattern: { type: 'string', maxLength: 1000 },
          max_matches: { type: 'integer', default: LINES.default, description: `1 to ${LINES.most}` },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      call: ({ kb: name, pattern, max_matches: most = LINES.default }, { signal }) =>
        bases.get(String(name)).files.grep(String(pattern), clamp(most, LINES), signal),
    },
    {
      name: 'read_document',
      title: 'Read a document',
      description: 'The whole of a document as Markdown.',
      inputSchema: { type: 'object', required: ['kb', 'document_id'], properties: { kb, document_id: documentId } },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call({ kb: name, document_id: id }) {
        const { document_id, title, source_mode, markdown } = await documents.read(String(name), String(id));
        return { document_id, title, source_mode, markdown };
      },
    },
    {
      name: 'add_document',
      title: 'Add a document',
      description: 'Put a text into a knowledge base under a file name. What one agent adds all can find.',
      inputSchema: {
        type: 'object',
        required: ['kb', 'filename', 'content'],
        properties: {
          kb,
          filename: { type: 'string', maxLength: 255, description: 'With its ending, for example notes.md' },
          content: { type: 'string' },
          replace: { type: 'boolean', default: false, description: 'Put it in the place of the one of that name' },
        },
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      async call({ kb: name, filename, content, replace }, context) {
        const bytes = Buffer.from(String(content), 'utf8');
        const made = await documents.ingest(
          String(name),
          { filename: String(filename), bytes, replace: replace === true },
          author(context),
        );
        return { document_id: made.document_id, title: made.title, source_mode: made.source_mode, status: made.status };
      },
    },
    {
      name: 'edit_document',
      title: 'Edit a document',
      description: 'Replace the text of a document with a corrected one.',
      inputSchema: {
        type: 'object',
        required: ['kb', 'document_id', 'content'],
        properties: { kb, document_id: documentId, content: { type: 'string', description: 'The whole new text' } },
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      async call({ kb: name, document_id: id, content }, context) {
        const { document_id, title, source_mode } = await documents.edit(
          String(name),
          String(id),
          String(content),
          author(context),
        );
        return { document_id, title, source_mode };
      },
    },
    {
      name: 'delete_document',
      title: 'Delete a document',
      description: 'Remove a document and its original for good.',
      inputSchema: { type: 'object', required: ['kb', 'document_id'], properties: { kb, document_id: documentId } },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      async call({ kb: name, document_id: id }, context) {
        await documents.remove(String(name), String(id), author(context));
        return { deleted: true, document_id: id };
      },
    },
  ];
}

function author({ session }: ToolContext): Author {
  const named: unknown = session.client?.name;
  return { actor: 'agent', agent: session.agent ?? (typeof named === 'string' ? named : undefined) };
}

function clamp(n: unknown, { default: usual, most }: { default: number; most: number }): number {
  if (typeof n !== 'number' || !Number.isFinite(n)) return usual;
  if (n < 1) throw new CofferError('BAD_REQUEST', `Give a whole number from 1 to ${most}`);
  return Math.min(Math.trunc(n), most);
}
