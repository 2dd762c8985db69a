/** The plugin host: order by `requires`, two phases, fault isolation, and true unloading. */
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { CofferError, className, isCofferError } from '../errors.js';
import { API_VERSION, isPlugin, type Kernel, type Logger, type Plugin } from './contract.js';
import type { Found } from './manifest.js';
import { newRecord, type PluginRecord } from './record.js';

/** What the host needs from the composition root. */
export interface HostParts {
  log: Logger;
  now: () => string;
  /** The narrow view of the kernel for one plugin. */
  view: (record: PluginRecord) => Kernel;
  /** Takes back what a plugin declared outside its own record: kinds, tools, routes, services. */
  retract: (record: PluginRecord) => void;
  /** Something was declared or taken back. */
  changed: () => void;
  isEnabled: (name: string) => boolean;
  setEnabled: (name: string, enabled: boolean) => void;
}

export interface Host {
  readonly records: ReadonlyMap<string, PluginRecord>;
  /** Throws PLUGIN_NOT_FOUND. */
  get(name: string): PluginRecord;
  /** Imports and registers (phase one) what was found, in the order of `requires`. Never throws for what a plugin does. */
  load(found: readonly (Found | { found: Omit<Found, 'dir' | 'manifest'>; plugin: Plugin })[]): Promise<void>;
  addBroken(name: string, source: Found['source'], reason: string): void;
  /** Phase two of everything registered. */
  start(): Promise<void>;
  startPlugin(name: string): Promise<void>;
  enable(name: string): Promise<PluginRecord>;
  disable(name: string): Promise<PluginRecord>;
  /** Disables it and forgets it. */
  forget(name: string): Promise<void>;
  /** Notes a fault of a plugin: it is degraded and says why. */
  report(name: string, where: string, error: unknown): void;
  stop(): Promise<void>;
}

export function createHost(parts: HostParts): Host {
  const records = new Map<string, PluginRecord>();
  const { log } = parts;

  const fail = (r: PluginRecord, why: string): void => {
    r.state = 'failed';
    r.note = why;
    log.warn(`plugin ${r.name} failed`, { plugin: r.name, reason: why });
  };

  const report = (name: string, where: string, error: unknown): void => {
    const r = records.get(name);
    if (r === undefined) return;
    const text = describe(error);
    const known = r.errors.find((e) => e.where === where && e.error === text);
    if (known === undefined) {
      r.errors.unshift({ where, error: text, at: parts.now(), count: 1 });
      r.errors.length = Math.min(r.errors.length, 20);
    } else {
      known.count++;
      known.at = parts.now();
    }
    const n = r.errors.reduce((sum, e) => sum + (e.where === where ? e.count : 0), 0);
    if (r.state === 'active' || r.state === 'degraded') {
      r.state = 'degraded';
      r.note = `${where} threw ${n === 1 ? 'once' : `${n} times`}: ${text} (coffer plugin show ${r.name})`;
    }
    log.error('a plugin threw', {
      plugin: name,
      where,
      error: className(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
  };

  /** Undoes everything a plugin did, newest first. */
  const dispose = async (r: PluginRecord): Promise<void> => {
    for (const t of r.taps) t.active = false;
    for (const e of r.effects.reverse()) {
      try {
        await e.dispose();
      } catch (error) {
        log.error('an effect did not end cleanly', { plugin: r.name, effect: e.label, error: className(error) });
      }
    }
    parts.retract(r);
    Object.assign(r, {
      taps: [],
      effects: [],
      kinds: [],
      tools: [],
      routes: [],
      agents: [],
      services: [],
      registering: false,
    });
  };

  const registerOne = (r: PluginRecord): void => {
    const plugin = r.definition;
    if (plugin === null) return;
    if (plugin.apiVersion !== API_VERSION) {
      const advice =
        plugin.apiVersion > API_VERSION ? 'update Coffer, or use an older version of the plugin' : 'update the plugin';
      return fail(r, `needs plugin API ${plugin.apiVersion}, this Coffer speaks ${API_VERSION}: ${advice}`);
    }
    for (const need of plugin.requires ?? []) {
      const other = records.get(need);
      if (other === undefined) return fail(r, `requires ${need}, which is not installed`);
      if (other.state === 'failed' || other.state === 'disabled')
        return fail(r, `requires ${need}, which is ${other.state}`);
    }
    const from = performance.now();
    r.errors = [];
    r.registering = true;
    try {
      const returned: unknown = plugin.register(parts.view(r));
      if (returned instanceof Promise) {
        returned.catch(() => undefined);
        throw new CofferError('PLUGIN_INVALID', 'register() must be synchronous; I/O belongs into start()');
      }
      r.state = 'active';
      r.note = '';
    } catch (e) {
      // What it declared before it threw is taken back at once; nothing of it may run half-made.
      for (const t of r.taps) t.active = false;
      parts.retract(r);
      Object.assign(r, { taps: [], kinds: [], tools: [], routes: [], agents: [], services: [] });
      fail(r, describe(e));
      log.error('register failed', { plugin: r.name, stack: e instanceof Error ? e.stack : undefined });
    }
    r.registering = false;
    r.startMs = performance.now() - from;
  };

  const startOne = async (r: PluginRecord): Promise<void> => {
    if (r.state !== 'active' || r.definition?.start === undefined) return;
    const from = performance.now();
    try {
      await r.definition.start(parts.view(r));
    } catch (e) {
      await dispose(r);
      fail(r, describe(e));
      log.error('start failed', { plugin: r.name, stack: e instanceof Error ? e.stack : undefined });
    }
    r.startMs = (r.startMs ?? 0) + performance.now() - from;
  };

  const importOne = async (found: Found): Promise<void> => {
    const r = newRecord(found);
    records.set(r.name, r);
    try {
      const module = (await import(pathToFileURL(path.join(found.dir, found.manifest.plugin)).href)) as {
        default?: unknown;
      };
      if (!isPlugin(module.default))
        throw new CofferError('PLUGIN_INVALID', 'its module has no default export made with definePlugin()');
      if (module.default.name !== r.name)
        throw new CofferError(
          'PLUGIN_INVALID',
          `its package is called ${r.name} but its plugin ${module.default.name}: use one name`,
        );
      r.definition = module.default;
    } catch (e) {
      fail(r, describe(e));
    }
  };

  /** Those that need nothing first; a circle is left at the end and fails on its missing requirement. */
  const ordered = (names: readonly string[]): PluginRecord[] => {
    const done: PluginRecord[] = [];
    const rest = new Set(names);
    for (let moved = true; moved;) {
      moved = false;
      for (const name of rest) {
        const r = records.get(name);
        if (r === undefined || (r.definition?.requires ?? []).some((need) => rest.has(need))) continue;
        rest.delete(name);
        done.push(r);
        moved = true;
      }
    }
    for (const name of rest) {
      const r = records.get(name);
      if (r !== undefined) fail(r, `is part of a circle of requirements: ${[...rest].join(', ')}`);
    }
    return done;
  };

  const get = (name: string): PluginRecord => {
    const r = records.get(name);
    if (r === undefined)
      throw new CofferError('PLUGIN_NOT_FOUND', 'There is no plugin of that name. See: coffer plugin list');
    return r;
  };
  const dependants = (name: string): PluginRecord[] =>
    [...records.values()].filter((r) => (r.definition?.requires ?? []).includes(name));

  const host: Host = {
    records,
    get,
    report,
    addBroken(name, source, reason) {
      const r = newRecord({ name, version: '-', description: '', source });
      records.set(name, r);
      fail(r, reason);
    },
    async load(list) {
      const names: string[] = [];
      for (const item of list) {
        const name = 'plugin' in item ? item.found.name : item.name;
        const taken = records.get(name);
        if (taken !== undefined && taken.source === 'bundled') {
          log.warn('an installed plugin has the name of a bundled one and is left out', { plugin: name });
          continue;
        }
        if ('plugin' in item) {
          const r = newRecord(item.found);
          r.definition = item.plugin;
          records.set(name, r);
        } else await importOne(item);
        names.push(name);
      }
      for (const r of ordered(names)) {
        if (r.state === 'failed') continue;
        if (!parts.isEnabled(r.name)) {
          r.state = 'disabled';
          r.note = 'disabled by the user';
        } else registerOne(r);
      }
      parts.changed();
    },
    async start() {
      for (const r of records.values()) await startOne(r);
      parts.changed();
    },
    async startPlugin(name) {
      await startOne(get(name));
      parts.changed();
    },
    async enable(name) {
      const r = get(name);
      parts.setEnabled(name, true);
      if (r.state === 'active' || r.state === 'degraded') return r;
      registerOne(r);
      await startOne(r);
      // Whoever failed only because this one was missing gets another chance.
      for (const d of dependants(name)) if (d.state === 'failed' && parts.isEnabled(d.name)) await host.enable(d.name);
      parts.changed();
      return r;
    },
    async disable(name) {
      const r = get(name);
      for (const d of dependants(name)) {
        if (d.state !== 'active' && d.state !== 'degraded') continue;
        await dispose(d);
        fail(d, `requires ${name}, which is disabled`);
      }
      await dispose(r);
      r.state = 'disabled';
      r.note = 'disabled by the user';
      parts.setEnabled(name, false);
      parts.changed();
      return r;
    },
    async forget(name) {
      const r = get(name);
      await dispose(r);
      records.delete(name);
      for (const d of dependants(name)) {
        await dispose(d);
        fail(d, `requires ${name}, which is not installed`);
      }
      parts.changed();
    },
    async stop() {
      for (const r of [...records.values()].reverse()) await dispose(r);
    },
  };
  return host;
}

/** Coffer's own words as they are; of a foreign error class and message, since plugin authors need it and arguments are not in it. */
function describe(e: unknown): string {
  if (isCofferError(e)) return e.message;
  return e instanceof Error ? `${className(e)}: ${e.message}`.slice(0, 300) : className(e);
}
