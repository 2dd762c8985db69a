/** The tools of memory, as agents see them. `cwd` comes from the session, never from the model. */
import { CofferError, type GatewaySession, type Obj, type ToolDefinition } from '@coffer/kernel';
import type { Author, Facts } from './facts.js';
import type { Handoffs } from './handoff.js';
import { projectOf, type Project } from './project.js';
import type { MemoryScope, Recall } from './recall.js';
import { GLOBAL } from './stores.js';

const TOP = { default: 5, most: 20 };
const LISTED = 200;
const scope = (of: string): Obj => ({ type: 'string', enum: ['project', 'global'], description: of });

export interface MemoryParts {
  facts: Facts;
  handoffs: Handoffs;
  recall: Recall;
}

export function memoryTools({ facts, handoffs, recall }: MemoryParts): ToolDefinition[] {
  return [
    {
      name: 'recall',
      title: 'Recall',
      description:
        'Search what you and other agents were told to remember about this project and in general: decisions, conventions, gotchas, how to run things. Use it at the start of a task and before you ask the user something that may have been said already.',
      inputSchema: {
        type: 'object',
        required: ['query'],
        properties: {
          query: { type: 'string', description: 'A few words, names or identifiers' },
          scope: scope('Where to look; both when left out'),
          top_k: { type: 'integer', default: TOP.default, description: `1 to ${TOP.most}` },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call({ query, scope: of, top_k: top = TOP.default }, { session }) {
        if (of === 'project') needProject(session);
        const hits = await recall.search(
          String(query),
          clamp(top),
          projectOf(session.cwd),
          of as MemoryScope | undefined,
        );
        return { hits };
      },
    },
    {
      name: 'remember',
      title: 'Remember',
      description:
        'Keep a fact for every agent and later session: a decision and its reason, a convention, a gotcha, a command that works. One fact, in full sentences that stand alone. It goes to the current project; use scope "global" for what holds everywhere. Do not keep secrets or what the code says anyway.',
      inputSchema: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', description: 'The fact, as Markdown' },
          name: { type: 'string', maxLength: 200, description: 'A short name for it' },
          description: { type: 'string', maxLength: 500, description: 'One line that says what it is about' },
          scope: scope('Default project'),
        },
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      async call({ text, name, description, scope: of = 'project' }, { session }) {
        const project = of === 'global' ? undefined : needProject(session);
        const { id, name: called } = await facts.add(
          project?.store ?? GLOBAL,
          { text: String(text), name: name as string | undefined, description: description as string | undefined },
          author(session),
          project,
        );
        return { id: `${of as string}:${id}`, name: called, scope: of as string, status: 'created' };
      },
    },
    {
      name: 'list_memory',
      title: 'List memory',
      description:
        'All facts kept for this project (or with scope "global" everywhere), by name. To find something use recall.',
      inputSchema: { type: 'object', properties: { scope: scope('Default project') } },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call({ scope: of = 'project' }, { session }) {
        const store = of === 'global' ? GLOBAL : needProject(session).store;
        const all = await facts.list(store);
        return {
          scope: of as string,
          total: all.length,
          facts: all.slice(0, LISTED).map((f) => ({
            id: `${of as string}:${f.id}`,
            name: f.name,
            description: f.description,
            actor: f.agent ?? f.actor,
          })),
        };
      },
    },
    {
      name: 'update_memory',
      title: 'Update a fact',
      description:
        'Replace the text of a fact that is no longer right. The id is the one that recall or list_memory gave.',
      inputSchema: {
        type: 'object',
        required: ['id', 'text'],
        properties: { id: { type: 'string' }, text: { type: 'string', description: 'The whole new text' } },
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      async call({ id, text }, { session }) {
        const at = locate(String(id), session);
        await facts.update(at.store, at.id, String(text), author(session));
        return { id, status: 'updated' };
      },
    },
    {
      name: 'forget',
      title: 'Forget a fact',
      description:
        'Remove a fact that is wrong or of no use any more. The id is the one that recall or list_memory gave.',
      inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      async call({ id }, { session }) {
        const at = locate(String(id), session);
        await facts.remove(at.store, at.id, author(session));
        return { id, status: 'forgotten' };
      },
    },
    {
      name: 'set_handoff',
      title: 'Leave a hand-off',
      description:
        'Before you stop, write down where the work on this branch stands: what is done, what is next, what to watch out for. The next session, of any agent, reads it with resume. It replaces the one before.',
      inputSchema: {
        type: 'object',
        required: ['body'],
        properties: { body: { type: 'string', description: 'Markdown' } },
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      call: ({ body }, { session }) => handoffs.set(needProject(session), String(body), author(session)),
    },
    {
      name: 'resume',
      title: 'Resume',
      description:
        'Where the last session on this branch left off, if it said so. Use it when you are to continue work.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true, openWorldHint: false },
      call: (_args, { session }) => handoffs.resume(projectOf(session.cwd)),
    },
  ];
}

function needProject(session: GatewaySession): Project {
  const project = projectOf(session.cwd);
  if (project === undefined)
    throw new CofferError(
      'SCOPE_UNRESOLVED',
      session.cwd === null
        ? 'This client did not say which folder it works in, so there is no project. Use scope "global", or connect through coffer-mcp-shim.'
        : 'The folder of this session is in no git repository, so there is no project. Use scope "global".',
    );
  return project;
}

/** `<scope>:<id>` as this session means it. */
function locate(id: string, session: GatewaySession): { store: string; id: string } {
  const at = id.indexOf(':');
  const of = id.slice(0, at);
  if (of === 'global') return { store: GLOBAL, id: id.slice(at + 1) };
  if (of === 'project') return { store: needProject(session).store, id: id.slice(at + 1) };
  throw new CofferError('FACT_NOT_FOUND', 'An id starts with project: or global:, as recall and list_memory give it.');
}

function author(session: GatewaySession): Author {
  return { actor: 'agent', agent: session.agent ?? nameOf(session.client) };
}

function nameOf(client: Obj | null): string | undefined {
  const name: unknown = client?.name;
  return typeof name === 'string' ? name : undefined;
}

function clamp(top: unknown): number {
  return typeof top === 'number' && Number.isFinite(top)
    ? Math.min(Math.max(Math.trunc(top), 1), TOP.most)
    : TOP.default;
}
