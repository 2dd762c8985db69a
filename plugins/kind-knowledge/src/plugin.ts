/** Knowledge bases: files of many formats in, Markdown kept beside the originals, passages out. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { Retrieval } from '@coffer/retrieval';
import { knowledgeRoutes } from './api.js';
import { Bases } from './bases.js';
import { Documents } from './documents.js';
import { KIND, knowledgeKind } from './kind.js';
import { knowledgeTools } from './tools.js';

export default definePlugin({
  name: 'kind-knowledge',
  apiVersion: 1,
  requires: ['retrieval'],

  register(kernel) {
    const { hooks } = kernel;
    const retrieval = kernel.use(serviceToken<Retrieval>('retrieval'));
    const bases = new Bases(kernel, retrieval);
    const documents = new Documents(kernel, bases);
    const parts = { bases, documents, retrieval };

    kernel.kinds.define(knowledgeKind);
    for (const tool of knowledgeTools(parts)) kernel.tools.define(tool);
    kernel.routes(knowledgeRoutes(kernel, parts));

    kernel.tap(hooks.resource.updated.for(KIND), (base) => bases.reopen(base.name));
    kernel.tap(hooks.resource.deleted.for(KIND), async (base) => {
      bases.forget(base.name);
      await rm(path.join(kernel.paths.home, 'knowledge', base.name), { recursive: true, force: true });
    });
    kernel.tap(hooks.resource.status.for(KIND), async (base) =>
      base.enabled
        ? { status: 'healthy', documents: (await bases.get(base.name).files.documents()).length }
        : { status: 'unknown' },
    );
  },
});
