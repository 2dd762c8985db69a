/** What the tests of this plugin share: a client that is one object, a vault folder that goes, a clock to be moved by hand. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Answer, Ask, Clock, Credentials, Exchange, Obj } from '@coffer/kernel';
import { configOf, type ServerConfig } from '../src/config.js';
import { Dialer, type DialEvents } from '../src/dial.js';
import type { Eras, Verdict } from '../src/eras.js';
import { Launcher } from '../src/launch/launcher.js';
import type { Connection } from '../src/wire/connection.js';

export interface FakeClient extends Exchange {
  readonly progressed: Obj[];
  readonly logged: Obj[];
  readonly asked: Ask[];
  readonly withdrawn: Ask[];
  /** Turns to true while a question is open. */
  waiting: boolean;
  cancel(reason?: unknown): void;
}

export interface ClientOptions {
  capabilities?: Obj;
  progress?: boolean;
  log?: Exchange['wants']['log'];
  cwd?: string;
  rounds?: boolean;
  retry?: Exchange['retry'];
  info?: Obj;
  answer?: (ask: Ask, withdrawn?: AbortSignal) => Answer | Promise<Answer>;
}

let made = 0;

/** One call of a client. */
export function client(o: ClientOptions = {}): FakeClient {
  const abort = new AbortController();
  const x: FakeClient = {
    id: `x${++made}`,
    peer: {
      key: 'test',
      info: o.info ?? { name: 'test-client', version: '7' },
      ...(o.cwd !== undefined && { cwd: o.cwd }),
    },
    capabilities: o.capabilities ?? {},
    wants: { progress: o.progress ?? false, ...(o.log !== undefined && { log: o.log }) },
    rounds: o.rounds ?? false,
    ...(o.retry !== undefined && { retry: o.retry }),
    signal: abort.signal,
    waiting: false,
    progressed: [],
    logged: [],
    asked: [],
    withdrawn: [],
    cancel: (reason) => abort.abort(reason),
    async ask(ask, withdrawn) {
      x.asked.push(ask);
      withdrawn?.addEventListener('abort', () => x.withdrawn.push(ask));
      x.waiting = true;
      try {
        return await (o.answer?.(ask, withdrawn) ?? { error: { code: -32601, message: 'Method not found' } });
      } finally {
        x.waiting = false;
      }
    },
    progress: (params) => void x.progressed.push(params),
    log: (params) => void x.logged.push(params),
  };
  return x;
}

/** The system's clock, as the kernel has it. */
export const realClock: Clock = {
  now: () => Date.now(),
  setTimeout: (fn, ms) => {
    const t = setTimeout(fn, ms).unref();
    return { clear: () => clearTimeout(t) };
  },
  setInterval: (fn, ms) => {
    const t = setInterval(fn, ms).unref();
    return { clear: () => clearInterval(t) };
  },
};

/** Time that passes only when told to. */
export class HandClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; fn: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  setTimeout(fn: () => void, ms: number): { clear(): void } {
    const timer = { at: this.#now + ms, fn };
    this.#timers.push(timer);
    return { clear: () => void (this.#timers = this.#timers.filter((t) => t !== timer)) };
  }
  setInterval(): { clear(): void } {
    throw new Error('not used here');
  }
  get timers(): number {
    return this.#timers.length;
  }
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((t) => t !== next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
      await turn();
    }
    this.#now = until;
    await turn();
  }
}

/** Lets everything that is ready to run do so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export async function until(what: () => boolean | Promise<boolean>, name: string, ms = 8000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await what())) {
    if (Date.now() > end) throw new Error(`did not come: ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Credentials in a Map. */
export function credentials(values: Record<string, string> = {}): Credentials {
  return {
    has: (ref) => ref in values,
    reveal: (ref) => {
      const value = values[ref];
      if (value === undefined) throw new Error(`no credential ${ref}`);
      return value;
    },
    set: (ref, value) => void (values[ref] = value),
    remove: (ref) => void delete values[ref],
  };
}

/** Verdicts in a Map. */
export class NotedEras implements Eras {
  readonly all = new Map<string, Verdict>();
  of(target: string): Verdict | undefined {
    return this.all.get(target);
  }
  note(target: string, verdict: Verdict): void {
    this.all.set(target, verdict);
  }
  forget(target: string): void {
    this.all.delete(target);
  }
}

/** A folder of a vault, with what this plugin writes in it. */
export class Home {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-upstream-'));
  readonly paths = { logs: path.join(this.folder, 'logs'), upstreamPids: path.join(this.folder, 'upstream-pids') };
  readonly #connections: Connection[] = [];

  launcher(values: Record<string, string> = {}, env: NodeJS.ProcessEnv = process.env): Launcher {
    return new Launcher(this.paths, credentials(values), env);
  }

  /** A connection that is closed with the folder. */
  async connect(
    transport: Obj,
    x: Exchange = client(),
    more: { config?: Obj; events?: Partial<DialEvents>; launcher?: Launcher; clock?: Clock; eras?: Eras } = {},
  ): Promise<Connection> {
    const dialer = new Dialer(
      more.launcher ?? this.launcher(),
      more.clock ?? realClock,
      '0.0.0',
      more.eras ?? new NotedEras(),
    );
    const ignore = (): void => undefined;
    const connection = await dialer.dial('up', serverConfig(transport, more.config), x, {
      watched: ignore,
      down: ignore,
      odd: ignore,
      noise: ignore,
      ...more.events,
    });
    this.#connections.push(connection);
    return connection;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#connections.map((c) => c.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function serverConfig(transport: Obj, more: Obj = {}): ServerConfig {
  return configOf({ config: { transport, ...more } });
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server
  server.close();
  await once(server, 'close');
  return port;
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
