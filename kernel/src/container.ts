/** The composition root: every service of the kernel and what it is made of. Nobody receives the container itself. */
import { asFunction, asValue, createContainer, type AwilixContainer } from 'awilix/browser';
import { createAgents, type Agents } from './agents/registry.js';
import type { Env } from './env.js';
import { createHooks, type Hooks } from './hooks.js';
import { createBuiltIns, type BuiltIns } from './gateway/built-ins.js';
import { createCore, type GatewayCore } from './gateway/core.js';
import { createGateway, type GatewayFace } from './gateway/gateway.js';
import { createEndpoint, type Endpoint } from './gateway/wire/endpoint.js';
import { createLive, type Live } from './http/live.js';
import { createLogins, type Logins } from './http/logins.js';
import { openAudit, type AuditLog } from './journal/audit.js';
import { openInvocations, type InvocationLog } from './journal/invocations.js';
import { openRetention, type Retention } from './journal/retention.js';
import { masterKeys, type Keychain, type MasterKeys } from './credentials/master-key.js';
import { openCredentials, type CredentialStore } from './credentials/store.js';
import type { Log } from './log.js';
import { VERSION } from './product.js';
import type { Clock } from './plugin/contract.js';
import type { Host } from './plugin/host.js';
import { createKinds, type Kinds } from './resources/kinds.js';
import { createSchemaCheck, type SchemaCheck } from './resources/schema-check.js';
import { createResources } from './resources/service.js';
import { openResourceStore, type ResourceStore } from './resources/store.js';
import type { Resource, Resources } from './resources/types.js';
import { openMachines, type Machines } from './scope/machines.js';
import type { Hidden, Viewpoint } from './scope/types.js';
import { openDatabase, type Db } from './vault/database.js';
import { KERNEL_MIGRATIONS } from './vault/migrations.js';
import { openSettings, type Settings } from './vault/settings.js';
import type { Paths } from './vault/types.js';

export interface Services {
  env: Env;
  clock: Clock;
  paths: Paths;
  log: Log;
  keychain: Keychain;
  db: Db;
  settings: Settings;
  hooks: Hooks;
  live: Live;
  logins: Logins;
  audit: AuditLog;
  invocations: InvocationLog;
  retention: Retention;
  machines: Machines;
  kinds: Kinds;
  schemaCheck: SchemaCheck;
  store: ResourceStore;
  hidden: (resource: Resource, viewpoint: Viewpoint) => Hidden | undefined;
  citedBy: (ref: string) => string[];
  keys: MasterKeys;
  credentials: CredentialStore;
  resources: Resources;
  builtIns: BuiltIns;
  core: GatewayCore;
  gateway: GatewayFace;
  endpoint: Endpoint;
  agents: Agents;
  /** Set once the host exists: faults of plugins are reported to it. */
  faults: { report: Host['report'] };
}

export type Given = Pick<Services, 'env' | 'clock' | 'paths' | 'log' | 'keychain'>;

export function createServices(given: Given): AwilixContainer<Services> {
  const container = createContainer<Services>({ injectionMode: 'PROXY', strict: true });
  const one = <K extends keyof Services>(make: (s: Services) => Services[K]) => asFunction(make).singleton();
  container.register({
    env: asValue(given.env),
    clock: asValue(given.clock),
    paths: asValue(given.paths),
    log: asValue(given.log),
    keychain: asValue(given.keychain),
    faults: asValue({ report: () => undefined }),
    db: one<'db'>(({ paths }) => openDatabase(paths.db, KERNEL_MIGRATIONS)),
    settings: one<'settings'>(({ db }) => openSettings(db)),
    hooks: one<'hooks'>(() => createHooks()),
    live: one<'live'>(() => createLive()),
    logins: one<'logins'>(({ clock, settings }) =>
      createLogins(clock, {
        load: () => settings.get('ui_sessions'),
        save: (sessions) => settings.set('ui_sessions', sessions),
      }),
    ),
    audit: one<'audit'>(({ db, clock, live }) => openAudit(db, clock, (e) => live.emit(e))),
    invocations: one<'invocations'>(({ db, live, log }) =>
      openInvocations(
        db,
        (e) => live.emit(e),
        (e) => log.logger.error('invocations could not be written', { error: String(e) }),
      ),
    ),
    retention: one<'retention'>(({ db, audit, clock, log }) => openRetention(db, audit, clock, log.logger)),
    machines: one<'machines'>(({ db }) => openMachines(db)),
    kinds: one<'kinds'>(() => createKinds()),
    schemaCheck: one<'schemaCheck'>(() => createSchemaCheck()),
    store: one<'store'>(({ db }) => openResourceStore(db)),
    hidden: one<'hidden'>(
      ({ hooks }) =>
        (resource, viewpoint) =>
          hooks.scope.visible.call(resource, viewpoint),
    ),
    citedBy: one<'citedBy'>(
      ({ store, kinds }) =>
        (ref) =>
          store
            .all()
            .filter((r) => kinds.get(r.kind)?.credentialRefs?.(r.config).includes(ref) === true)
            .map((r) => r.ref),
    ),
    keys: one<'keys'>(({ paths, keychain, log }) => masterKeys(paths.masterKey, keychain, log.logger)),
    credentials: one<'credentials'>(({ db, settings, keys, audit, clock, paths, citedBy }) =>
      openCredentials({ db, settings, keys, audit, clock, keyFile: paths.masterKey, citedBy }),
    ),
    builtIns: one<'builtIns'>(({ faults }) =>
      createBuiltIns((plugin, where, error) => faults.report(plugin, where, error)),
    ),
    core: one<'core'>(({ hooks, clock, log, machines, builtIns, live }) =>
      createCore({
        hooks,
        clock,
        log: log.logger,
        machine: machines.here,
        version: VERSION,
        builtIns,
        emit: (e) => live.emit(e),
      }),
    ),
    gateway: one<'gateway'>(({ core }) => createGateway(core)),
    resources: one<'resources'>(({ db, store, kinds, hooks, audit, clock, credentials, hidden, live, core }) =>
      createResources({
        db,
        store,
        kinds,
        hooks,
        audit,
        clock,
        hasCredential: (ref) => credentials.has(ref),
        hidden,
        emit: (e) => live.emit(e),
        changed: () => core.changed(),
      }),
    ),
    endpoint: one<'endpoint'>(({ core, clock, log, env }) =>
      createEndpoint({
        core,
        clock,
        log: log.logger,
        serverInfo: { name: 'coffer', title: 'Coffer', version: VERSION },
        idleMs: env.sessionIdleS * 1000,
        reaperMs: env.reaperIntervalS * 1000,
      }),
    ),
    agents: one<'agents'>(() => createAgents()),
  });
  return container;
}
