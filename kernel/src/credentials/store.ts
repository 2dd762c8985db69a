/** Credentials: Fernet ciphertext in a table, plaintext only between decrypt and use. */
import { CofferError } from '../errors.js';
import { iso } from '../clock.js';
import type { Audit } from '../journal/types.js';
import type { Clock, Credentials } from '../plugin/contract.js';
import type { Actor } from '../resources/types.js';
import type { Db } from '../vault/database.js';
import type { Settings } from '../vault/settings.js';
import { fernet, newKey, type Fernet } from './fernet.js';
import type { KeyHome, MasterKeys } from './master-key.js';

/** Segments of letters, digits and `_.-`, joined by `/`; at most 200 characters. */
export const REF_PATTERN = '^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$';
export const MAX_VALUE = 8192;

export interface CredentialStore extends Credentials {
  /** Audited. */
  read(ref: string, actor: Actor): string;
  list(): { ref: string; updated_at: string; locked: boolean }[];
  home(): KeyHome;
  relocate(to: KeyHome, actor: Actor): void;
  /** Refs whose ciphertext the key does not open. */
  locked(): string[];
}

interface Deps {
  db: Db;
  settings: Settings;
  keys: MasterKeys;
  audit: Audit;
  clock: Clock;
  keyFile: string;
  /** Who cites a ref; removal is refused while somebody does. */
  citedBy: (ref: string) => readonly string[];
}

/** Throws MASTER_KEY_MISSING when there is ciphertext and no key: never a silent new key. */
export function openCredentials({ db, settings, keys, audit, clock, keyFile, citedBy }: Deps): CredentialStore {
  const all = db.prepare('SELECT ref, token, updated_at FROM credentials ORDER BY ref');
  const one = db.prepare('SELECT token FROM credentials WHERE ref = ?');
  const upsert = db.prepare(
    'INSERT INTO credentials (ref, token, created_at, updated_at) VALUES (@ref, @token, @now, @now) ON CONFLICT (ref) DO UPDATE SET token = @token, updated_at = @now',
  );
  const drop = db.prepare('DELETE FROM credentials WHERE ref = ?');
  type Row = { ref: string; token: string; updated_at: string };

  const home = (): KeyHome => settings.get<KeyHome>('master_key_storage') ?? 'file';
  let box: Fernet | undefined;
  const key = keys.read(home());
  if (key !== undefined) box = fernet(key);
  else if (all.all().length > 0) {
    throw new CofferError(
      'MASTER_KEY_MISSING',
      `The vault holds credentials but their master key is gone. Put it back at ${keyFile} (mode 0600), for example from a backup made with --include-master-key.`,
      { path: keyFile },
    );
  }

  const opens = (token: string): boolean => {
    try {
      box?.decrypt(token);
      return box !== undefined;
    } catch {
      return false;
    }
  };
  const decrypt = (ref: string, token: string): string => {
    try {
      if (box === undefined) throw new Error('no key');
      return box.decrypt(token);
    } catch (e) {
      throw new CofferError(
        'CREDENTIAL_LOCKED',
        `The master key does not open credential ${ref}. Put the right key at ${keyFile}, or set the credential again: coffer credentials set ${ref}`,
        { ref },
        { cause: e },
      );
    }
  };
  const reveal = (ref: string): string => {
    const row = one.get(ref) as { token: string } | undefined;
    if (row === undefined) throw missing(ref);
    return decrypt(ref, row.token);
  };
  const locked = (): string[] => (all.all() as Row[]).filter((r) => !opens(r.token)).map((r) => r.ref);

  return {
    has: (ref) => one.get(ref) !== undefined,
    reveal,
    set(ref, value, actor) {
      if (box === undefined) {
        const fresh = newKey();
        keys.write(home(), fresh);
        box = fernet(fresh);
      } else {
        // A new secret under a key that does not open the old ones would split the vault in two.
        const others = (all.all() as Row[]).filter((r) => r.ref !== ref);
        if (others.length > 0 && !others.some((r) => opens(r.token))) {
          throw new CofferError(
            'MASTER_KEY_WRONG',
            `The master key at ${keyFile} opens none of the stored credentials. Put the right key there first.`,
            { path: keyFile },
          );
        }
      }
      const token = box.encrypt(value);
      db.transaction(() => {
        upsert.run({ ref, token, now: iso(clock) });
        audit.write({ event_type: 'credential_set', actor, details: { ref } });
      })();
    },
    read(ref, actor) {
      const value = reveal(ref);
      audit.write({ event_type: 'credential_read', actor, details: { ref } });
      return value;
    },
    remove(ref, actor) {
      const by = citedBy(ref);
      if (by.length > 0)
        throw new CofferError(
          'CREDENTIAL_IN_USE',
          `Credential ${ref} is used by ${by.join(', ')}. Change or delete them first.`,
          { ref, cited_by: by },
        );
      db.transaction(() => {
        if (drop.run(ref).changes > 0) audit.write({ event_type: 'credential_deleted', actor, details: { ref } });
      })();
    },
    list: () => (all.all() as Row[]).map((r) => ({ ref: r.ref, updated_at: r.updated_at, locked: !opens(r.token) })),
    home,
    relocate(to, actor) {
      const from = home();
      if (to === from) return;
      const current = keys.read(from);
      // The old copy goes last: a failure on the way leaves the key where it was.
      if (current !== undefined) keys.write(to, current);
      db.transaction(() => {
        settings.set('master_key_storage', to);
        audit.write({ event_type: 'master_key_relocated', actor, details: { from, to } });
      })();
      if (current !== undefined) keys.remove(from);
    },
    locked,
  };
}

export function missing(ref: string): CofferError {
  return new CofferError(
    'CREDENTIAL_MISSING',
    `There is no credential ${ref}. Store it first: coffer credentials set ${ref}`,
    { ref },
  );
}
