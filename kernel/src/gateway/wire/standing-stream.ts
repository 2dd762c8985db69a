/** A session's standing GET stream: what is said while it is down waits for it, the oldest going first when too much waits. */
import type { ServerResponse } from 'node:http';
import type { Obj } from '../../json.js';
import { HEARTBEAT_MS, SSE_HEADERS } from '../../http/sse.js';

const WAITING = 1000;

export class StandingStream {
  #res: ServerResponse | undefined;
  #beat: NodeJS.Timeout | undefined;
  #waiting: string[] = [];

  get open(): boolean {
    return this.#res !== undefined;
  }

  /** The newest stream counts: a client that reconnects may come before its old connection is known to be dead. */
  attach(res: ServerResponse, sessionId: string): void {
    this.close();
    this.#res = res;
    res.writeHead(200, { ...SSE_HEADERS, 'Mcp-Session-Id': sessionId });
    res.write(':\n\n');
    this.#beat = setInterval(() => res.write(':\n\n'), HEARTBEAT_MS);
    this.#beat.unref();
    res.on('close', () => {
      if (this.#res === res) this.close();
    });
    for (const text of this.#waiting.splice(0)) res.write(text);
  }

  send(message: Obj): void {
    const text = `data: ${JSON.stringify(message)}\n\n`;
    if (this.#res !== undefined) this.#res.write(text);
    else if (this.#waiting.push(text) > WAITING) this.#waiting.shift();
  }

  close(): void {
    clearInterval(this.#beat);
    this.#res?.end();
    this.#res = undefined;
  }
}
