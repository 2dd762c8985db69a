import type { ServerResponse } from 'node:http';
import type { ServerEvent } from './route.js';

/** Silence on a stream is broken by a comment this often, in milliseconds: proxies and clients give up on a silent one. */
export const HEARTBEAT_MS = 15_000;

export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** Writes events until their source ends or the client hangs up; waits where the client reads slowly. */
export async function writeEvents(
  res: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  signal: AbortSignal,
): Promise<void> {
  res.writeHead(200, SSE_HEADERS);
  res.write(':\n\n');
  const beat = setInterval(() => res.write(':\n\n'), HEARTBEAT_MS);
  try {
    for await (const e of events) {
      if (signal.aborted) break;
      const text = `${e.event === undefined ? '' : `event: ${e.event}\n`}${e.id === undefined ? '' : `id: ${e.id}\n`}data: ${JSON.stringify(e.data)}\n\n`;
      if (!res.write(text)) await drained(res, signal);
    }
  } finally {
    clearInterval(beat);
    res.end();
  }
}

function drained(res: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    res.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
