import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Colours are for people. */
const PLAIN = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' };

/**
 * Runs a program in the repository with nothing on its stdin and its output on ours. Resolves to its exit code, or to a word for
 * how else it ended. `overdue` is asked each second; once it says so, the program is killed.
 */
export function run(command, args, env = {}, overdue = () => false) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...PLAIN, ...env },
      // npm is a .cmd on Windows
      shell: process.platform === 'win32' && command === 'npm',
    });
    let killed = false;
    const timer = setInterval(() => {
      if (!overdue()) return;
      killed = true;
      child.kill('SIGKILL');
    }, 1000);
    child.on('error', (e) => (clearInterval(timer), reject(e)));
    child.on('close', (code, signal) => {
      clearInterval(timer);
      resolve(killed ? 'overdue' : (signal ?? code));
    });
  });
}

/** The script behind a package's command, to be run with node: works without `npx` and on every system. */
export function bin(name, command = name) {
  const manifest = createRequire(import.meta.url).resolve(`${ROOT}node_modules/${name}/package.json`);
  const { bin: entry } = createRequire(import.meta.url)(manifest);
  return join(dirname(manifest), typeof entry === 'string' ? entry : entry[command]);
}

export const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
