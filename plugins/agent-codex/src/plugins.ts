import { existsSync } from 'node:fs';
import path from 'node:path';
import { isObj } from '@coffer/kernel';
import type { AgentPlace, NativePlugin, PluginsFacet } from '@coffer/kind-agent';

const config = ({ dir }: AgentPlace): string => path.join(dir, 'config.toml');

/** Each is a table of the config, as `plugins."name@marketplace"`; its files are in a cache. */
export const plugins: PluginsFacet = {
  list(place, read) {
    const tables: unknown = read('toml', config(place))?.['plugins'];
    if (!isObj(tables)) return [];
    return Object.entries(tables).map(([id, table]): NativePlugin => {
      const [name = id, marketplace] = id.split('@');
      const cache = path.join(place.dir, 'plugins', 'cache', marketplace ?? '', name);
      return {
        id,
        name,
        marketplace: marketplace ?? null,
        version: null,
        enabled: !isObj(table) || table['enabled'] !== false,
        problem: existsSync(cache) ? null : 'Its files are missing.',
      };
    });
  },
  toggle: { key: 'config', format: 'toml', file: config, path: (id) => ['plugins', id, 'enabled'] },
  uninstall: (id) => ['plugin', 'remove', id],
};
