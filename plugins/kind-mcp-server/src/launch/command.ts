import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

export interface Lookup {
  /** Directories to search, as PATH has them. */
  path: string;
  /** Where a relative command (`./run`) starts from. */
  cwd: string;
  home: string;
  platform?: NodeJS.Platform;
  /** PATHEXT on Windows. */
  extensions?: string;
}

/** The absolute file behind a configured command, or undefined. Starts nothing. */
export function findCommand(command: string, at: Lookup): string | undefined {
  const windows = (at.platform ?? process.platform) === 'win32';
  const rules = windows ? path.win32 : path.posix;
  const named = command.startsWith('~/') ? rules.join(at.home, command.slice(2)) : command;
  const endings = windows ? withExtensions(named, at.extensions ?? '.COM;.EXE;.BAT;.CMD') : [''];
  const bases =
    named.includes('/') || (windows && named.includes('\\'))
      ? [rules.resolve(at.cwd, named)]
      : at.path
          .split(windows ? ';' : ':')
          .filter((dir) => dir !== '')
          .map((dir) => rules.join(dir, named));
  for (const base of bases) for (const ending of endings) if (runnable(base + ending, windows)) return base + ending;
  return undefined;
}

/** A command that names its extension is taken as it is; `npx` alone means npx.cmd and its like, never the shell script beside it. */
function withExtensions(command: string, extensions: string): string[] {
  const known = extensions.split(';').filter((e) => e !== '');
  return known.some((e) => command.toUpperCase().endsWith(e.toUpperCase())) ? [''] : known;
}

function runnable(file: string, windows: boolean): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    if (!windows) accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Is this the PATH of a program that was started from a desktop and not from the owner's shell? */
export function isPoor(searched: string, has: (command: string) => boolean): boolean {
  const system = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']);
  const onlySystem = searched.split(':').every((dir) => dir === '' || system.has(dir));
  return onlySystem || !has('node') || !has('npx');
}

/** `first` and then what `more` adds to it. */
export function mergePaths(first: string, more: string): string {
  return [...new Set([...first.split(':'), ...more.split(':')])].filter((dir) => dir !== '').join(':');
}
