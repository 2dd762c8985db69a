import type { Exchange } from '@coffer/kernel';
import { digest } from './config.js';
import { declared } from './wire/handshake.js';

/** What a server of the older era hears of its client at the start; calls with the same can share a connection. */
export function declarationOf(x: Exchange): string {
  return digest(declared(x));
}
