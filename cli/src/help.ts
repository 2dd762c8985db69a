import { Cli, type CommandClass } from 'clipanion';
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

/** The page of what was typed so far: one command in full, or the list of those that it may become. */
export function helpPage(words: readonly string[], classes: readonly CommandClass[]): string {
  const paths = classes.flatMap((c) =>
    c.usage === undefined ? [] : (c.paths ?? []).filter((p) => p[0] === words[0]).map((path) => ({ path, c })),
  );
  const exact = paths.find(({ path }) => path.every((w, i) => w === words[i]));
  if (exact !== undefined) return commandPage(exact.path, exact.c);
  const within = paths.filter(({ path }) => words.every((w, i) => path[i] === w));
  const listed = (within.length > 0 ? within : paths).map(
    ({ path, c }) => [`coffer ${path.join(' ')}`, c.usage?.description ?? ''] as const,
  );
  const width = Math.max(...listed.map(([name]) => name.length));
  const lines = listed.map(([name, about]) => `  ${bold(name.padEnd(width))}  ${about}`);
  return `${lines.join('\n')}\n\nAdd --help to a command to read more about it.\n`;
}

function commandPage(path: readonly string[], c: CommandClass): string {
  const [d] = Cli.from([c], { binaryName: 'coffer', enableColors: false }).definitions();
  const value = (text: string): string => text.replaceAll(/#\d+/g, 'VALUE');
  const options = (d?.options ?? []).map((o) => [value(o.definition), o.description ?? ''] as const);
  const width = Math.max(0, ...options.map(([name]) => name.length));
  const usage = value(d?.usage ?? '').replace(`coffer ${c.paths?.[0]?.join(' ')}`, `coffer ${path.join(' ')}`);
  const parts = [
    `${c.usage?.description ?? ''}.`,
    `Usage: ${bold(usage.replace(/ \.\.\.$/, ' [WORDS]'))}`,
    options.map(([name, about]) => `  ${name.padEnd(width)}  ${about.trim()}`).join('\n'),
    c.usage?.details?.replaceAll('`', '') ?? '',
    (c.usage?.examples ?? []).map(([about, line]) => `${about}:\n  ${line.replaceAll('$0', 'coffer')}`).join('\n'),
  ];
  return `${parts.filter((p) => p !== '').join('\n\n')}\n`;
}
