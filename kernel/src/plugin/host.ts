/** The plugin host: order by `requires`, two phases, fault isolation, and true unloading. */
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { CofferError, className, isCofferError } from '../errors.js';
import { API_VERSION, isPlugin, type Clock, type Kernel, type Logger, type Plugin } from './contract.js';
import type { Found } from './manifest.js';
import { END_MS, LOAD_MS, Late, inTime } from './in-time.js';
import { clearLoading, markLoading, wasLoading } from './loading.js';
import { newRecord, runs, type PluginRecord } from './record.js';

/** What the host needs from the composition root. */
export interface HostParts {
  log: Logger;
  now: () => string;
  clock: Clock;
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
  /** Notes a fault of a plugin: it is degraded and says why. `fatal`: it has failed, and what it did is undone. */
  report(name: string, where: string, error: unknown, fatal?: boolean): void;
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

  /** Ends of plugins that failed in the middle of something synchronous. */
  const falling = new Set<Promise<void>>();

  const report = (name: string, where: string, error: unknown, fatal = false): void => {
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
    if (runs(r)) {
      r.state = 'degraded';
      r.note = `${where} threw ${n === 1 ? 'once' : `${n} times`}: ${text} (coffer plugin show ${r.name})`;
    }
    log.error('a plugin threw', {
      plugin: name,
      where,
      error: className(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
    if (!fatal || !runs(r)) return;
    const { note } = r;
    const fall = takeDown(r, 'failed').then(() => {
      fail(r, note);
      falling.delete(fall);
      parts.changed();
    });
    falling.add(fall);
  };

  /** Undoes everything a plugin did, newest first. */
  const dispose = async (r: PluginRecord): Promise<void> => {
    for (const t of r.taps) t.active = false;
    for (const e of r.effects.splice(0).reverse()) {
      try {
        await inTime(e.dispose(), END_MS, 'it');
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

  /** Ends whoever uses it, then the plugin itself. */
  const takeDown = async (r: PluginRecord, how: string): Promise<void> => {
    // At once, since the rest takes its time: from here on nothing may start in it any more.
    r.state = 'failed';
    for (const d of dependants(r.name)) {
      if (!runs(d)) continue;
      await takeDown(d, 'failed');
      fail(d, `requires ${r.name}, which is ${how}`);
    }
    await dispose(r);
  };

  const registerOne = async (r: PluginRecord): Promise<void> => {
    const plugin = r.definition;
    if (plugin === null) return fail(r, 'could not be loaded; install it again, or restart Coffer to try once more');
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
    markLoading(r);
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
      await dispose(r);
      fail(r, describe(e));
      log.error('register failed', { plugin: r.name, stack: e instanceof Error ? e.stack : undefined });
    }
    clearLoading(r);
    r.registering = false;
    r.startMs = performance.now() - from;
  };

  const startOne = async (r: PluginRecord): Promise<void> => {
    if (!runs(r) || r.definition?.start === undefined) return;
    const from = performance.now();
    const { definition } = r;
    try {
      await loading(r, 'its start()', async () => definition.start?.(parts.view(r)));
    } catch (e) {
      // Disabled while it started: its end is known already.
      if (!runs(r)) return;
      await takeDown(r, 'failed');
      fail(r, describe(e));
      log.error('start failed', { plugin: r.name, stack: e instanceof Error ? e.stack : undefined });
    }
    r.startMs = (r.startMs ?? 0) + performance.now() - from;
  };

  /** Code of a plugin that may take its time, within limits. A mark that stays keeps a plugin that hangs out of the next start. */
  const loading = async <T>(r: PluginRecord, what: string, work: () => Promise<T>): Promise<T> => {
    markLoading(r);
    let hung = false;
    try {
      return await inTime(work(), LOAD_MS, what, parts.clock);
    } catch (e) {
      hung = e instanceof Late;
      throw hung ? new CofferError('PLUGIN_INVALID', (e as Late).message) : e;
    } finally {
      if (!hung) clearLoading(r);
    }
  };

  const importOne = async (r: PluginRecord): Promise<void> => {
    const { dir, manifest } = r;
    if (dir === null || manifest === null) return;
    try {
      const url = pathToFileURL(path.join(dir, manifest.plugin)).href;
      const module = await loading(r, 'the import of its module', () => import(url) as Promise<{ default?: unknown }>);
      if (!isPlugin(module.default))
        throw new CofferError('PLUGIN_INVALID', 'its module has no default export made with definePlugin()');
      if (module.default.name !== r.name)
        throw new CofferError(
          'PLUGIN_INVALID',
          `its package is called ${r.name} but its plugin ${module.default.name}: use one name`,
        );
      r.definition = shaped(module.default);
    } catch (e) {
      fail(r, describe(e));
    }
  };

  /** Those that need nothing first; `rest` are those in a circle and whoever needs them. */
  const ordered = (names: Iterable<string>): { done: PluginRecord[]; rest: Set<string> } => {
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
    return { done, rest };
  };

  const get = (name: string): PluginRecord => {
    const r = records.get(name);
    if (r === undefined)
      throw new CofferError('PLUGIN_NOT_FOUND', 'There is no plugin of that name. See: coffer plugin list');
    return r;
  };
  const dependants = (name: string): PluginRecord[] =>
    [...records.values()].filter((r) => (r.definition?.requires ?? []).includes(name));
  /** Whoever failed only because this one was missing gets another chance. */
  const revive = async (name: string): Promise<void> => {
    for (const d of dependants(name)) if (d.state === 'failed' && parts.isEnabled(d.name)) await host.enable(d.name);
  };

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
          records.set(name, r);
          try {
            r.definition = shaped(item.plugin);
          } catch (e) {
            fail(r, describe(e));
          }
        } else {
          const r = newRecord(item);
          records.set(name, r);
          if (wasLoading(r))
            fail(
              r,
              `its last load ended or hung the daemon; update it, remove it, or try again with: coffer plugin enable ${name}`,
            );
          else await importOne(r);
        }
        names.push(name);
      }
      const { done, rest } = ordered(names);
      for (const name of rest) fail(get(name), `is part of a circle of requirements: ${[...rest].join(', ')}`);
      for (const r of done) {
        if (r.state === 'failed') continue;
        if (!parts.isEnabled(r.name)) {
          r.state = 'disabled';
          r.note = 'disabled by the user';
        } else await registerOne(r);
      }
      parts.changed();
    },
    async start() {
      for (const r of ordered(records.keys()).done) await startOne(r);
      parts.changed();
    },
    async startPlugin(name) {
      await startOne(get(name));
      if (runs(get(name))) await revive(name);
      parts.changed();
    },
    async enable(name) {
      const r = get(name);
      parts.setEnabled(name, true);
      if (runs(r)) return r;
      // It could not be imported when the daemon started, or was left out because it once ended it.
      if (r.definition === null && r.dir !== null) await importOne(r);
      if (r.definition !== null || r.dir === null) await registerOne(r);
      await startOne(r);
      if (runs(r)) await revive(name);
      parts.changed();
      return r;
    },
    async disable(name) {
      const r = get(name);
      await takeDown(r, 'disabled');
      r.state = 'disabled';
      r.note = 'disabled by the user';
      parts.setEnabled(name, false);
      parts.changed();
      return r;
    },
    async forget(name) {
      const r = get(name);
      await takeDown(r, 'not installed');
      records.delete(name);
      parts.changed();
    },
    async stop() {
      await Promise.all(falling);
      const { done, rest } = ordered(records.keys());
      for (const r of [...[...rest].map(get), ...done.reverse()]) await dispose(r);
    },
  };
  return host;
}

/** What a plugin of another time may have otherwise, and the host reads before it runs anything of it. */
function shaped(plugin: Plugin): Plugin {
  const requires: unknown = plugin.requires ?? [];
  if (!Array.isArray(requires) || requires.some((n) => typeof n !== 'string'))
    throw new CofferError('PLUGIN_INVALID', 'its requires is no list of plugin names');
  return plugin;
}

/** Coffer's own words as they are; of a foreign error class and message, since plugin authors need it and arguments are not in it. */
function describe(e: unknown): string {
  if (isCofferError(e)) return e.message;
  return e instanceof Error ? `${className(e)}: ${e.message}`.slice(0, 300) : className(e);
}
