import lockfile from 'proper-lockfile';
import { CofferError } from '../errors.js';
import type { Paths } from './types.js';

/**
 * Only one process starts a daemon or touches a stopped vault at a time. The lock of a process that died is taken over after
 * 5 s. Throws VAULT_BUSY after about 8 s, before whoever waits for the start gives up.
 */
export async function withVaultLock<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(paths.home, {
      lockfilePath: paths.lock,
      stale: 5000,
      update: 1000,
      realpath: false,
      // A process that slept through its own lock (a closed lid) must not be ended by a timer's exception.
      onCompromised: () => undefined,
      retries: { retries: 80, factor: 1, minTimeout: 100, maxTimeout: 100 },
    });
  } catch (e) {
    throw new CofferError(
      'VAULT_BUSY',
      `Another Coffer process is starting or working on ${paths.home}. Try again when it is done.`,
      { path: paths.lock },
      { cause: e },
    );
  }
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}
