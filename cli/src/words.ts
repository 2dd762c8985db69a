/** What may follow the words typed so far, for the shells' completion. */
import { Cli } from 'clipanion';
import { GROUPS, loadGroup } from './groups.js';
import { pluginGroups } from './plugin-groups.js';
import type { Commands } from './toolkit.js';

/** The words that may come next: a group, a command of it, or a flag. */
export async function wordsAfter([group, ...typed]: readonly string[]): Promise<string[]> {
  if (group === undefined) return [...Object.keys(GROUPS), ...pluginGroups().map((g) => g.group)];
  const classes = (await loadGroup(group)) ?? [];
  const words = [group, ...typed.filter((w) => !w.startsWith('-'))];
  const next = new Set<string>();
  for (const c of classes) {
    for (const path of c.usage === undefined ? [] : (c.paths ?? [])) {
      const word = path[words.length];
      if (word !== undefined && words.every((w, i) => path[i] === w)) next.add(word);
      else if (path.every((p, i) => words[i] === p)) flagsOf(c).forEach((f) => next.add(f));
    }
  }
  return [...next];
}

function flagsOf(c: Commands[number]): string[] {
  const [definition] = Cli.from([c], { binaryName: 'coffer' }).definitions();
  return definition?.options.flatMap((o) => /--[\w-]+/.exec(o.definition)?.[0] ?? []) ?? [];
}
