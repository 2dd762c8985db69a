import { Command, type CommandClass } from 'clipanion';
import { GROUPS } from './groups.js';
import { pluginGroups } from './plugin-groups.js';
import { version } from './product.js';
import { bold } from './text.js';

/** The first page: groups only, none of them loaded. */
export function overview(): string {
  const own = Object.entries(GROUPS).map(([name, g]) => [name, g.about] as const);
  const others = pluginGroups()
    .filter((g) => !Object.hasOwn(GROUPS, g.group))
    .map((g) => [g.group, `Commands of plugin ${g.plugin}`] as const);
  const width = Math.max(...[...own, ...others].map(([name]) => name.length));
  const lines = [...own, ...others].map(([name, about]) => `  ${bold(name.padEnd(width))}  ${about}`);
  return `${bold(`coffer ${version()}`)}

Usage: coffer <group> <command> [arguments]

${lines.join('\n')}

Every command takes --json for programs and --verbose for more about a failure.
coffer <group> --help lists the commands of a group; coffer up is the place to begin.
`;
}

/** The page of one group. */
export function groupPage(name: string, classes: readonly CommandClass[]): string {
  const listed = classes.flatMap((c) => (c.usage === undefined ? [] : [{ path: pathIn(name, c), about: c.usage.description ?? '' }]));
  const width = Math.max(...listed.map((l) => l.path.length));
  const lines = listed.map((l) => `  ${bold(`coffer ${l.path}`.padEnd(width + 7))}  ${l.about}`);
  return `${lines.join('\n')}\n\ncoffer <command> --help says more about each.\n`;
}

function pathIn(group: string, c: CommandClass): string {
  return (c.paths ?? [Command.Default]).find((p) => p[0] === group)?.join(' ') ?? '';
}
