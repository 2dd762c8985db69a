/** Where an agent works. */
import { mkdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CofferError, type Obj } from '@coffer/kernel';

/**
 * The folder a config names, else the workspace of the vault, made on first use. Throws AGENT_CONFIG_REJECTED for what is no
 * folder; its name is not repeated, since a path may tell more than is wanted in a log.
 */
export function folderOf(config: Obj, workspace: string): string {
  const given: unknown = config.cwd;
  if (given === undefined || given === null || given === '') {
    mkdirSync(workspace, { recursive: true, mode: 0o700 });
    return workspace;
  }
  if (typeof given !== 'string') throw rejected('must be text');
  const full = given === '~' || given.startsWith('~/') ? path.join(os.homedir(), given.slice(1)) : given;
  if (!path.isAbsolute(full)) throw rejected('must be an absolute path, or begin with ~/');
  if (full.includes('\0')) throw rejected('is no path');
  let folder;
  try {
    folder = statSync(full);
  } catch (e) {
    const code = (e as NodeJS.ErrnoException).code;
    throw rejected(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'error'})`);
  }
  if (!folder.isDirectory()) throw rejected('is a file, not a folder');
  return full;
}

function rejected(why: string): CofferError {
  return new CofferError('AGENT_CONFIG_REJECTED', `The working folder ${why}. Choose one that exists.`, {
    problems: [{ pointer: '/cwd', message: why }],
  });
}
