/** Coding agents as resources: what each really has in its own files, and what Coffer gives it. */
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { ModelTargets } from '@coffer/kind-llm-connection';
import type { McpImport } from '@coffer/kind-mcp-server';
import type { SessionContexts } from '@coffer/kind-memory';
import type { SkillTargets } from '@coffer/kind-skill';
import { Agents } from './agents.js';
import { routes } from './api.js';
import { Clients } from './clients/connect.js';
import { KIND } from './config.js';
import { ConfigFiles } from './config-files.js';
import { agentKind } from './kind.js';
import { migrations, openMarks } from './marks.js';
import { Adoption } from './mcp/adopt.js';
import { NativeEntries } from './mcp/entries.js';
import { OwnEntry } from './mcp/own-entry.js';
import { Models } from './model.js';
import { NativeMemory } from './native-memory.js';
import { NativePlugins } from './native-plugins.js';
import { AgentTypes } from './seam.js';
import { SeesWhat } from './sees.js';
import { SessionContext } from './session-context.js';
import { Settings } from './settings.js';
import { skillTargets } from './skills.js';
import { statusOf } from './status.js';
import { Types } from './types.js';
import { Wiring } from './wiring.js';

export type * from './seam.js';

/** What register has made, for start: by the hooks, which are one daemon's. */
const running = new WeakMap<object, Wiring>();

export default definePlugin({
  name: 'kind-agent',
  apiVersion: 1,

  register(kernel) {
    const { hooks } = kernel;
    /** Other plugins' services while they are there. */
    const there: { imports?: McpImport; memory?: SessionContexts; skills?: SkillTargets; models?: ModelTargets } = {};
    const settings = new Settings(openMarks(kernel.database(migrations)));
    const types = new Types(() => wiring.follow());
    const agents = new Agents(kernel, types);
    const ownEntry = new OwnEntry(kernel, agents, settings);
    const entries = new NativeEntries(kernel, agents, settings, () => there.imports);
    const adoption = new Adoption(kernel, settings, entries, () => there.imports);
    const files = new ConfigFiles(kernel, agents);
    const context = new SessionContext(kernel, agents, settings, () => there.memory);
    const memory = new NativeMemory(kernel, settings);
    const plugins = new NativePlugins(kernel, agents, settings);
    const models = new Models(kernel, agents, settings);
    const sees = new SeesWhat(kernel, agents, context);
    const clients = new Clients(kernel, settings, () => types.all().map((d) => d.name));
    const wiring = new Wiring({ kernel, agents, ownEntry, context, memory, models, there });

    running.set(hooks, wiring);

    kernel.kinds.define(agentKind);
    kernel.provide(AgentTypes, types);
    kernel.useIfThere(serviceToken<McpImport>('mcp-import'), (service) => {
      there.imports = service;
      return () => delete there.imports;
    });
    kernel.useIfThere(serviceToken<SessionContexts>('session-context'), (service) => {
      there.memory = service;
      return () => delete there.memory;
    });
    kernel.useIfThere(serviceToken<SkillTargets>('skill-targets'), (service) => {
      there.skills = service;
      const forget = service.add(() => skillTargets(agents));
      return () => {
        forget();
        delete there.skills;
      };
    });
    kernel.useIfThere(serviceToken<ModelTargets>('model-targets'), (service) => {
      there.models = service;
      const forget = service.add(() => models.targets());
      return () => {
        forget();
        delete there.models;
      };
    });

    kernel.tap(hooks.resource.validating.for(KIND), (draft) => void types.require(String(draft.config['type'])));
    kernel.tap(hooks.resource.updating.for(KIND), (draft, before) => wiring.beforeUpdate(draft, before));
    kernel.tap(hooks.resource.disabling.for(KIND), (agent) => wiring.refuseSwitch(agent));
    kernel.tap(hooks.resource.created.for(KIND), () => wiring.changed());
    kernel.tap(hooks.resource.updated.for(KIND), (agent, before) => wiring.afterUpdate(agent, before));
    kernel.tap(hooks.resource.deleted.for(KIND), (agent) => wiring.afterRemoval(agent));
    kernel.tap(hooks.resource.status.for(KIND), (agent) => statusOf(agent, agents, ownEntry));

    kernel.routes(routes({ kernel, agents, ownEntry, entries, adoption, files, context, plugins, sees, clients }));
  },

  // Every plugin has declared itself, at the start of the daemon as when this one is switched on later.
  start: (kernel) => running.get(kernel.hooks)?.ready(),
});
