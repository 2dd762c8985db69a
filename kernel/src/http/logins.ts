/** How a browser gets in: a one-time code in the URL fragment, exchanged for a session cookie. The token never leaves the daemon. */
import { randomBytes } from 'node:crypto';
import { CofferError } from '../errors.js';
import type { Clock } from '../plugin/contract.js';

/** A code is good for this long, once. */
const CODE_MS = 60_000;
/** A session ends after this long without a request. */
const SESSION_MS = 12 * 3_600_000;

export interface Logins {
  issue(): string;
  /** Throws UNAUTHENTICATED for a code that is unknown, used or too old. */
  exchange(code: string): string;
  alive(session: string): boolean;
  end(session: string): void;
  /** Ends all, as a new token does. */
  clear(): void;
}

export function createLogins(clock: Clock): Logins {
  const codes = new Map<string, number>();
  const sessions = new Map<string, number>();
  const fresh = (map: Map<string, number>, key: string): boolean => {
    const until = map.get(key);
    if (until !== undefined && until > clock.now()) return true;
    map.delete(key);
    return false;
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
      sessions.set(session, clock.now() + SESSION_MS);
      return session;
    },
    alive(session) {
      if (!fresh(sessions, session)) return false;
      sessions.set(session, clock.now() + SESSION_MS);
      return true;
    },
    end: (session) => void sessions.delete(session),
    clear() {
      codes.clear();
      sessions.clear();
    },
  };
}
