/** LLM connections as resources: endpoints and their keys, and which agent runs on what. */
import { CofferError, definePlugin } from '@coffer/kernel';
import { connectionRoutes } from './api.js';
import { KIND } from './config.js';
import { Connections } from './connections.js';
import { createEngine } from './engine.js';
import { connectionKind } from './kind.js';
import { createSecrets } from './secrets.js';
import { LlmConnections, ModelTargets } from './services.js';
import { Switching } from './switching.js';
import { createTables, migrations } from './tables.js';
import { TargetList } from './targets.js';
import { usersOf } from './view.js';

export type * from './services.js';

export default definePlugin({
  name: 'kind-llm-connection',
  apiVersion: 1,

  register(kernel) {
    const { hooks } = kernel;
    const tables = createTables(kernel.database(migrations), kernel.machine);
    const targets = new TargetList(kernel.log);
    const connections = new Connections({ kernel, tables, secrets: createSecrets(kernel) });
    const switching = new Switching({ kernel, tables, targets, connections });
    const engine = createEngine({ kernel, tables, connections });

    kernel.kinds.define(connectionKind);
    kernel.provide(ModelTargets, {
      add: (list) => targets.add(list),
      changed: () => kernel.emit({ type: 'llm' }),
    });
    kernel.provide(LlmConnections, {
      resolve: (name) => connections.resolve(name),
      forAgent(agent) {
        const choice = tables.choice(agent);
        if (choice === undefined) return undefined;
        const { model, fast_model } = choice;
        return {
          ...connections.resolve(choice.connection),
          ...(model !== null && { model }),
          ...(fast_model !== null && { fast_model }),
        };
      },
      internal: () => engine.resolve(),
    });

    kernel.tap(hooks.resource.deleting.for(KIND), ({ name }) => {
      const users = [
        ...usersOf(name, { tables, targets }),
        ...(tables.engine()?.connection === name ? ['Coffer itself'] : []),
      ];
      if (users.length > 0)
        throw new CofferError(
          'LLM_IN_USE',
          `${users.join(', ')} ${users.length === 1 ? 'runs' : 'run'} on ${name}. Switch first: coffer llm use AGENT --built-in, coffer llm engine --off`,
          { used_by: users },
        );
    });
    kernel.tap(hooks.resource.deleted.for(KIND), (connection) => connections.forget(connection));
    kernel.tap(hooks.resource.status.for(KIND), ({ name }) => {
      const last = tables.lastTest(name);
      if (last === undefined) return { status: 'unknown', reason: 'Not tested yet.' };
      return { status: last.ok ? 'healthy' : 'failing', reason: last.message, tested_at: last.at };
    });

    kernel.routes(connectionRoutes({ kernel, connections, switching, engine, tables, targets }));
  },
});
