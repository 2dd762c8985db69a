import { existsSync } from 'node:fs';
import path from 'node:path';
import { isObj } from '@coffer/kernel';
import type { AgentPlace, NativePlugin, PluginsFacet } from '@coffer/kind-agent';

const settings = ({ dir }: AgentPlace): string => path.join(dir, 'settings.json');

/** Installed ones are in a register of its own, each as `name@marketplace`; the switch of each is in the settings. */
export const plugins: PluginsFacet = {
  list(place, read) {
    const register = read('json', path.join(place.dir, 'plugins', 'installed_plugins.json'));
    const installed: unknown = register?.['plugins'];
    const enabled: unknown = read('json', settings(place))?.['enabledPlugins'];
    if (!isObj(installed)) return [];
    return Object.entries(installed).map(([id, entry]): NativePlugin => {
      // One entry for each place it is installed for; older registers have the entry itself.
      const first: unknown = Array.isArray(entry) ? entry[0] : entry;
      const at: unknown = isObj(first) ? first['installPath'] : undefined;
      const version: unknown = isObj(first) ? first['version'] : undefined;
      const [name = id, marketplace] = id.split('@');
      return {
        id,
        name,
        marketplace: marketplace ?? null,
        version: typeof version === 'string' ? version : null,
        enabled: isObj(enabled) && enabled[id] === true,
        problem: typeof at === 'string' && !existsSync(at) ? 'Its files are missing.' : null,
      };
    });
  },
  toggle: { key: 'settings', format: 'json', file: settings, path: (id) => ['enabledPlugins', id] },
  uninstall: (id) => ['plugin', 'uninstall', id],
};
