/** The owner's own programs, as the owner would start them: found on the owner's PATH, in the owner's environment, less what is Coffer's. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A login shell that asks something or hangs must not hold anybody up for long. */
const SHELL_MS = 4000;
const MARK = '__coffer_path__';
const windows = process.platform === 'win32';

let login: Promise<string> | undefined;

/** The absolute file behind the name of a program; undefined when there is none. Starts nothing but, once, the login shell to ask its PATH. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const own = onPath(name, pathOf(env));
  if (own !== undefined || windows) return own;
  return onPath(name, await loginPath(env));
}

/** What such a program gets to see: everything of the owner's, nothing of Coffer's. `PATH` is that of the login shell too. */
export async function ownerEnvironment(env: NodeJS.ProcessEnv = process.env): Promise<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('COFFER_'),
  );
  const all = Object.fromEntries(kept);
  if (windows) return all;
  const dirs = [...pathOf(env).split(':'), ...(await loginPath(env)).split(':')].filter((dir) => dir !== '');
  return { ...all, PATH: [...new Set(dirs)].join(':') };
}

function pathOf(env: NodeJS.ProcessEnv): string {
  const name = windows ? Object.keys(env).find((n) => n.toUpperCase() === 'PATH') : 'PATH';
  return env[name ?? 'PATH'] ?? '';
}

function onPath(name: string, dirs: string): string | undefined {
  const endings = windows ? ['.exe', '.cmd', '.bat', '.com'] : [''];
  for (const dir of dirs.split(path.delimiter))
    for (const ending of endings) {
      const file = path.join(dir, name + ending);
      if (path.isAbsolute(dir) && runnable(file)) return file;
    }
  return undefined;
}

function runnable(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    if (!windows) accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A daemon that was started from a desktop knows little of where its owner keeps programs. Asked once; empty when the shell does not say. */
function loginPath(env: NodeJS.ProcessEnv): Promise<string> {
  return (login ??= new Promise((resolve) => {
    const shell = env['SHELL'] ?? os.userInfo().shell ?? '/bin/sh';
    const plain = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COFFER_')));
    const child = execFile(
      shell,
      ['-lc', `printf '${MARK}%s${MARK}' "$PATH"`],
      { env: plain, timeout: SHELL_MS, killSignal: 'SIGKILL', maxBuffer: 1 << 20 },
      (error, stdout) => resolve(error === null ? (stdout.split(MARK)[1] ?? '') : ''),
    );
    child.stdin?.end();
  }));
}
