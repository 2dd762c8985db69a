/** Memory shared by all agents: facts as Markdown files, found by words; rules and hand-offs for the start of a session. */
import { rmSync } from 'node:fs';
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { Retrieval } from '@coffer/retrieval';
import { memoryRoutes } from './api.js';
import { SessionContext } from './context.js';
import { Facts } from './facts.js';
import { Handoffs } from './handoff.js';
import { KIND, memoryKind } from './kind.js';
import { Recall } from './recall.js';
import { rowsOfFolders } from './rows-of-folders.js';
import { contextService, SessionContexts } from './services.js';
import { Stores } from './stores.js';
import { memoryTools } from './tools.js';

export type * from './services.js';

export default definePlugin({
  name: 'kind-memory',
  apiVersion: 1,
  requires: ['retrieval'],

  register(kernel) {
    const retrieval = kernel.use(serviceToken<Retrieval>('retrieval'));
    const stores = new Stores(kernel, retrieval);
    const facts = new Facts(kernel, stores);
    const handoffs = new Handoffs(kernel, stores);
    const recall = new Recall(stores, retrieval);
    const context = new SessionContext(stores, handoffs);

    const contexts = contextService(context, kernel.audit);

    kernel.kinds.define(memoryKind);
    kernel.provide(SessionContexts, contexts);
    for (const tool of memoryTools({ facts, handoffs, recall })) kernel.tools.define(tool);
    kernel.routes(memoryRoutes(kernel, { stores, facts, handoffs, recall, context, contexts }));

    // Files are the truth: a folder that was restored or copied here gets its row back.
    kernel.tap(kernel.hooks.daemon.starting, () => rowsOfFolders(kernel, stores));
    kernel.tap(kernel.hooks.resource.deleted.for(KIND), (memory) => {
      const { folder } = stores.get(memory.name);
      stores.forget(memory.name);
      rmSync(folder, { recursive: true, force: true });
    });
    kernel.tap(kernel.hooks.resource.status.for(KIND), async (memory) => ({
      status: 'healthy',
      facts: (await stores.get(memory.name).files.documents()).length,
    }));
  },
});
