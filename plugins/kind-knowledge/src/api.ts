/** REST of knowledge bases, besides what every kind has. */
import { CofferError, type Kernel, type Obj, type Route, type RouteRequest } from '@coffer/kernel';
import type { Author } from './documents.js';
import { KIND } from './kind.js';
import { passageOf, type KnowledgeParts } from './tools.js';

const BASE = `/resources/${KIND}/:name`;
const text = { type: 'string' };
const strict = (properties: Obj, required: string[] = []): Obj => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const documentSchema: Obj = { type: 'object', required: ['document_id', 'title', 'source_mode', 'path'] };
/** Base64 of the largest file a knowledge base may take, and what stands around it. */
const UPLOAD_BYTES = 150 * 1_048_576;

export function knowledgeRoutes(kernel: Kernel, { bases, documents, retrieval }: KnowledgeParts): Route[] {
  const name = ({ params }: RouteRequest): string => params.name ?? '';
  const id = ({ params }: RouteRequest): string => params.id ?? '';
  const author = ({ actor }: RouteRequest): Author => ({ actor });
  const byId = ['RESOURCE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'];

  return [
    {
      method: 'GET',
      path: `${BASE}/documents`,
      summary: 'Documents of a knowledge base; `q` is looked for in titles and file names',
      query: {
        type: 'object',
        properties: {
          q: text,
          limit: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
          offset: { type: 'integer', minimum: 0, default: 0 },
        },
      },
      response: strict({ documents: { type: 'array', items: documentSchema }, total: { type: 'integer' } }, [
        'documents',
        'total',
      ]),
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async (r) => {
        const all = await documents.list(name(r), r.query.q as string | undefined);
        const from = Number(r.query.offset ?? 0);
        return { documents: all.slice(from, from + Number(r.query.limit ?? 200)), total: all.length };
      },
    },
    {
      method: 'POST',
      path: `${BASE}/documents`,
      summary: 'Take a file in: its text, or its bytes in base64. The same bytes again change nothing.',
      bodyLimit: UPLOAD_BYTES,
      body: strict(
        {
          filename: { type: 'string', minLength: 1, maxLength: 1024 },
          content: text,
          content_base64: text,
          replace: { type: 'boolean' },
        },
        ['filename'],
      ),
      response: documentSchema,
      status: 201,
      errors: ['RESOURCE_NOT_FOUND', 'INGEST_REJECTED', 'DOCUMENT_EXISTS', 'PAYLOAD_TOO_LARGE'],
      handle: (r) => {
        const { filename, content, content_base64: coded, replace } = r.body;
        if ((content === undefined) === (coded === undefined))
          throw new CofferError('BAD_REQUEST', 'Give the file as content (text) or as content_base64 (bytes).');
        const bytes = content === undefined ? Buffer.from(coded, 'base64') : Buffer.from(content, 'utf8');
        return documents.ingest(name(r), { filename, bytes, replace: replace === true }, author(r));
      },
    },
    {
      method: 'GET',
      path: `${BASE}/documents/:id`,
      summary: 'A document, as Markdown',
      response: documentSchema,
      errors: byId,
      handle: (r) => documents.read(name(r), id(r)),
    },
    {
      method: 'GET',
      path: `${BASE}/documents/:id/converted`,
      summary: 'What the original of a document becomes when it is converted now, to compare with',
      response: strict({ markdown: text }, ['markdown']),
      errors: [...byId, 'INGEST_REJECTED'],
      handle: (r) => documents.converted(name(r), id(r)),
    },
    {
      method: 'PUT',
      path: `${BASE}/documents/:id`,
      summary: 'Replace the Markdown of a document',
      body: strict({ markdown: text }, ['markdown']),
      response: documentSchema,
      errors: [...byId, 'INGEST_REJECTED'],
      handle: (r) => documents.edit(name(r), id(r), r.body.markdown, author(r)),
    },
    {
      method: 'DELETE',
      path: `${BASE}/documents/:id`,
      summary: 'Delete a document and its original',
      errors: byId,
      handle: (r) => documents.remove(name(r), id(r), author(r)),
    },
    {
      method: 'POST',
      path: `${BASE}/documents/:id/reconvert`,
      summary: 'Convert the original anew, unless the document was edited',
      response: documentSchema,
      errors: [...byId, 'RECONVERSION_BLOCKED', 'INGEST_REJECTED'],
      handle: (r) => documents.reconvert(name(r), id(r), author(r)),
    },
    {
      method: 'POST',
      path: `${BASE}/search`,
      summary: 'Passages of a knowledge base that answer a query',
      body: strict(
        {
          query: { type: 'string', minLength: 1, maxLength: 4096 },
          top_k: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
        },
        ['query'],
      ),
      response: strict({ passages: { type: 'array', items: { type: 'object' } } }, ['passages']),
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async (r) => ({
        passages: (await retrieval.search([bases.get(name(r)).files], r.body.query, r.body.top_k)).map(passageOf),
      }),
    },
    {
      method: 'POST',
      path: `${BASE}/grep`,
      summary: 'Lines of a knowledge base that match a regular expression',
      body: strict(
        {
          pattern: { type: 'string', minLength: 1, maxLength: 1000 },
          max_matches: { type: 'integer', minimum: 1, maximum: 500, default: 200 },
        },
        ['pattern'],
      ),
      response: { type: 'object', required: ['hits', 'truncated'] },
      errors: ['RESOURCE_NOT_FOUND'],
      handle: (r) => bases.get(name(r)).files.grep(r.body.pattern, r.body.max_matches, r.signal),
    },
    {
      method: 'POST',
      path: `${BASE}/reindex`,
      summary: 'Make the index anew from the files',
      response: { type: 'object', required: ['added', 'changed', 'removed', 'failed'] },
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async (r) => {
        const base = bases.get(name(r));
        const report = await base.files.rebuild((done, of) =>
          kernel.emit({ type: 'knowledge', base: base.resource.name, event: 'reindexing', done, of }),
        );
        kernel.audit.write({
          event_type: 'kb_reindexed',
          resource_kind: KIND,
          resource_name: base.resource.name,
          actor: r.actor,
        });
        return report;
      },
    },
  ];
}
