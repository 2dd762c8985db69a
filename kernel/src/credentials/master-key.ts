/** Where the master key lives: a 0600 file beside the database, or the keychain of the system. Exactly one home is active. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CofferError, className } from '../errors.js';
import { writeAtomic } from '../vault/files.js';
import type { Logger } from '../plugin/contract.js';
import { fernet } from './fernet.js';

export type KeyHome = 'file' | 'keychain';

/** The keychain of the operating system, for one entry. Throws when there is none or it is locked. */
export interface Keychain {
  get(): string | null;
  set(key: string): void;
  remove(): void;
}

/** Service `coffer`, entry `master-key`; loaded only when asked for, since the module is native and optional. */
export function systemKeychain(): Keychain {
  const load = (): { getPassword(): string | null; setPassword(v: string): void; deletePassword(): boolean } => {
    const { Entry } = createRequire(import.meta.url)('@napi-rs/keyring') as typeof import('@napi-rs/keyring');
    return new Entry('coffer', 'master-key');
  };
  return {
    get: () => load().getPassword(),
    set: (key) => load().setPassword(key),
    remove: () => void load().deletePassword(),
  };
}

export interface MasterKeys {
  /** The key, or undefined when neither home has one. Looks at the file first. Throws MASTER_KEY_WRONG for a file that holds no key. */
  read(home: KeyHome): string | undefined;
  write(home: KeyHome, key: string): void;
  remove(home: KeyHome): void;
}

export function masterKeys(file: string, keychain: Keychain, log: Logger): MasterKeys {
  const fromKeychain = (): string | undefined => {
    try {
      return keychain.get() ?? undefined;
    } catch (e) {
      throw new CofferError(
        'KEYCHAIN_UNAVAILABLE',
        `The system keychain did not answer (${className(e)}). Unlock it, or put the master key back into ${file}.`,
        {},
        { cause: e },
      );
    }
  };
  return {
    read(home) {
      if (existsSync(file)) {
        const mode = statSync(file).mode & 0o777;
        if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
          log.warn('master.key was readable by others; its mode is now 0600', { mode: mode.toString(8) });
          chmodSync(file, 0o600);
        }
        return checked(readFileSync(file, 'utf8').trim(), file);
      }
      if (home !== 'keychain') return undefined;
      const key = fromKeychain();
      return key === undefined ? undefined : checked(key, 'the keychain entry coffer/master-key');
    },
    write(home, key) {
      if (home === 'file') return writeAtomic(file, key + '\n', 0o600);
      try {
        keychain.set(key);
      } catch (e) {
        throw new CofferError(
          'KEYCHAIN_UNAVAILABLE',
          `The system keychain refused the key (${className(e)}). The key stays where it was.`,
          {},
          { cause: e },
        );
      }
    },
    remove(home) {
      if (home === 'file') rmSync(file, { force: true });
      else keychain.remove();
    },
  };
}

function checked(key: string, where: string): string {
  try {
    fernet(key);
    return key;
  } catch (e) {
    throw new CofferError(
      'MASTER_KEY_WRONG',
      `${where} does not hold a master key. Put the right key there (from a backup made with --include-master-key).`,
      { where },
      { cause: e },
    );
  }
}
