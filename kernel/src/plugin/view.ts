/** The narrow view of the kernel that one plugin gets: everything it declares bears its name and can be taken back. */
import { CofferError } from '../errors.js';
import type { Services } from '../container.js';
import type { MountedRoute } from '../http/app.js';
import { programs, VERSION } from '../product.js';
import { migrate } from '../vault/database.js';
import type { Hook } from '../hook.js';
import { API_VERSION, type Clock, type Kernel, type ServiceToken } from './contract.js';
import type { Host } from './host.js';
import type { PluginRecord } from './record.js';
import type { ServiceRegistry } from './services.js';

/** What plugins have declared beyond their own records. */
export interface Declarations {
  routes: MountedRoute[];
  services: ServiceRegistry;
}

export function createView(record: PluginRecord, s: Services, declared: Declarations, report: Host['report']): Kernel {
  const { name } = record;
  const declaring = (what: string): void => {
    if (!record.registering) throw new CofferError('PLUGIN_INVALID', `${what} is declared in register(), not later.`);
  };
  return {
    plugin: name,
    apiVersion: API_VERSION,
    version: VERSION,
    hooks: s.hooks,
    log: s.log.child({ plugin: name }),
    clock: guarded(s.clock, (where, e) => report(name, where, e)),
    paths: s.paths,
    credentials: {
      has: (ref) => s.credentials.has(ref),
      reveal: (ref) => s.credentials.reveal(ref),
      set: (ref, value, actor) => s.credentials.set(ref, value, actor),
      remove: (ref, actor) => s.credentials.remove(ref, actor),
    },
    audit: { write: (e) => s.audit.write(e) },
    resources: s.resources,
    gateway: s.gateway,
    programs: programs(s.env.raw),
    agents: {
      get: (key) => s.agents.get(key),
      list: () => s.agents.list(),
      accept: (provider, config) => s.agents.accept(provider, config),
    },
    machine: s.machines.here,
    env: s.env.raw,
    tap(hook, fn, options = {}) {
      declaring('A tap');
      const fatal = hook.info.onError === 'fail';
      // TapOf ties the function to the hook; inside, one type of hook stands for all.
      const any = hook as unknown as Hook<unknown[], unknown>;
      const add = fn as (...args: unknown[]) => unknown;
      record.taps.push(any.add(name, add, options.stage ?? 'normal', (tap, e) => report(name, tap.hook, e, fatal)));
    },
    effect(label, start) {
      // A slow start() may come back after its plugin was stopped: nothing would ever end what it starts now.
      if (!record.registering && record.state !== 'active' && record.state !== 'degraded')
        throw new CofferError('PLUGIN_INVALID', `${label} cannot start: plugin ${name} was stopped.`);
      record.effects.push({ label, dispose: start() });
    },
    kinds: {
      define(kind) {
        declaring('A kind');
        s.kinds.define(name, kind);
        s.schemaCheck.look(name, `kind ${kind.kind}`, kind.schema);
        record.kinds.push(kind.kind);
      },
    },
    tools: {
      define(tool) {
        declaring('A tool');
        s.builtIns.define(name, tool);
        s.schemaCheck.look(name, `tool ${tool.name}`, tool.inputSchema);
        record.tools.push(tool.name);
      },
    },
    routes(routes) {
      declaring('A route');
      for (const r of routes) {
        const other = declared.routes.find((o) => o.method === r.method && o.path === r.path);
        if (other !== undefined)
          throw new CofferError(
            'PLUGIN_CONFLICT',
            `Route ${r.method} ${r.path} is declared already by plugin ${other.plugin}. Remove or disable one of the two.`,
          );
        declared.routes.push({ ...r, plugin: name });
        record.routes.push(`${r.method} ${r.path}`);
      }
    },
    database(migrations) {
      migrate(s.db, name, migrations);
      return s.db;
    },
    provide(token, service) {
      declaring('A service');
      declared.services.provide(name, token.name, service);
      record.services.push(token.name);
    },
    use<T>(token: ServiceToken<T>): T {
      const offer = declared.services.get(token.name);
      if (offer === undefined) throw new CofferError('PLUGIN_INVALID', `Nobody provides service ${token.name}.`);
      if (record.definition?.requires?.includes(offer.plugin) !== true)
        throw new CofferError(
          'PLUGIN_INVALID',
          `Service ${token.name} belongs to ${offer.plugin}: name it in requires.`,
        );
      // The token carries the type that provide() was held to.
      return offer.service as T;
    },
    useIfThere(token, use) {
      declaring('The use of a service');
      declared.services.follow(name, token, use);
    },
    emit: (event) => s.live.emit(event),
    hidden: s.hidden,
  };
}

/** A plugin's timer that throws degrades the plugin and leaves the daemon up. */
function guarded(clock: Clock, failed: (where: string, e: unknown) => void): Clock {
  const safe = (where: string, fn: () => void) => (): void => {
    try {
      // The type says void, yet an async function fits it; its failure must not get lost.
      const result: unknown = fn();
      if (result instanceof Promise) result.catch((e: unknown) => failed(where, e));
    } catch (e) {
      failed(where, e);
    }
  };
  return {
    now: () => clock.now(),
    setTimeout: (fn, ms) => clock.setTimeout(safe('timer', fn), ms),
    setInterval: (fn, ms) => clock.setInterval(safe('timer', fn), ms),
  };
}
