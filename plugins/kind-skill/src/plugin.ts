/** Skills as resources: one master folder each, imported in two steps, linked into every agent that may have it. */
import path from 'node:path';
import { definePlugin } from '@coffer/kernel';
import { skillRoutes } from './api.js';
import { KIND } from './config.js';
import { Links } from './delivery/links.js';
import { Reconciler } from './delivery/reconciler.js';
import { SkillTargets, TargetList } from './delivery/targets.js';
import { UnmanagedSkills } from './delivery/unmanaged.js';
import { Importer } from './import/importer.js';
import { Stages } from './import/stages.js';
import { skillKind } from './kind.js';
import { Library } from './library.js';
import { Skills } from './skills.js';
import { statusOf } from './status.js';
import { skillTools } from './tools.js';

export type { SkillTarget, SkillTargets } from './delivery/targets.js';

export default definePlugin({
  name: 'kind-skill',
  apiVersion: 1,

  register(kernel) {
    const { hooks, clock, resources, paths } = kernel;
    const library = new Library(path.join(paths.home, 'skills'));
    const work = path.join(paths.workspace, 'skills');
    const links = new Links(library.root);
    const targets = new TargetList(kernel.log);
    const skills = new Skills(kernel, library);
    const reconciler = new Reconciler(kernel, skills, targets, links);
    const stages = new Stages(path.join(work, 'imports'), clock);
    const importer = new Importer(skills, stages, { clock, local: kernel.env['COFFER_SKILLS_LOCAL_GIT'] === '1' });
    const unmanaged = new UnmanagedSkills(kernel, skills, targets, links, reconciler, path.join(work, 'adopting'));

    const deliver = async (name?: string): Promise<void> => {
      await reconciler.reconcile(name, 'system');
    };

    kernel.kinds.define(skillKind);
    kernel.provide(SkillTargets, {
      add: (list) => targets.add(list),
      changed: () => deliver(),
      leave: (folder) => reconciler.leave(folder),
    });

    kernel.tap(hooks.resource.created.for(KIND), (skill) => deliver(skill.name));
    kernel.tap(hooks.resource.updated.for(KIND), (skill) => deliver(skill.name));
    kernel.tap(hooks.resource.enabled.for(KIND), (skill) => deliver(skill.name));
    kernel.tap(hooks.resource.disabled.for(KIND), (skill) => deliver(skill.name));
    kernel.tap(hooks.resource.deleted.for(KIND), async (skill) => {
      await reconciler.removeEverywhere(skill.name);
      await library.remove(skill.name);
    });
    kernel.tap(hooks.resource.status.for(KIND), (skill) => statusOf(skill, skills, reconciler));

    for (const tool of skillTools(kernel, skills)) kernel.tools.define(tool);
    kernel.routes(skillRoutes({ kernel, skills, importer, reconciler, targets, unmanaged }));

    kernel.tap(hooks.daemon.starting, async () => {
      await stages.clear();
      await library.recover((name) => resources.find(KIND, name) !== undefined);
      for (const { name } of resources.list(KIND)) await skills.refresh(name, 'system');
    });
    // Once every agent plugin has said where its skills lie.
    kernel.tap(hooks.daemon.ready, () => deliver());
    kernel.effect('staged imports', () => () => stages.clear());
  },
});
