import { makeFolder } from './files.js';
import path from 'node:path';
import { CofferError } from '../errors.js';
import type { Paths } from './types.js';

export function pathsOf(home: string): Paths {
  const at = (...parts: string[]): string => path.join(home, ...parts);
  return {
    home,
    db: at('coffer.db'),
    discovery: at('daemon.json'),
    lock: at('daemon.lock'),
    masterKey: at('master.key'),
    logs: at('logs'),
    plugins: at('plugins'),
    upstreamPids: at('upstream-pids'),
    workspace: at('workspace'),
  };
}

/** Makes the home, for its owner only. Throws VAULT_UNWRITABLE with the path and the system's reason. */
export function ensureHome(paths: Paths): void {
  for (const dir of [paths.home, paths.logs, paths.upstreamPids]) {
    try {
      makeFolder(dir);
    } catch (e) {
      throw unwritable(dir, e);
    }
  }
}

export function unwritable(where: string, cause: unknown): CofferError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'error';
  return new CofferError(
    'VAULT_UNWRITABLE',
    `Cannot write ${where} (${code}). Make the folder writable for this user, or set COFFER_HOME to another one.`,
    { path: where },
    { cause },
  );
}
