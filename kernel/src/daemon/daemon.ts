/** One daemon: services, plugins, the site it serves, and an orderly end. */
import { createServices, type Given, type Services } from '../container.js';
import { iso, systemClock } from '../clock.js';
import type { Env } from '../env.js';
import { systemKeychain, type Keychain } from '../credentials/master-key.js';
import { KERNEL_TABLES } from '../journal/retention.js';
import type { RetentionTable } from '../journal/types.js';
import { openLog } from '../log.js';
import type { Clock, Plugin } from '../plugin/contract.js';
import type { Host } from '../plugin/host.js';
import { VERSION, bundledPlugins } from '../product.js';
import { hiddenByScope } from '../scope/scope.js';
import { dropDiscovery, isAlive, readDiscovery } from '../vault/discovery.js';
import { withVaultLock } from '../vault/lock.js';
import { ensureHome, pathsOf } from '../vault/paths.js';
import { recoverRestore } from '../vault/restore.js';
import { createHealths, standDown } from './health.js';
import { createPlugins } from './plugins.js';
import { createSite } from './site.js';

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
  /** It ended in order to be started again, by the program. */
  readonly again: boolean;
  stop(): Promise<void>;
}

/** What can wait until the first clients were served does so, in milliseconds. */
const SETTLED_MS = 1000;

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
    if (known !== undefined && known.pid !== process.pid && (await isAlive(known))) {
      throw new AlreadyRunning(known.port);
    }
    recoverRestore(paths);
    const log = openLog(paths.logs, options.env.logLevel, options.mirror);
    const clock = options.clock ?? systemClock;
    try {
      return await assemble(options, {
        env: options.env,
        clock,
        paths,
        log,
        keychain: options.keychain ?? systemKeychain(),
      });
    } catch (e) {
      log.logger.error('the daemon did not start', { error: e instanceof Error ? e.message : String(e) });
      await log.close();
      throw e;
    }
  });
}

async function assemble(options: DaemonOptions, given: Given): Promise<Daemon> {
  const { clock, paths, log } = given;
  const s = createServices(given).cradle;
  const startedAt = iso(clock);
  let phase: 'starting' | 'ready' | 'draining' = 'starting';

  // A wrong vault or key must be known before anything is served.
  void s.db;
  try {
    void s.credentials;
  } catch (e) {
    s.db.close();
    throw e;
  }
  ownTaps(s);

  const healths = createHealths(s);
  const plugins = createPlugins(s, () => {
    if (phase !== 'draining') site.refresh(plugins);
  });
  const { host } = plugins;
  const count = (state: string): number => [...host.records.values()].filter((r) => r.state === state).length;
  const site = createSite({
    services: s,
    startedAt,
    binaryPath: options.binaryPath ?? '',
    stop: () => void stop(),
    restart: () => {
      again = true;
      void stop();
    },
    status: () => ({
      status: phase,
      version: VERSION,
      pid: process.pid,
      port: site.port,
      started_at: startedAt,
      resources: healths.summary(),
      plugins: {
        active: count('active'),
        degraded: count('degraded'),
        failed: count('failed'),
        disabled: count('disabled'),
      },
    }),
  });

  const workers: (() => void)[] = [];
  let again = false;
  let ending: Promise<void> | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const stop = (): Promise<void> =>
    (ending ??= (async () => {
      phase = 'draining';
      for (const w of workers) w();
      await s.hooks.daemon.stopping.promise();
      await s.endpoint.close();
      await Promise.all([...s.core.standings.all.keys()].map((key) => s.core.standings.gone(key)));
      await host.stop();
      s.audit.write({ event_type: 'daemon_stopped', actor: 'system' });
      await site.close();
      s.invocations.flush();
      s.db.close();
      dropDiscovery(paths.discovery, process.pid);
      log.logger.info('the daemon has stopped');
      await log.close();
      end();
    })());

  try {
    await plugins.load(options.bundled === undefined ? bundledPlugins() : options.bundled, options.plugins ?? []);
    const tables: RetentionTable[] = [...KERNEL_TABLES];
    s.hooks.retention.tables.call({ add: (t) => void tables.push(t) });
    s.retention.seed(tables);
    await s.hooks.daemon.starting.promise();
    await host.start();
    await site.open(given.env.port);
  } catch (e) {
    await host.stop();
    await site.close();
    s.db.close();
    throw e;
  }
  phase = 'ready';
  workers.push(
    s.retention.work(),
    s.gateway.reap(clock),
    healths.watch(),
    standDown(clock, paths.discovery, () => void stop()),
  );
  s.audit.write({ event_type: 'daemon_started', actor: 'system', details: { version: VERSION, port: site.port } });
  log.logger.info('the daemon is ready', { port: site.port, pid: process.pid, version: VERSION });
  const locked = s.credentials.locked();
  if (locked.length > 0) {
    log.logger.error('the master key does not open some credentials', { refs: locked, key: paths.masterKey });
  }
  await s.hooks.daemon.ready.promise();
  const check = clock.setTimeout(
    () => s.schemaCheck.catchUp((plugin, what, e) => host.report(plugin, what, e, true)),
    SETTLED_MS,
  );
  workers.push(() => check.clear());
  return {
    get port() {
      return site.port;
    },
    get token() {
      return site.token;
    },
    services: s,
    host,
    ended,
    get again() {
      return again;
    },
    stop,
  };
}

/** The kernel's own taps: its scope axes, and the invocation log. */
function ownTaps(s: Services): void {
  const ignore = (): void => undefined;
  s.hooks.scope.visible.add('kernel', hiddenByScope, 'early', ignore);
  s.hooks.gateway.invoked.add('kernel', (i) => s.invocations.add(i), 'early', ignore);
}
