/** The plugins of one daemon: host, what they declared, and the installer. */
import { iso } from '../clock.js';
import type { Services } from '../container.js';
import type { Plugin } from '../plugin/contract.js';
import { createHost, type Host } from '../plugin/host.js';
import { createInstaller, linkKernel, sweepStaging, type Installer } from '../plugin/install.js';
import { discoverBundled, discoverInstalled } from '../plugin/manifest.js';
import { createServiceRegistry } from '../plugin/services.js';
import { createView, type Declarations } from '../plugin/view.js';
import { VERSION } from '../product.js';

export interface Plugins {
  readonly host: Host;
  readonly installer: Installer;
  readonly declared: Declarations;
  /** Discovers and registers: bundled ones, those given as values, then installed ones. */
  load(bundled: string | null, given: readonly Plugin[]): Promise<void>;
}

export function createPlugins(s: Services, changed: () => void): Plugins {
  const services = createServiceRegistry((plugin, where, e) => host.report(plugin, where, e));
  const declared: Declarations = { routes: [], services };
  const known = s.db.prepare('SELECT enabled FROM plugins WHERE name = ?');
  const remember = s.db.prepare(
    'INSERT INTO plugins (name, enabled) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled',
  );
  const host: Host = createHost({
    log: s.log.logger,
    now: () => iso(s.clock),
    clock: s.clock,
    view: (record) => createView(record, s, declared, (name, where, e, fatal) => host.report(name, where, e, fatal)),
    retract(record) {
      s.kinds.undefine(record.name);
      s.builtIns.undefine(record.name);
      declared.routes = declared.routes.filter((r) => r.plugin !== record.name);
      services.retract(record.name);
    },
    changed() {
      services.settle();
      changed();
    },
    isEnabled: (name) => (known.get(name) as { enabled: number } | undefined)?.enabled !== 0,
    setEnabled: (name, enabled) => void remember.run(name, enabled ? 1 : 0),
  });
  s.faults.report = (name, where, e) => host.report(name, where, e);

  return {
    host,
    declared,
    installer: createInstaller(s.paths.plugins, host, s.audit),
    async load(bundled, given) {
      const own = bundled === null ? { found: [], broken: [] } : discoverBundled(bundled);
      sweepStaging(s.paths.plugins);
      const installed = discoverInstalled(s.paths.plugins);
      if (installed.found.length > 0) linkKernel(s.paths.plugins);
      for (const b of [...own.broken, ...installed.broken]) host.addBroken(b.name, b.source, b.reason);
      const values = given.map((plugin) => ({
        plugin,
        found: { name: plugin.name, version: VERSION, description: '', source: 'bundled' as const },
      }));
      await host.load([...own.found, ...values, ...installed.found]);
    },
  };
}
