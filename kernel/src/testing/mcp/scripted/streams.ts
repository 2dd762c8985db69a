import type { ServerResponse } from 'node:http';
import type { Obj } from '../../../json.js';

/** An event stream that outlives the response it is written to: what was written can be replayed by event id. */
export interface EventStream {
  readonly id: string;
  write(message: Obj): void;
  /** Writes from now on to this response, first what came after event number `after`. */
  attach(res: ServerResponse, after?: number): void;
  /** Ends the response; the stream waits for another. */
  detach(): void;
  /** Nothing more will come. */
  end(): void;
}

export function createEventStream(id: string, prime: boolean): EventStream {
  const events: string[] = [];
  let sink: ServerResponse | undefined;
  let ended = false;
  // an event with an id and no data, so that a client has something to resume from (2025-11-25)
  if (prime) events.push(`id: ${id}/1\nretry: 100\ndata: \n\n`);
  return {
    id,
    write: (message) => {
      const event = `id: ${id}/${events.length + 1}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;
      events.push(event);
      sink?.write(event);
    },
    attach: (res, after = 0) => {
      sink = res;
      res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      res.flushHeaders();
      for (const event of events.slice(after)) res.write(event);
      if (ended) res.end();
      res.on('close', () => {
        if (sink === res) sink = undefined;
      });
    },
    detach: () => {
      sink?.end();
      sink = undefined;
    },
    end: () => {
      ended = true;
      sink?.end();
    },
  };
}
