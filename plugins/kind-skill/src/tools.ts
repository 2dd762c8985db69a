/** What agents can do: see which skills there are, and read one. Both tools are there once the client may see a valid skill. */
import { CofferError, type GatewaySession, type Kernel, type Resource, type ToolDefinition } from '@coffer/kernel';
import { KIND, SKILL_FILE } from './config.js';
import type { Skills } from './skills.js';

export function skillTools(kernel: Pick<Kernel, 'resources'>, skills: Skills): ToolDefinition[] {
  const seen = (session: GatewaySession): Resource[] => kernel.resources.list(KIND, { visibleTo: session.viewpoint });
  const visible = (session: GatewaySession): boolean => seen(session).some((r) => skills.sound(r.name));
  const unknown = (): CofferError =>
    new CofferError('RESOURCE_NOT_FOUND', 'There is no such skill for you. coffer__list_skills names those there are.');
  return [
    {
      name: 'list_skills',
      title: 'List skills',
      description:
        'List the skills kept for you: tested instructions, some with scripts and references, for particular kinds of work. Look here before a task that may have an established way (releases, reviews, migrations, reports, documents), then read the fitting one with coffer__load_skill and follow it.',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: {
        type: 'object',
        required: ['skills'],
        properties: {
          skills: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'description'],
              properties: { name: { type: 'string' }, description: { type: 'string' } },
            },
          },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      visible,
      async call(_args, { session }) {
        const looked = await Promise.all(
          seen(session).map(async (r) => ({ name: r.name, ...(await skills.look(r.name)) })),
        );
        return {
          skills: looked.flatMap(({ name, front, problem }) =>
            front === undefined || problem !== undefined ? [] : [{ name, description: front.description }],
          ),
        };
      },
    },
    {
      name: 'load_skill',
      title: 'Load a skill',
      description:
        'Read a skill in full: its SKILL.md, or with `file` another of its files by the path that SKILL.md names (for example references/style.md). Use it as soon as a skill of coffer__list_skills fits the task, before you begin.',
      inputSchema: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 64, description: 'As coffer__list_skills has it.' },
          file: { type: 'string', maxLength: 1024, description: `Path inside the skill; ${SKILL_FILE} when left out.` },
        },
      },
      outputSchema: {
        type: 'object',
        required: ['name', 'file', 'content', 'binary', 'truncated', 'size'],
        properties: {
          name: { type: 'string' },
          file: { type: 'string' },
          content: { type: ['string', 'null'], description: 'Null for a binary file.' },
          binary: { type: 'boolean' },
          truncated: { type: 'boolean', description: 'Only the first 256 KiB are here.' },
          size: { type: 'integer' },
          files: { type: 'array', items: { type: 'string' }, description: 'With SKILL.md: the other files there are.' },
        },
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      visible,
      async call({ name, file }, { session }) {
        const wanted = String(name);
        if (!seen(session).some((r) => r.name === wanted)) throw unknown();
        const { problem } = await skills.look(wanted);
        if (problem !== undefined) throw unknown();
        const { path, ...content } = await skills.read(
          wanted,
          typeof file === 'string' && file !== '' ? file : SKILL_FILE,
        );
        if (path !== SKILL_FILE) return { name: wanted, file: path, ...content };
        return { name: wanted, file: path, ...content, files: await skills.otherFiles(wanted) };
      },
    },
  ];
}
