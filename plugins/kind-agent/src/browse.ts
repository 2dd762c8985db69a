/** Folders of this machine, for whoever chooses one on a page. Names only. */
import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CofferError } from '@coffer/kernel';
import { absoluteDir } from './places.js';

const MOST = 1000;

export interface Browsed {
  path: string;
  parent: string | null;
  home: string;
  folders: { name: string; path: string }[];
}

/** Throws AGENT_INVALID for a relative path, NOT_FOUND for what is no folder or cannot be looked into. */
export function browse(given: string | undefined): Browsed {
  const at = given === undefined || given === '' ? homedir() : absoluteDir(given);
  try {
    const folders = readdirSync(at, { withFileTypes: true })
      .filter((e) => e.isDirectory() || (e.isSymbolicLink() && isFolder(path.join(at, e.name))))
      .map((e) => ({ name: e.name, path: path.join(at, e.name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, MOST);
    return { path: at, parent: path.dirname(at) === at ? null : path.dirname(at), home: homedir(), folders };
  } catch (e) {
    throw new CofferError('NOT_FOUND', 'That is no folder that can be looked into.', {}, { cause: e });
  }
}

function isFolder(at: string): boolean {
  try {
    return statSync(at).isDirectory();
  } catch {
    return false;
  }
}
