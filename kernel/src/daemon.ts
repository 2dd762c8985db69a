/** One daemon: services, plugins, the listening socket, and an orderly end. */
import { randomBytes } from 'node:crypto';
import type http from 'node:http';
import { createServices, type Services } from './container.js';
import { iso, systemClock } from './clock.js';
import type { Env } from './env.js';
import { credentialRoutes } from './credentials/api.js';
import { systemKeychain, type Keychain } from './credentials/master-key.js';
import { gatewayRoutes } from './gateway/api.js';
import { buildApp, type MountedRoute } from './http/app.js';
import { daemonRoutes } from './http/daemon-api.js';
import { openapi } from './http/openapi.js';
import { createServer, listen, type Handler } from './http/server.js';
import { createUi } from './http/ui.js';
import { journalRoutes } from './journal/api.js';
import { KERNEL_TABLES } from './journal/retention.js';
import type { RetentionTable } from './journal/types.js';
import { openLog } from './log.js';
import { pluginRoutes } from './plugin/api.js';
import type { Clock, Plugin } from './plugin/contract.js';
import { createHost, type Host } from './plugin/host.js';
import { createInstaller, linkKernel } from './plugin/install.js';
import { discoverBundled, discoverInstalled } from './plugin/manifest.js';
import { createView, type Declarations } from './plugin/view.js';
import { VERSION, bundledPlugins, uiFolder } from './product.js';
import { resourceRoutes } from './resources/api.js';
import { machineRoutes } from './scope/api.js';
import { hiddenByScope } from './scope/scope.js';
import { vaultRoutes } from './vault/api.js';
import { TREES } from './vault/backup.js';
import { dropDiscovery, isAlive, readDiscovery, writeDiscovery } from './vault/discovery.js';
import { withVaultLock } from './vault/lock.js';
import { ensureHome, pathsOf } from './vault/paths.js';

export interface DaemonOptions {
  env: Env;
  clock?: Clock;
  keychain?: Keychain;
  /** Folder of bundled plugins; undefined: the product's own; null: none. */
  bundled?: string | null;
  /** Plugins given as values (tests). */
  plugins?: readonly Plugin[];
  /** Path of the script to start again with, for daemon.json. */
  binaryPath?: string;
  /** Also write the log here (foreground). */
  mirror?: NodeJS.WritableStream;
}

export interface Daemon {
  readonly port: number;
  readonly token: string;
  readonly services: Services;
  readonly host: Host;
  /** Settles when the daemon has ended, whoever asked for it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A live daemon serves this vault already. */
export class AlreadyRunning extends Error {
  constructor(readonly port: number) {
    super(`A Coffer daemon is running already, on port ${port}.`);
  }
}

/** Starts a daemon under the vault's lock. Throws AlreadyRunning, or a CofferError that says what to do. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const paths = pathsOf(options.env.home);
  ensureHome(paths);
  return withVaultLock(paths, async () => {
    const known = readDiscovery(paths.discovery);
    if (known !== undefined && known.pid !== process.pid && (await isAlive(known))) throw new AlreadyRunning(known.port);
    const log = openLog(paths.logs, options.env.logLevel, options.mirror);
    try {
      return await assemble(options, { env: options.env, clock: options.clock ?? systemClock, paths, log, keychain: options.keychain ?? systemKeychain() });
    } catch (e) {
      log.logger.error('the daemon did not start', { error: e instanceof Error ? e.message : String(e) });
      await log.close();
      throw e;
    }
  });
}

type Given = Parameters<typeof createServices>[0];

async function assemble(options: DaemonOptions, given: Given): Promise<Daemon> {
  const { env, clock, paths, log } = given;
  const container = createServices(given);
  const s = container.cradle;
  const startedAt = iso(clock);
  let phase: 'starting' | 'ready' | 'draining' = 'starting';
  let token = randomBytes(32).toString('base64url');
  let port = 0;
  let rest: Handler;

  // A wrong vault or key must be known before anything is served.
  void s.db;
  void s.credentials;
  s.hooks.scope.visible.add('kernel', hiddenByScope, 'early', () => undefined);
  s.hooks.gateway.invoked.add('kernel', (i) => s.invocations.add(i), 'early', () => undefined);

  const declared: Declarations = { routes: [], services: new Map() };
  const state = (name: string): boolean => (s.db.prepare('SELECT enabled FROM plugins WHERE name = ?').get(name) as { enabled: number } | undefined)?.enabled !== 0;
  const host = createHost({
    log: log.logger,
    now: () => iso(clock),
    view: (record) => createView(record, s, declared, (name, where, e) => host.report(name, where, e)),
    retract(record) {
      s.kinds.undefine(record.name);
      s.builtIns.undefine(record.name);
      declared.routes = declared.routes.filter((r) => r.plugin !== record.name);
      for (const [key, offer] of declared.services) if (offer.plugin === record.name) declared.services.delete(key);
    },
    changed: () => refresh(),
    isEnabled: state,
    setEnabled: (name, enabled) => void s.db.prepare('INSERT INTO plugins (name, enabled) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled').run(name, enabled ? 1 : 0),
  });
  s.faults.report = (name, where, e) => host.report(name, where, e);

  const trees = (): string[] => {
    const all = new Set(TREES);
    s.hooks.backup.trees.call({ add: (folder) => void all.add(folder) });
    return [...all];
  };
  const installer = createInstaller(paths.plugins, host, s.audit);
  const kernelRoutes: MountedRoute[] = [
    ...daemonRoutes({ status, shutdown: () => void setImmediate(() => void stop()), rotateToken, issueLogin, describe: () => openapi(allRoutes(), VERSION) }, s.live),
    ...resourceRoutes(s.resources, s.kinds),
    ...credentialRoutes(s.credentials, s.citedBy),
    ...journalRoutes(s.audit, s.invocations, s.retention),
    ...machineRoutes(s.machines, s.audit),
    ...pluginRoutes(host, installer),
    ...gatewayRoutes(s.gateway, s.core.standings),
    ...vaultRoutes(paths, s.db, s.audit, trees, VERSION),
  ].map((r) => ({ ...r, plugin: 'kernel' }));

  /** Plugins first: a kind's own route may be more exact than a general one. */
  function allRoutes(): MountedRoute[] {
    const fromHooks: MountedRoute[] = [];
    s.hooks.http.routes.call({ add: (routes) => void fromHooks.push(...routes.map((r) => ({ ...r, plugin: 'hook' }))) });
    return [...declared.routes, ...fromHooks, ...kernelRoutes];
  }
  /** After a plugin came or went: routes, agents and what clients see. */
  function refresh(): void {
    if (phase === 'draining') return;
    rest = buildApp(allRoutes(), log.logger, (plugin, e) => (plugin === 'kernel' ? undefined : host.report(plugin, 'a route', e)));
    s.agents.clear();
    s.hooks.agents.register.call(s.agents);
    s.core.changed();
    s.live.emit({ type: 'plugin' });
  }

  const healths = new Map<string, string>();
  /** Answers at once: health is looked up behind it, see watchHealth. */
  function status(): Record<string, unknown> {
    const count = (name: string): number => [...host.records.values()].filter((r) => r.state === name).length;
    const resources: Record<string, { registered: number; enabled: number; healthy: number; failing: number }> = {};
    for (const r of s.store.all()) {
      const sum = (resources[r.kind] ??= { registered: 0, enabled: 0, healthy: 0, failing: 0 });
      sum.registered++;
      if (!r.enabled) continue;
      sum.enabled++;
      const health = healths.get(r.ref);
      if (health === 'healthy' || health === 'failing') sum[health]++;
    }
    return {
      status: phase,
      version: VERSION,
      pid: process.pid,
      port,
      started_at: startedAt,
      resources,
      plugins: { active: count('active'), degraded: count('degraded'), failed: count('failed'), disabled: count('disabled') },
    };
  }

  function rotateToken({ actor }: { actor: 'cli' | 'api' | 'ui' | 'system' | 'agent' }): string {
    const fresh = randomBytes(32).toString('base64url');
    writeDiscovery(paths.discovery, { version: 1, pid: process.pid, port, token: fresh, started_at: startedAt, binary_path: options.binaryPath ?? '' });
    token = fresh;
    s.logins.clear();
    s.audit.write({ event_type: 'token_rotated', actor });
    return fresh;
  }
  function issueLogin(): { code: string; url: string } {
    const code = s.logins.issue();
    return { code, url: `http://127.0.0.1:${port}/#login=${code}` };
  }

  const server: http.Server = createServer({
    keys: { token: () => token, session: (id) => s.logins.alive(id) },
    open: (method, path) => method === 'GET' && path === '/daemon/status',
    mcp: (req, res) => s.endpoint.handle(req, res),
    rest: () => rest,
    ui: createUi(uiFolder(), s.logins),
  });

  let ending: Promise<void> | undefined;
  let done: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (done = resolve));
  const timers: (() => void)[] = [];
  function stop(): Promise<void> {
    return (ending ??= (async () => {
      phase = 'draining';
      for (const end of timers) end();
      await s.hooks.daemon.stopping.promise();
      await s.endpoint.close();
      await Promise.all([...s.core.standings.all.keys()].map((key) => s.core.standings.gone(key)));
      await host.stop();
      s.audit.write({ event_type: 'daemon_stopped', actor: 'system' });
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      s.invocations.flush();
      s.db.close();
      dropDiscovery(paths.discovery, process.pid);
      log.logger.info('the daemon has stopped');
      await log.close();
      done();
    })());
  }

  try {
    const found = options.bundled === null ? { found: [], broken: [] } : discoverBundled(options.bundled ?? bundledPlugins());
    const installed = discoverInstalled(paths.plugins);
    if (installed.found.length > 0) linkKernel(paths.plugins);
    for (const b of [...found.broken, ...installed.broken]) host.addBroken(b.name, b.source, b.reason);
    const given_ = (options.plugins ?? []).map((plugin) => ({ plugin, found: { name: plugin.name, version: VERSION, description: '', source: 'bundled' as const } }));
    await host.load([...found.found, ...given_, ...installed.found]);

    const tables: RetentionTable[] = [...KERNEL_TABLES];
    s.hooks.retention.tables.call({ add: (t) => void tables.push(t) });
    s.retention.seed(tables);
    await s.hooks.daemon.starting.promise();
    await host.start();
    port = await listen(server, env.port);
    writeDiscovery(paths.discovery, { version: 1, pid: process.pid, port, token, started_at: startedAt, binary_path: options.binaryPath ?? '' });
  } catch (e) {
    await host.stop();
    server.close();
    s.db.close();
    throw e;
  }
  phase = 'ready';
  timers.push(s.retention.work(), s.gateway.reap(clock), watchHealth(s, healths), standDown(clock, paths.discovery, () => void stop()));
  s.audit.write({ event_type: 'daemon_started', actor: 'system', details: { version: VERSION, port } });
  log.logger.info('the daemon is ready', { port, pid: process.pid, version: VERSION });
  const locked = s.credentials.locked();
  if (locked.length > 0) log.logger.error('the master key does not open some credentials', { refs: locked, key: paths.masterKey });
  await s.hooks.daemon.ready.promise();
  return {
    get port() {
      return port;
    },
    get token() {
      return token;
    },
    services: s,
    host,
    ended,
    stop,
  };
}

/** Keeps the health of resources for the status endpoint, which must not wait for anything. */
function watchHealth(s: Services, healths: Map<string, string>): () => void {
  const look = async (): Promise<void> => {
    for (const r of s.store.all()) healths.set(r.ref, (await s.resources.status(r)).status);
  };
  const gone = new AbortController();
  void look();
  void (async () => {
    for await (const e of s.live.watch(gone.signal)) {
      const type = (e.data as { type?: string }).type;
      if (type === 'resource' || type === 'health') await look();
    }
  })();
  return () => gone.abort();
}

/** Should another daemon have taken this vault over, this one stands down. */
function standDown(clock: Clock, discovery: string, stop: () => void): () => void {
  const timer = clock.setInterval(() => {
    const d = readDiscovery(discovery);
    if (d === undefined || d.pid === process.pid) return;
    void isAlive(d).then((alive) => {
      if (alive) stop();
    });
  }, 60_000);
  return () => timer.clear();
}
