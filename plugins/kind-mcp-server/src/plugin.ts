/** MCP servers as resources: upstream connections, curation, tool search. */
import { isDeepStrictEqual } from 'node:util';
import { definePlugin, type Resource } from '@coffer/kernel';
import { mcpServerRoutes } from './api.js';
import { Notes } from './catalogue.js';
import { configOf, KIND } from './config.js';
import { Dialer } from './dial.js';
import { Discovery } from './discover.js';
import { RememberedEras } from './eras.js';
import { Health } from './health.js';
import { mcpServerKind } from './kind.js';
import { Launcher } from './launch/launcher.js';
import { sweepOrphans } from './launch/pids.js';
import { Preferences } from './preferences.js';
import { searchTool } from './search-tool.js';
import { refuseSecrets } from './secrets.js';
import { ServerStatus } from './status.js';
import { importService, McpImport } from './services.js';
import { migrations } from './tables.js';
import { Upstreams } from './upstreams.js';

export type * from './services.js';

export default definePlugin({
  name: 'kind-mcp-server',
  apiVersion: 1,

  register(kernel) {
    const { hooks, clock, gateway, resources, version } = kernel;
    const database = kernel.database(migrations);
    const preferences = new Preferences(database, kernel.audit, clock);
    const health = new Health(database, clock, (server, { status, reason }) =>
      kernel.emit({ type: 'resource', action: 'health', ref: `${KIND}:${server}`, status, reason }),
    );
    const eras = new RememberedEras(database, clock);
    const launcher = new Launcher(kernel.paths, kernel.credentials);
    const notes = new Notes();
    const upstreams = new Upstreams(kernel, {
      dialer: new Dialer(launcher, clock, version, eras),
      preferences,
      health,
      notes,
    });
    const discovery = new Discovery(
      upstreams,
      notes,
      health,
      clock,
      version,
      (server) => resources.find(KIND, server.name) !== undefined,
    );
    const status = new ServerStatus(health, notes, launcher, eras);
    const here = (server: Resource): boolean =>
      kernel.hidden(server, { machine: kernel.machine, agent: null })?.axis !== 'machine';

    kernel.kinds.define(mcpServerKind);
    kernel.provide(
      McpImport,
      importService(() => resources.list(KIND)),
    );
    kernel.tap(hooks.resource.validating.for(KIND), (draft) => refuseSecrets(draft));

    kernel.tap(hooks.gateway.sources, (session, sources) => upstreams.offer(session, sources));
    kernel.tap(hooks.gateway.listed, (listing) => preferences.filter(listing));
    kernel.tap(hooks.gateway.admit, (call) => preferences.refuse(call));
    kernel.tap(hooks.gateway.sessionClosed, (session) => upstreams.release(session));

    kernel.tap(hooks.resource.created.for(KIND), async (server) => {
      preferences.policy(server.name, configOf(server).auto_enable_new_capabilities);
      // One that comes back after it was deleted may be switched off, or belong to another machine.
      if (server.enabled && here(server)) await discovery.tryDiscover(server);
      gateway.changed();
    });
    kernel.tap(hooks.resource.updated.for(KIND), async (server, before) => {
      // Scope or description alone: what runs stays, and nothing is started to look at it.
      if (isDeepStrictEqual(server.config, before.config)) return gateway.changed();
      preferences.policy(server.name, configOf(server).auto_enable_new_capabilities);
      notes.forget(server.name);
      health.unknown(server.name);
      gateway.changed({ forget: server.ref });
      if (server.enabled && here(server)) await discovery.tryDiscover(server);
    });
    kernel.tap(hooks.resource.enabled.for(KIND), async (server) => {
      gateway.changed();
      if (here(server)) await discovery.tryDiscover(server);
    });
    kernel.tap(hooks.resource.disabled.for(KIND), () => gateway.changed());
    kernel.tap(hooks.resource.deleted.for(KIND), async (server, undo) => {
      gateway.changed({ forget: server.ref });
      await upstreams.evict(server.name);
      undo.putBack(preferences.forget(server.name));
      health.forget(server.name);
      notes.forget(server.name);
    });
    kernel.tap(hooks.resource.status.for(KIND), (server) => status.of(server));

    kernel.tools.define(searchTool(gateway));
    kernel.routes(mcpServerRoutes(kernel, { discovery, preferences, notes, status, launcher }));

    kernel.tap(hooks.daemon.starting, async () => {
      for (const server of resources.list(KIND))
        preferences.policy(server.name, configOf(server).auto_enable_new_capabilities);
      const orphans = await sweepOrphans(kernel.paths.upstreamPids);
      for (const { server, pid } of orphans)
        kernel.log.warn('ended a server left running by an earlier daemon', { server, pid });
    });
    kernel.effect('server processes', () => () => launcher.stopAll());
    kernel.effect('upstream servers', () => () => upstreams.closeAll());
  },
});
