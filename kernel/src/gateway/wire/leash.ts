/** A shim holds a stream open for as long as it lives. When the last one of a client falls, that client is gone after a grace. */
import type { ServerResponse } from 'node:http';
import { HEARTBEAT_MS, SSE_HEADERS } from '../../http/sse.js';
import type { Clock } from '../../plugin/contract.js';

/** Covers a reconnect of the shim, in milliseconds. */
export const GRACE_MS = 10_000;

export interface Leashes {
  hold(client: string, res: ServerResponse): void;
  held(client: string): boolean;
  close(): void;
}

export function createLeashes(clock: Clock, gone: (client: string) => void): Leashes {
  const held = new Map<string, { streams: Set<ServerResponse>; fall?: { clear(): void } }>();
  return {
    hold(client, res) {
      let leash = held.get(client);
      if (leash === undefined) held.set(client, (leash = { streams: new Set() }));
      const mine = leash;
      mine.fall?.clear();
      delete mine.fall;
      mine.streams.add(res);
      res.writeHead(200, SSE_HEADERS);
      res.write(':\n\n');
      const beat = setInterval(() => res.write(':\n\n'), HEARTBEAT_MS);
      beat.unref();
      res.on('close', () => {
        clearInterval(beat);
        mine.streams.delete(res);
        if (mine.streams.size > 0 || held.get(client) !== mine) return;
        mine.fall = clock.setTimeout(() => {
          held.delete(client);
          gone(client);
        }, GRACE_MS);
      });
    },
    held: (client) => (held.get(client)?.streams.size ?? 0) > 0,
    close() {
      for (const leash of held.values()) {
        leash.fall?.clear();
        for (const res of leash.streams) res.end();
      }
      held.clear();
    },
  };
}
