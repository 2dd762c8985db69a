/** The first word of a command line and the modules behind it: only what is named is loaded. */
import { loadPluginGroup } from './plugin-groups.js';
import type { Commands } from './toolkit.js';

type Load = () => Promise<{ default: Commands }>;

export interface Group {
  about: string;
  load: readonly Load[];
}

const kinds: Load = () => import('./commands/kinds.js');
const scope: Load = () => import('./commands/scope.js');

/** In the order in which help lists them. */
export const GROUPS: Readonly<Record<string, Group>> = {
  up: {
    about: 'Start Coffer, register a demo on an empty vault, show how to connect a client',
    load: [() => import('./commands/up.js')],
  },
  open: { about: 'Open the web UI', load: [() => import('./commands/open.js')] },
  doctor: { about: 'Check this installation and say what to do', load: [() => import('./commands/doctor.js')] },
  daemon: {
    about: 'The daemon: start, stop, status, restart, rotate-token, logs',
    load: [() => import('./commands/daemon.js')],
  },
  resource: { about: 'Resources of any kind', load: [() => import('./commands/resource.js'), kinds, scope] },
  kinds: { about: 'Kinds of resources', load: [kinds] },
  scope: { about: 'Which machines and agents see a resource', load: [scope] },
  credentials: { about: 'Secrets, encrypted in the vault', load: [() => import('./commands/credentials.js')] },
  plugin: { about: 'Plugins: list, add, remove, write a new one', load: [() => import('./commands/plugin.js')] },
  audit: { about: 'What was changed, when and by whom', load: [() => import('./commands/audit.js')] },
  retention: { about: 'How long logs are kept', load: [() => import('./commands/retention.js')] },
  machines: { about: 'Machines that scopes can name', load: [() => import('./commands/machines.js')] },
  backup: { about: 'Write a backup of the vault', load: [() => import('./commands/backup.js')] },
  restore: { about: 'Put a backup in place of the vault', load: [() => import('./commands/backup.js')] },
  completion: { about: 'Completion for bash, zsh and fish', load: [() => import('./commands/completion.js')] },
};

/** The command classes of a group, Coffer's own or a plugin's; undefined when there is no such group. */
export async function loadGroup(name: string): Promise<Commands | undefined> {
  const own = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  if (own === undefined) return loadPluginGroup(name);
  const modules = await Promise.all(own.load.map((load) => load()));
  return modules.flatMap((m) => m.default).filter((c) => c.paths?.some((p) => p[0] === name));
}
