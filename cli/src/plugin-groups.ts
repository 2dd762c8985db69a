/** Command groups of plugins, by their manifests; a module is loaded only when one of its groups is named. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from './failure.js';
import { home } from './home.js';
import { bundledPlugins } from './product.js';
import { toolkit, type CliModule, type Commands } from './toolkit.js';

export interface PluginGroup {
  group: string;
  plugin: string;
  module: string;
}

/** Bundled ones win, then in the order of names. A manifest that cannot be read is the daemon's to complain about. */
export function pluginGroups(): PluginGroup[] {
  const installed = join(home(), 'plugins');
  const folders = [...subfolders(bundledPlugins()), ...subfolders(installed).flatMap((d) => subfolders(d).slice(-1))];
  const groups = new Map<string, PluginGroup>();
  for (const folder of folders) {
    for (const g of groupsOf(folder)) if (!groups.has(g.group)) groups.set(g.group, g);
  }
  return [...groups.values()];
}

export async function loadPluginGroup(group: string): Promise<Commands | undefined> {
  const found = pluginGroups().find((g) => g.group === group);
  if (found === undefined) return undefined;
  let module: CliModule;
  try {
    module = (await import(pathToFileURL(found.module).href)) as CliModule;
  } catch (e) {
    throw new Failure(
      'PLUGIN_INVALID',
      `the commands of plugin ${found.plugin} cannot be loaded: ${e instanceof Error ? e.message : String(e)}`,
      { status: 422 },
    );
  }
  if (typeof module.default !== 'function')
    throw new Failure('PLUGIN_INVALID', `the CLI module of plugin ${found.plugin} has no default function.`, {
      status: 422,
    });
  return module.default(toolkit);
}

function groupsOf(folder: string): PluginGroup[] {
  try {
    const { name, coffer } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      coffer?: { cli?: { module?: unknown; groups?: unknown } };
    };
    const cli = coffer?.cli;
    if (typeof cli?.module !== 'string' || !Array.isArray(cli.groups)) return [];
    const module = join(folder, cli.module);
    return cli.groups
      .filter((g) => typeof g === 'string')
      .map((group) => ({ group, plugin: name.replace(/^@[^/]+\//, ''), module }));
  } catch {
    return [];
  }
}

function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((e) => e.isDirectory() && !e.name.startsWith('.') && e.name !== 'node_modules')
    .map((e) => join(folder, e.name))
    .sort();
}
