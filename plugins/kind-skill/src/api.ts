import type { Kernel, Obj, Resource, Route } from '@coffer/kernel';
import { KIND } from './config.js';
import type { Reconciler } from './delivery/reconciler.js';
import type { TargetList } from './delivery/targets.js';
import type { UnmanagedSkills } from './delivery/unmanaged.js';
import type { Importer, ImportRequest } from './import/importer.js';
import * as schemas from './schemas.js';
import type { Skills } from './skills.js';
import { viewOf } from './view.js';

export interface ApiParts {
  kernel: Pick<Kernel, 'resources' | 'audit'>;
  skills: Skills;
  importer: Importer;
  reconciler: Reconciler;
  targets: TargetList;
  unmanaged: UnmanagedSkills;
}

/** REST of skills, besides what every kind has. */
export function skillRoutes(parts: ApiParts): Route[] {
  return [...ofSkills(parts), ...ofImports(parts), ...ofDelivery(parts), ...ofUnmanaged(parts)];
}

const nameOf = (params: Readonly<Record<string, string>>): string => params['name'] ?? '';

function ofSkills({ kernel, skills, reconciler }: ApiParts): Route[] {
  const view = (skill: Resource): Promise<Obj> => viewOf(skill, skills, reconciler);
  return [
    {
      method: 'GET',
      path: '/skills',
      summary: 'All skills: what their folders say, and how they stand at each agent',
      response: schemas.object({ skills: schemas.list(schemas.SKILL) }),
      handle: async () => ({ skills: await Promise.all(skills.list().map(view)) }),
    },
    {
      method: 'GET',
      path: '/skills/:name',
      summary: 'One skill',
      response: schemas.SKILL,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params }) => view(skills.get(nameOf(params))),
    },
    {
      method: 'DELETE',
      path: '/skills/:name',
      summary: 'Remove a skill: its links, its row, its folder',
      errors: ['RESOURCE_NOT_FOUND'],
      handle: ({ params, actor }) => kernel.resources.remove(KIND, nameOf(params), actor),
    },
    {
      method: 'GET',
      path: '/skills/:name/files',
      summary: 'The files of a skill as a tree, folders first',
      response: schemas.FILES,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ params }) => {
        const name = nameOf(params);
        return { name, path: skills.folder(name), files: await skills.tree(name) };
      },
    },
    {
      method: 'GET',
      path: '/skills/:name/files/content',
      summary: 'One file of a skill, at most 256 KiB; content is null when it is binary',
      query: schemas.PATH,
      response: schemas.FILE,
      errors: ['RESOURCE_NOT_FOUND', 'SKILL_FILE_NOT_FOUND', 'SKILL_PATH_OUTSIDE'],
      handle: ({ params, query }) => skills.read(nameOf(params), String(query['path'])),
    },
    {
      method: 'PUT',
      path: '/skills/:name/files/content',
      summary: 'Replace an existing text file of a skill',
      query: schemas.PATH,
      body: schemas.WRITE,
      response: schemas.FILE,
      errors: [
        'RESOURCE_NOT_FOUND',
        'SKILL_FILE_NOT_FOUND',
        'SKILL_PATH_OUTSIDE',
        'SKILL_INVALID',
        'SKILL_SOURCE_REFUSED',
      ],
      handle: ({ params, query, body, actor }) =>
        skills.write(nameOf(params), String(query['path']), String(body['content']), actor),
    },
  ];
}

function ofImports({ skills, importer, reconciler }: ApiParts): Route[] {
  const at = '/skill-imports/:id';
  return [
    {
      method: 'POST',
      path: '/skill-imports',
      summary: 'First half of an import: what skills are there? Nothing is written but a copy to choose from',
      body: schemas.IMPORT,
      response: schemas.STAGE,
      status: 201,
      errors: ['SKILL_INVALID', 'SKILL_SOURCE_REFUSED', 'SKILL_SOURCE_FAILED'],
      // The schema has checked the shape.
      handle: ({ body, signal }) => importer.stage(body as ImportRequest, signal),
    },
    {
      method: 'GET',
      path: at,
      summary: 'An import that waits for its choice',
      response: schemas.STAGE,
      errors: ['SKILL_IMPORT_NOT_FOUND'],
      handle: ({ params }) => importer.show(params['id'] ?? ''),
    },
    {
      method: 'POST',
      path: `${at}/confirm`,
      summary: 'Second half: take these skills. All are checked before the first is written',
      body: schemas.CONFIRM,
      response: schemas.object({ skills: schemas.list(schemas.SKILL) }),
      errors: ['SKILL_IMPORT_NOT_FOUND', 'SKILL_INVALID', 'RESOURCE_ALREADY_EXISTS'],
      handle: async ({ params, body, actor }) => {
        const replace = (body['replace'] ?? []) as string[];
        const rows = await importer.confirm(params['id'] ?? '', body['names'] as string[], replace, actor);
        return { skills: await Promise.all(rows.map((r) => viewOf(r, skills, reconciler))) };
      },
    },
    {
      method: 'DELETE',
      path: at,
      summary: 'Forget an import',
      errors: ['SKILL_IMPORT_NOT_FOUND'],
      handle: ({ params }) => importer.cancel(params['id'] ?? ''),
    },
  ];
}

function ofDelivery({ kernel, skills, reconciler, targets }: ApiParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/skill-targets',
      summary: 'The agents that take skills on this machine, and where',
      response: schemas.TARGETS,
      handle: () => ({
        targets: targets
          .all()
          .map(({ agent, folder, extraFolders = [] }) => ({ agent, folder, extra_folders: [...extraFolders] })),
      }),
    },
    {
      method: 'POST',
      path: '/skills/:name/deliver',
      summary: 'Link a skill for one agent anew; with force, what is in its place is kept beside as a backup',
      body: schemas.DELIVER,
      response: schemas.DELIVERY,
      errors: ['RESOURCE_NOT_FOUND', 'SKILL_TARGET_NOT_FOUND', 'SKILL_TARGET_TAKEN'],
      handle: ({ params, body, actor }) =>
        reconciler.deliver(nameOf(params), String(body['agent']), body['force'] === true, actor),
    },
    {
      method: 'POST',
      path: '/skills/verify',
      summary: 'Compare the disk with what should be; changes nothing',
      response: schemas.DRIFT,
      handle: async ({ actor }) => {
        const entries = await reconciler.drift();
        for (const e of entries)
          kernel.audit.write({
            event_type: 'skill_drift_detected',
            resource_kind: KIND,
            resource_name: e.skill_name,
            actor,
            details: { kind: e.kind, agent: e.agent_name, path: e.target_path },
          });
        return { entries };
      },
    },
    {
      method: 'POST',
      path: '/skills/repair',
      summary: 'Mend what can be mended without touching anything of a person',
      response: schemas.REPAIRED,
      handle: async ({ actor }) => {
        for (const { name } of skills.list()) await skills.refresh(name, actor);
        const { remediated, remaining } = await reconciler.repair(actor);
        return { remediated, remaining: { entries: remaining } };
      },
    },
  ];
}

function ofUnmanaged({ skills, reconciler, unmanaged }: ApiParts): Route[] {
  const place = (o: Obj): [string, string, string | undefined] => [
    String(o['agent']),
    String(o['name']),
    o['location'] as string | undefined,
  ];
  return [
    {
      method: 'GET',
      path: '/unmanaged-skills',
      summary: "Skills in agents' own folders that are not the vault's",
      query: schemas.AGENT,
      response: schemas.UNMANAGED,
      errors: ['SKILL_TARGET_NOT_FOUND'],
      handle: async ({ query }) => ({ items: await unmanaged.list(query['agent'] as string | undefined) }),
    },
    {
      method: 'POST',
      path: '/unmanaged-skills/adopt',
      summary: 'Move one into the vault and link it back',
      body: schemas.ADOPT,
      response: schemas.SKILL,
      status: 201,
      errors: [
        'SKILL_TARGET_NOT_FOUND',
        'UNMANAGED_SKILL_NOT_FOUND',
        'SKILL_INVALID',
        'SKILL_SOURCE_REFUSED',
        'RESOURCE_ALREADY_EXISTS',
      ],
      handle: async ({ body, actor }) =>
        viewOf(await unmanaged.adopt(...place(body), body['replace'] === true, actor), skills, reconciler),
    },
    {
      method: 'DELETE',
      path: '/unmanaged-skills',
      summary: 'Delete one from its folder; of a link only the link',
      query: schemas.WHICH,
      errors: ['SKILL_TARGET_NOT_FOUND', 'UNMANAGED_SKILL_NOT_FOUND'],
      handle: ({ query, actor }) => unmanaged.remove(...place(query), actor),
    },
  ];
}
