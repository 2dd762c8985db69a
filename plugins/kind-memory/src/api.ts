/** REST of memory, besides what every kind has. */
import path from 'node:path';
import { mkdirSync } from 'node:fs';
import { CofferError, writeAtomic, type Kernel, type Obj, type Route, type RouteRequest } from '@coffer/kernel';
import type { SessionContext } from './context.js';
import type { Author, Facts } from './facts.js';
import type { Handoffs } from './handoff.js';
import { KIND } from './kind.js';
import { projectOf } from './project.js';
import type { Recall } from './recall.js';
import type { SessionContexts } from './services.js';
import { RULES, type Stores } from './stores.js';

const BASE = '/memory_stores';
const text = { type: 'string' };
const factSchema: Obj = {
  type: 'object',
  required: ['id', 'name', 'text', 'version', 'path'],
  properties: { id: text, name: text, text, version: text, path: text, created_at: text, updated_at: text },
};
const strict = (properties: Obj, required: string[] = []): Obj => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const body = { type: 'string', maxLength: 65_536 };
const RULES_CHARS = 32_768;

export interface MemoryApiParts {
  stores: Stores;
  facts: Facts;
  handoffs: Handoffs;
  recall: Recall;
  context: SessionContext;
  contexts: SessionContexts;
}

export function memoryRoutes(
  kernel: Kernel,
  { stores, facts, handoffs, recall, context, contexts }: MemoryApiParts,
): Route[] {
  const name = ({ params }: RouteRequest): string => params.name ?? '';
  const id = ({ params }: RouteRequest): string => params.id ?? '';
  const author = ({ actor }: RouteRequest): Author => ({ actor });
  const byName = ['MEMORY_STORE_NOT_FOUND'];
  const byId = [...byName, 'FACT_NOT_FOUND'];

  return [
    {
      method: 'GET',
      path: BASE,
      summary: 'All memory stores, with how many facts each has',
      response: strict({ stores: { type: 'array', items: { type: 'object' } } }, ['stores']),
      handle: async () => ({
        stores: await Promise.all(
          stores.all().map(async ({ store, resource }) => {
            const documents = await store.files.documents();
            return {
              name: store.name,
              label: resource.config.label ?? (store.name === 'global' ? 'global' : store.name),
              identity: resource.config.identity ?? null,
              fact_count: documents.length,
              disk_bytes: documents.reduce((n, d) => n + d.bytes, 0),
              folder_path: store.folder,
              updated_at:
                documents.length === 0 ? null : new Date(Math.max(...documents.map((d) => d.modified))).toISOString(),
            };
          }),
        ),
      }),
    },
    {
      method: 'PATCH',
      path: `${BASE}/:name`,
      summary: 'What a store is shown as, and how long a fact may be',
      body: strict({ label: { type: 'string', maxLength: 200 }, max_fact_chars: { type: 'integer' } }),
      response: { type: 'object', required: ['name', 'config'] },
      errors: [...byName, 'CONFIG_INVALID'],
      handle: async (r) => {
        const store = await stores.forWriting(name(r), r.actor);
        const { config } = kernel.resources.get(KIND, store.name);
        return kernel.resources.update(KIND, store.name, { config: { ...config, ...r.body } }, r.actor);
      },
    },
    {
      method: 'GET',
      path: `${BASE}/:name/facts`,
      summary: 'Facts of a store, the newest first',
      query: { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 1000, default: 200 } } },
      response: strict({ facts: { type: 'array', items: factSchema }, total: { type: 'integer' } }, ['facts', 'total']),
      errors: byName,
      handle: async (r) => {
        const all = await facts.list(name(r));
        return { facts: all.slice(0, Number(r.query.limit ?? 200)), total: all.length };
      },
    },
    {
      method: 'POST',
      path: `${BASE}/:name/facts`,
      summary: 'Add a fact',
      body: strict(
        {
          text: body,
          name: { type: 'string', maxLength: 200 },
          description: { type: 'string', maxLength: 500 },
          cwd: { type: 'string', maxLength: 4096 },
        },
        ['text'],
      ),
      response: factSchema,
      status: 201,
      errors: [...byName, 'MEMORY_REJECTED'],
      handle: (r) => {
        const { text: said, name: called, description, cwd } = r.body as Record<string, string | undefined>;
        const project = cwd === undefined ? undefined : projectOf(cwd);
        const of = project?.store === name(r) ? project : undefined;
        return facts.add(name(r), { text: said ?? '', name: called, description }, author(r), of);
      },
    },
    {
      method: 'DELETE',
      path: `${BASE}/:name/facts`,
      summary: 'Remove all facts of a store; the store stays',
      response: strict({ cleared: { type: 'integer' } }, ['cleared']),
      errors: byName,
      handle: async (r) => ({ cleared: await facts.clear(name(r), author(r)) }),
    },
    {
      method: 'GET',
      path: `${BASE}/:name/facts/:id`,
      summary: 'One fact',
      response: factSchema,
      errors: byId,
      handle: (r) => facts.get(name(r), id(r)),
    },
    {
      method: 'PATCH',
      path: `${BASE}/:name/facts/:id`,
      summary: 'Replace the text of a fact; with `version` only if it is still that one',
      body: strict({ text: body, version: text }, ['text']),
      response: factSchema,
      errors: [...byId, 'MEMORY_REJECTED', 'RESOURCE_STALE'],
      handle: (r) => facts.update(name(r), id(r), r.body.text, author(r), r.body.version as string | undefined),
    },
    {
      method: 'DELETE',
      path: `${BASE}/:name/facts/:id`,
      summary: 'Forget a fact',
      errors: byId,
      handle: (r) => facts.remove(name(r), id(r), author(r)),
    },
    {
      method: 'POST',
      path: `${BASE}/:name/facts/:id/move`,
      summary: 'Move a fact to another store',
      body: strict({ to: text }, ['to']),
      response: factSchema,
      errors: byId,
      handle: (r) => facts.move(name(r), id(r), r.body.to, author(r)),
    },
    {
      method: 'POST',
      path: `${BASE}/:name/recall`,
      summary: 'Search the facts of a store',
      body: strict(
        {
          query: { type: 'string', minLength: 1, maxLength: 4096 },
          top_k: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
        },
        ['query'],
      ),
      response: strict({ hits: { type: 'array', items: { type: 'object' } } }, ['hits']),
      errors: byName,
      handle: async (r) => ({ hits: await recall.inStore(name(r), r.body.query, r.body.top_k as number) }),
    },
    {
      method: 'GET',
      path: `${BASE}/:name/rules`,
      summary: 'The rules a session starts with',
      response: strict({ text }, ['text']),
      errors: byName,
      handle: (r) => ({ text: context.rules(name(r)) }),
    },
    {
      method: 'PUT',
      path: `${BASE}/:name/rules`,
      summary: 'Write the rules a session starts with',
      body: strict({ text: { type: 'string', maxLength: RULES_CHARS } }, ['text']),
      response: strict({ text }, ['text']),
      errors: byName,
      handle: async (r) => {
        const store = await stores.forWriting(name(r), r.actor);
        mkdirSync(store.folder, { recursive: true, mode: 0o700 });
        writeAtomic(path.join(store.folder, RULES), `${(r.body.text as string).trim()}\n`);
        kernel.audit.write({
          event_type: 'memory_rules_set',
          resource_kind: KIND,
          resource_name: store.name,
          actor: r.actor,
        });
        return { text: context.rules(store.name) };
      },
    },
    {
      method: 'GET',
      path: '/memory/context',
      summary: 'What a session in a folder should start with: rules and the hand-off of its branch',
      query: strict({ cwd: { type: 'string', maxLength: 4096 } }, ['cwd']),
      response: strict({ text, project: { type: ['string', 'null'] } }, ['text', 'project']),
      handle: ({ query, actor }) => contexts.tell(absolute(query.cwd), actor),
    },
    {
      method: 'GET',
      path: '/memory/project',
      summary: 'Which store a folder belongs to, and its hand-off',
      query: strict({ cwd: { type: 'string', maxLength: 4096 } }, ['cwd']),
      response: { type: 'object', required: ['project'] },
      handle: ({ query }) => {
        const project = projectOf(absolute(query.cwd));
        return { project: project ?? null, handoff: handoffs.resume(project) };
      },
    },
  ];
}

function absolute(cwd: unknown): string {
  if (typeof cwd !== 'string' || !path.isAbsolute(cwd))
    throw new CofferError('BAD_REQUEST', 'cwd must be an absolute path', { path: 'cwd' });
  return cwd;
}
