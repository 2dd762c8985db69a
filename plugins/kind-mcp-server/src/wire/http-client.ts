import http from 'node:http';
import https from 'node:https';

const HOPS = 3;
/** Node's servers close an idle socket after 5 s; a call must not be sent into one that is just closing. */
const IDLE_SOCKET_MS = 4000;

export interface Ask {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  response(res: http.IncomingMessage): void;
  /** Nothing came back. `reused`: the socket had served before, so the server may just have closed it. */
  failed(reason: string, reused: boolean): void;
}

/** Requests to one server over sockets that are kept; redirects are followed within its origin only. */
export class HttpClient {
  readonly #agent: http.Agent;
  readonly #lib: typeof http | typeof https;
  readonly #live = new Set<http.ClientRequest>();

  constructor(
    readonly url: URL,
    private readonly headers: Record<string, string>,
  ) {
    this.#lib = url.protocol === 'https:' ? https : http;
    this.#agent = new this.#lib.Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS, scheduling: 'lifo' });
  }

  /** The returned function hangs up; nothing is told after it. */
  ask(a: Ask, url = this.url, hops = 0): () => void {
    let over = false;
    let hangUp: () => void = () => req.destroy();
    const headers: Record<string, string | number> = { ...this.headers, ...a.headers };
    if (a.body !== undefined) headers['content-length'] = Buffer.byteLength(a.body);
    const req = this.#lib.request(url, { method: a.method, headers, agent: this.#agent });
    this.#live.add(req);
    req.on('close', () => this.#live.delete(req));
    req.on('error', (e) => {
      if (!over) a.failed(words(e), req.reusedSocket);
      over = true;
    });
    req.on('response', (res) => {
      if (over) return void res.destroy();
      // From here on what breaks is the response's to tell.
      const to = res.headers.location;
      if (![301, 302, 307, 308].includes(res.statusCode ?? 0) || to === undefined) {
        over = true;
        return a.response(res);
      }
      res.resume();
      const next = URL.canParse(to, url.href) ? new URL(to, url) : undefined;
      over = true;
      if (next?.origin !== this.url.origin)
        return a.failed('it redirects to another origin; register the address it redirects to', false);
      if (hops === HOPS) return a.failed(`it redirects more than ${HOPS} times`, false);
      hangUp = this.ask(a, next, hops + 1);
    });
    req.end(a.body);
    return () => {
      over = true;
      hangUp();
    };
  }

  close(): void {
    for (const req of this.#live) req.destroy();
    this.#agent.destroy();
  }
}

/** Why a socket failed: the system's code, since the message may hold an address with more in it. */
function words(e: Error & { code?: string }): string {
  switch (e.code) {
    case 'ECONNREFUSED':
      return 'nothing listens at its address (ECONNREFUSED)';
    case 'ENOTFOUND':
      return 'its host name is not known (ENOTFOUND)';
    case 'ECONNRESET':
      return 'it broke the connection off (ECONNRESET)';
    default:
      return e.code ?? e.constructor.name;
  }
}
