/**
 * The gate before every route, `/mcp` included: loopback Host, own or absent Origin, then the token or a UI session.
 * Pure decisions; the server asks before it reads a body.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CofferError } from '../errors.js';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
export const SESSION_COOKIE = 'coffer_session';

/** Throws HOST_NOT_ALLOWED or ORIGIN_NOT_ALLOWED: a page of the web must not reach the daemon, by name tricks or directly. */
export function checkOrigin(headers: IncomingHttpHeaders): void {
  const host = headers.host ?? '';
  const hostname = host.replace(/:\d+$/, '');
  if (!LOOPBACK.has(hostname)) {
    throw new CofferError('HOST_NOT_ALLOWED', 'Coffer answers only to 127.0.0.1, localhost and [::1].');
  }
  const { origin } = headers;
  if (origin === undefined) return;
  // Ours means: the page was served by this very daemon, under the name and port that the request was sent to.
  if (origin !== `http://${host}`) {
    throw new CofferError('ORIGIN_NOT_ALLOWED', "Coffer accepts requests of web pages only from its own UI's address.");
  }
}

export interface Keys {
  token(): string;
  /** Is this a live session of the web UI? */
  session(id: string): boolean;
}

/** Throws UNAUTHENTICATED unless the request bears the token or, from our own page, a session cookie. */
export function checkToken(method: string, headers: IncomingHttpHeaders, keys: Keys): void {
  const given = headers['x-coffer-token'] ?? /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (typeof given === 'string') {
    if (same(given, keys.token())) return;
    throw unauthenticated();
  }
  const session = cookie(headers.cookie, SESSION_COOKIE);
  if (session === undefined || !keys.session(session)) throw unauthenticated();
  // SameSite keeps foreign pages out; a changing request must besides name our own page as its origin.
  if (method !== 'GET' && method !== 'HEAD' && headers.origin === undefined) throw unauthenticated();
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw unauthenticated();
}

function unauthenticated(): CofferError {
  return new CofferError(
    'UNAUTHENTICATED',
    'This request needs the daemon token in X-Coffer-Token (or Authorization: Bearer). It stands in daemon.json; a browser gets in with: coffer open',
  );
}

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
