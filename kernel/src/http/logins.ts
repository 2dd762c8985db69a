/** How a browser gets in: a one-time code in the URL fragment, exchanged for a session cookie. The token never leaves the daemon. */
import { createHash, randomBytes } from 'node:crypto';
import { CofferError } from '../errors.js';
import type { Clock } from '../plugin/contract.js';

/** A code is good for this long, once. */
const CODE_MS = 60_000;
/** A session ends after this long without a request. */
const SESSION_MS = 12 * 3_600_000;
/** How much of a session's life may be lost when the daemon ends without a word. */
const SAVE_MS = 600_000;

export interface Logins {
  issue(): string;
  /** Throws UNAUTHENTICATED for a code that is unknown, used or too old. */
  exchange(code: string): string;
  alive(session: string): boolean;
  end(session: string): void;
  /** Ends all, as a new token does. */
  clear(): void;
}

/** Where sessions outlive the daemon: hashes and times, from which no session can be made. */
export interface SessionMemory {
  load(): Readonly<Record<string, number>> | undefined;
  save(sessions: Readonly<Record<string, number>>): void;
}

export function createLogins(clock: Clock, memory?: SessionMemory): Logins {
  const codes = new Map<string, number>();
  const sessions = new Map<string, number>(Object.entries(memory?.load() ?? {}));
  const fresh = (map: Map<string, number>, key: string): boolean => {
    const until = map.get(key);
    if (until !== undefined && until > clock.now()) return true;
    map.delete(key);
    return false;
  };
  const saved = new Map(sessions);
  const save = (): void => {
    for (const key of sessions.keys()) fresh(sessions, key);
    for (const key of saved.keys()) if (!sessions.has(key)) saved.delete(key);
    memory?.save(Object.fromEntries(sessions));
  };
  const prolong = (key: string): void => {
    const until = clock.now() + SESSION_MS;
    sessions.set(key, until);
    if (until - (saved.get(key) ?? 0) < SAVE_MS) return;
    saved.set(key, until);
    save();
  };
  return {
    issue() {
      for (const code of codes.keys()) fresh(codes, code);
      const code = randomBytes(24).toString('base64url');
      codes.set(code, clock.now() + CODE_MS);
      return code;
    },
    exchange(code) {
      const good = fresh(codes, code);
      codes.delete(code);
      if (!good)
        throw new CofferError(
          'UNAUTHENTICATED',
          'This login link was used already or is older than a minute. Get a new one with: coffer open',
        );
      const session = randomBytes(32).toString('base64url');
      prolong(hash(session));
      return session;
    },
    alive(session) {
      const key = hash(session);
      if (!fresh(sessions, key)) return false;
      prolong(key);
      return true;
    },
    end(session) {
      sessions.delete(hash(session));
      save();
    },
    clear() {
      codes.clear();
      sessions.clear();
      saved.clear();
      save();
    },
  };
}

function hash(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}
