/** Where agents live, and where none may. */
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CofferError, type Resource } from '@coffer/kernel';
import { configOf } from './config.js';
import type { AgentDefinition, AgentPlace } from './seam.js';

const SYSTEM = ['/etc', '/usr', '/bin', '/sbin', '/System', '/boot', '/dev', '/proc', '/sys', '/lib', '/lib64'];
const WINDOWS = /^[a-z]:\\(windows|program files|program files \(x86\)|programdata)(\\|$)/i;

export const usualDir = (definition: AgentDefinition): string => path.join(homedir(), definition.defaultDir);

/** A folder as a person writes it. Throws AGENT_INVALID unless it is absolute or begins with `~`. */
export function absoluteDir(given: string): string {
  const full = given === '~' || given.startsWith('~/') ? path.join(homedir(), given.slice(1)) : given;
  if (!path.isAbsolute(full)) throw invalid('The settings folder must be an absolute path, or begin with ~/.');
  return path.resolve(full);
}

export function placeOf(agent: Pick<Resource, 'name' | 'config'>, definition: AgentDefinition): AgentPlace {
  const usual = usualDir(definition);
  const dir = configOf(agent).config_dir ?? usual;
  return { name: agent.name, dir, usual: same(dir, usual), home: homedir() };
}

/** Throws AGENT_INVALID for folders of the system, through links too; before anything is made. */
export function refuseSystemDir(dir: string): void {
  for (const at of [path.resolve(dir), nearest(dir)])
    if (SYSTEM.some((s) => at === s || at.startsWith(`${s}/`)) || at === '/' || WINDOWS.test(at))
      throw invalid('That folder belongs to the system. Choose one of your own.');
}

/** Makes the folder's part for skills, and with it the folder. Throws AGENT_INVALID when it is none, or cannot be written. */
export function prepareDir(dir: string, folders: readonly string[]): void {
  try {
    for (const folder of [dir, ...folders]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!statSync(dir).isDirectory()) throw invalid('The settings folder is no folder.');
    accessSync(dir, constants.W_OK);
  } catch (e) {
    if (e instanceof CofferError) throw e;
    const { code } = e as NodeJS.ErrnoException;
    throw invalid(
      code === 'EEXIST' || code === 'ENOTDIR'
        ? 'The settings folder is no folder, or one above it is a file.'
        : `The settings folder cannot be written (${code}).`,
      e,
    );
  }
}

/** Do two paths lead to one folder? */
export function same(a: string, b: string): boolean {
  return nearest(a) === nearest(b);
}

/** The path with the links of what exists of it followed. */
function nearest(dir: string): string {
  const full = path.resolve(dir);
  try {
    return realpathSync(full);
  } catch {
    const up = path.dirname(full);
    return up === full ? full : path.join(nearest(up), path.basename(full));
  }
}

function invalid(message: string, cause?: unknown): CofferError {
  return new CofferError('AGENT_INVALID', message, { path: '/config_dir' }, { cause });
}
