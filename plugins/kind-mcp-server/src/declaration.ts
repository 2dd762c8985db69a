import type { Exchange } from '@coffer/kernel';
import { digest } from './config.js';
import { declared } from './wire/handshake.js';

/** What a server of the older era hears of its client at the start; calls with the same can share a connection. */
export function declarationOf(x: Exchange): string {
  const text = JSON.stringify(declared(x));
  let known = digests.get(text);
  if (known === undefined) {
    known = digest(declared(x));
    if (digests.size >= MOST) digests.clear();
    digests.set(text, known);
  }
  return known;
}

/** Asked for with each call of a client without a session, and there are as many as there are kinds of clients. */
const digests = new Map<string, string>();
const MOST = 100;
