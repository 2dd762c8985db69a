import { randomUUID } from 'node:crypto';
import type { Obj } from '../json.js';
import { bareRelated, namedRelated } from './tasks.js';
import type { Answer, Ask, Exchange, LogLevel, Outcome, Fault, FaultName, Peer } from './seam.js';

export function fault(name: FaultName, message: string, data?: unknown): Outcome & { kind: 'fault' } {
  return { kind: 'fault', fault: data === undefined ? { name, message } : { name, message, data } };
}

const NEVER = new AbortController().signal;

/** A call as one server sees it: its log lines bear the server's name, and the questions asked on the way are counted. */
export class RoutedExchange implements Exchange {
  rounds_ = 0;
  constructor(
    private readonly x: Exchange,
    private readonly server: string,
  ) {}
  get id(): string {
    return this.x.id;
  }
  get peer(): Peer {
    return this.x.peer;
  }
  get capabilities(): Obj {
    return this.x.capabilities;
  }
  get wants(): { progress: boolean; log?: LogLevel } {
    return this.x.wants;
  }
  get rounds(): boolean {
    return this.x.rounds;
  }
  get tasks(): Exchange['tasks'] {
    return this.x.tasks;
  }
  get retry(): Exchange['retry'] {
    return this.x.retry;
  }
  get signal(): AbortSignal {
    return this.x.signal;
  }
  get waiting(): boolean {
    return this.x.waiting;
  }
  async ask(ask: Ask, withdrawn?: AbortSignal): Promise<Answer> {
    this.rounds_++;
    const params = ask.params === undefined ? undefined : namedRelated(this.server, ask.params);
    const answer = await this.x.ask(params === undefined ? ask : { ...ask, params }, withdrawn);
    return 'result' in answer ? { result: bareRelated(this.server, answer.result) } : answer;
  }
  progress(params: Obj): void {
    this.x.progress(namedRelated(this.server, params));
  }
  log(params: Obj): void {
    this.x.log(named(this.server, namedRelated(this.server, params)));
  }
}

/** Decision 27: level and data untouched, the logger says which server spoke. */
export function named(server: string, params: Obj): Obj {
  const logger = params['logger'] as unknown;
  return { ...params, logger: typeof logger === 'string' && logger !== '' ? `${server}/${logger}` : server };
}

/** The same client, but not this call: what it starts (a list for the cache) must not end when the call is cancelled. */
export function detached(x: Exchange, server: string): Exchange {
  return {
    id: randomUUID(),
    peer: x.peer,
    capabilities: x.capabilities,
    wants: { progress: false },
    rounds: x.rounds,
    signal: NEVER,
    get waiting() {
      return x.waiting;
    },
    ask: (ask, withdrawn) => x.ask(ask, withdrawn),
    progress: () => undefined,
    log: (params) => x.log(named(server, params)),
  };
}

interface Quiet {
  capabilities?: Obj;
  /** The client is of the kind that takes `input` outcomes, though this call cannot end with one. */
  rounds?: boolean;
  tasks?: Exchange['tasks'];
  signal?: AbortSignal;
  onProgress?: (params: Obj) => void;
}

/** A call that can be asked nothing: a client inside the daemon, or a request whose method allows no questions. */
export function quiet(
  peer: Peer,
  { capabilities = {}, rounds = false, tasks, signal = NEVER, onProgress }: Quiet = {},
): Exchange {
  return {
    id: randomUUID(),
    peer,
    capabilities,
    wants: { progress: onProgress !== undefined },
    rounds,
    ...(tasks === undefined ? {} : { tasks }),
    signal,
    waiting: false,
    ask: () =>
      Promise.resolve({ error: { code: -32601, message: 'Method not found: this client cannot be asked now' } }),
    progress: (params) => onProgress?.(params),
    log: () => undefined,
  };
}

/** Why a call was cancelled, as the signal's reason carries it. */
export function reasonOf(signal: AbortSignal): Fault {
  const r = signal.reason as unknown;
  return typeof r === 'object' && r !== null && 'name' in r && 'message' in r && r.name !== 'AbortError'
    ? (r as Fault)
    : { name: 'CANCELLED', message: 'The call was cancelled' };
}
