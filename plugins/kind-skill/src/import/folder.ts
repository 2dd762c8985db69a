import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CofferError } from '@coffer/kernel';
import { scan } from '../scan.js';
import { copyEntries } from './copy.js';
import { skillFoldersOf } from './find.js';
import type { Candidate, Unpacked } from './stages.js';

/** An absolute path, or one from the home folder. */
export function absolute(given: string): string {
  const full = given === '~' || given.startsWith('~/') ? path.join(homedir(), given.slice(1)) : given;
  if (!path.isAbsolute(full) || full.includes('\0'))
    throw new CofferError('BAD_REQUEST', 'Give an absolute path, or one that begins with ~/.');
  return path.resolve(full);
}

/** Skills of a folder, each copied into the stage. */
export async function fromFolder(given: string, dir: string): Promise<Unpacked> {
  const root = absolute(given);
  let folders: string[];
  try {
    if (!(await stat(root)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    folders = await skillFoldersOf(root);
  } catch (e) {
    const { code = 'error' } = e as NodeJS.ErrnoException;
    throw new CofferError('SKILL_SOURCE_FAILED', `The folder cannot be read (${code}).`, { path: root });
  }
  const candidates: Candidate[] = [];
  for (const [i, folder] of folders.entries()) {
    const from = path.join(root, folder);
    const found = await scan(from);
    const at = path.join(dir, String(i));
    const problem = found.problem ?? (await copyEntries(from, found.entries, at));
    candidates.push(problem === undefined ? { folder, at } : { folder, problem });
  }
  return { candidates, label: root, sourceOf: (folder) => ({ type: 'folder', path: path.join(root, folder) }) };
}
