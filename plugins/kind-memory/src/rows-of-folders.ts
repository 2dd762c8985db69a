import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel } from '@coffer/kernel';
import { GLOBAL, type Stores } from './stores.js';

/** Gives every folder of facts that has no row one. */
export async function rowsOfFolders(kernel: Kernel, stores: Stores): Promise<void> {
  const memory = path.join(kernel.paths.home, 'memory');
  const names = await Promise.all([
    folders(memory).then((all) => all.filter((n) => n === GLOBAL)),
    folders(path.join(memory, 'projects')).then((all) => all.map((n) => `project-${n}`)),
  ]);
  for (const name of names.flat()) {
    try {
      await stores.forWriting(name, 'system');
    } catch (e) {
      kernel.log.warn('a folder in memory/ is no store', { folder: name, error: String(e) });
    }
  }
}

async function folders(of: string): Promise<string[]> {
  const entries = await readdir(of, { withFileTypes: true }).catch(() => []);
  return entries.filter((e) => e.isDirectory()).map((e) => e.name);
}
