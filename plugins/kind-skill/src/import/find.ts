/** Where skills lie: at the top, or one or two folders down. Pure over paths; a walk for real folders. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { SKILL_FILE } from '../config.js';
import { JUNK } from '../scan.js';

/** More skills than anybody would choose from, or folders than anybody would look into by hand. */
export const MOST_SKILLS = 500;
const MOST_FOLDERS = 10_000;

/** The folders (`''` is the top) of the skills among these paths. One within another belongs to it. */
export function skillFolders(paths: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const p of paths) {
    const parts = p.split('/');
    if (parts.at(-1) === SKILL_FILE && parts.length <= 3 && !parts.slice(0, -1).some((d) => JUNK.has(d)))
      found.add(parts.slice(0, -1).join('/'));
  }
  if (found.has('')) return [''];
  return [...found].filter((f) => !found.has(path.posix.dirname(f))).sort();
}

/** The same for a folder on disk; its links are not followed. */
export async function skillFoldersOf(root: string): Promise<string[]> {
  const paths: string[] = [];
  let looked = 0;
  const walk = async (relative: string, depth: number): Promise<void> => {
    if (++looked > MOST_FOLDERS) return;
    const entries = await readdir(path.join(root, relative), { withFileTypes: true }).catch((e: unknown) => {
      if (depth === 0) throw e;
      return [];
    });
    const here = (name: string): string => (relative === '' ? name : `${relative}/${name}`);
    if (entries.some((e) => e.name === SKILL_FILE)) return void paths.push(here(SKILL_FILE));
    if (depth === 2) return;
    for (const e of entries)
      if (e.isDirectory() && !JUNK.has(e.name) && e.name !== 'node_modules') await walk(here(e.name), depth + 1);
  };
  await walk('', 0);
  return skillFolders(paths);
}
