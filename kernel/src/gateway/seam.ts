/**
 * The seam between an edge and the gateway core. An edge knows one era of MCP and one transport; the core knows neither.
 * A downstream edge makes an {@link Exchange} for each call of its client and hands it to the core; a {@link Source} uses it.
 * Ids, progress tokens and error numbers stop at the edge that made them.
 */
import type { Obj } from '../json.js';
import type { Payload } from './payload.js';

export type { Obj };

/** The program behind a downstream connection. `key` is what its upstream set is kept by; the rest is display and scope. */
export interface Peer {
  readonly key: string;
  /** Self-reported name of the agent; no boundary against a local process that lies. */
  readonly agent?: string;
  readonly cwd?: string;
  /** `clientInfo` as the client sent it. */
  readonly info?: Obj;
  /** Lists only the built-in tools and `coffer__call_tool`; everything stays callable by name. */
  readonly lean?: boolean;
  readonly profile?: string;
  /** The version the edge agreed on with this client; for display. */
  readonly protocolVersion?: string;
  /** A caller inside the daemon (REST, a plugin): it has a standing and is no client of anyone's. */
  readonly inside?: boolean;
}

/** An upstream's own error, verbatim. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** Coffer's own refusals. They have names inside; the edge gives the number of its era. */
export type FaultName =
  | 'DISABLED' // the capability is off, or hidden from this agent
  | 'UNKNOWN_TOOL'
  | 'UNKNOWN_PROMPT'
  | 'UNKNOWN_RESOURCE'
  | 'INVALID_PARAMS'
  | 'METHOD_NOT_FOUND'
  | 'TIMEOUT'
  | 'UNAVAILABLE'
  | 'CANCELLED'
  | 'INTERNAL';
export interface Fault {
  name: FaultName;
  message: string;
  data?: unknown;
}

/** How long a result may be kept, and by whom, in its server's words: what one era says in the result itself and the other not at all. */
export interface Hints {
  /** Milliseconds. */
  ttlMs?: number;
  cacheScope?: 'public' | 'private';
}

/**
 * How a call ended. `input` is an end too: the same call comes again, as a new Exchange with `retry` set. A result bears no
 * `resultType`, and what its server said of caching stands beside it: an edge adds what its era needs.
 */
export type Outcome =
  | { kind: 'result'; result: Payload; hints?: Hints }
  | { kind: 'input'; requests?: Record<string, Ask>; state?: string; more?: Obj }
  /** The server goes on with it and gave a handle; only for a call whose {@link Exchange.tasks} takes one. */
  | { kind: 'task'; task: Obj; more?: Obj }
  | { kind: 'error'; error: RpcError }
  | { kind: 'fault'; fault: Fault };

/** A question a server puts to the client: sampling/createMessage, elicitation/create or roots/list, params verbatim. */
export interface Ask {
  method: string;
  params?: Obj;
}

/** `moved`: the call that carried the question ended before an answer came; put it to another call, if there is one. */
export type Answer = { result: Obj } | { error: RpcError } | { moved: true };

/** Log levels of MCP (RFC 5424), mildest first. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * One call as its client meant it, however many HTTP requests or stdio lines carry it. It may outlive its carrier: nobody may
 * keep a request, a response or a JSON-RPC id behind it.
 */
export interface Exchange {
  /** Ours, unique in the process. */
  readonly id: string;
  readonly peer: Peer;
  /** What the client can do, for this call (a session's declaration in one era, the request's own in the other). */
  readonly capabilities: Obj;
  readonly wants: { readonly progress: boolean; readonly log?: LogLevel };
  /** The client can be handed an `input` outcome as it is. Otherwise an upstream edge must use {@link Exchange.ask}. */
  readonly rounds: boolean;
  /**
   * How the client takes tasks: it asks for one with the call, or it may be handed one for any call. Absent: not at all, and a
   * tool that runs only as a task is waited for inside the call.
   */
  readonly tasks?: 'asked' | 'offered';
  /** Set when this call is the client's answer to an earlier `input` outcome; opaque to the core. */
  readonly retry?: { readonly responses?: Obj; readonly state?: string };
  /** The client cancelled, went away, or let a question lapse. Its reason is a {@link Fault}. The one way to cancel. */
  readonly signal: AbortSignal;
  /** Puts a question to the client; settles when it answers. `withdrawn` takes the question back. May settle late. */
  ask(ask: Ask, withdrawn?: AbortSignal): Promise<Answer>;
  /** True while the client owes an answer: the clocks of its call stand still then. */
  readonly waiting: boolean;
  /** `params` of a progress notification without its token. */
  progress(params: Obj): void;
  /** `params` of a log message that belongs to this call. */
  log(params: Obj): void;
}

/** What a client is told about without having asked a question. The same words in both eras; a filter, not a stream. */
export interface Watch {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  uris?: readonly string[];
  /** How tasks go on: of these, or of every one the client began. */
  tasks?: true | readonly string[];
  /** Log lines that belong to no call, from this level up. */
  log?: LogLevel;
}
/** What will really be told, and which URIs the server refused to watch, with its own words. */
export interface Honoured extends Watch {
  refused?: readonly Refused[];
}
/** A URI that is not watched, and why: the server's own error, or ours. */
export type Refused = { uri: string } & ({ error: RpcError } | { fault: Fault });
export type WatchEvent =
  | { kind: 'tools' | 'prompts' | 'resources' }
  | { kind: 'uri'; uri: string; params: Obj }
  | { kind: 'log'; params: Obj }
  /** How a task stands now; `params.taskId` names it. */
  | { kind: 'task'; params: Obj }
  /** A page that an elicitation by URL sent the person to was finished. */
  | { kind: 'elicitation'; params: Obj };

export type ListType = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** What a server says of itself when it is first spoken to. */
export interface Facts {
  capabilities: Obj;
  info?: Obj;
  instructions?: string;
  protocolVersion?: string;
}

/**
 * One server as one client sees it: made by a plugin for a session, started by the first call that needs it, closed with the
 * session. It speaks the server's own names; the core adds and takes off the prefix.
 */
export interface Source {
  /** Facts of a running server, or of the last contact; starts nothing. */
  known(): Facts | undefined;
  /** The whole list, every page followed, items as the server sent them. Throws a CofferError when the server cannot tell. */
  list(type: ListType, x: Exchange): Promise<readonly Obj[]>;
  /** How long the list last told may be taken as fresh, in milliseconds from then on; absent: as long as any other. */
  freshMs?(type: ListType): number | undefined;
  /** One of tools/call, prompts/get, resources/read, completion/complete, tasks/*. Never throws for what the server did. */
  call(method: string, params: Obj, x: Exchange): Promise<Outcome>;
  /**
   * Replaces what is watched. What is not running yet applies it when it starts; only `uris` start it. Resolves to what the
   * server will really tell.
   */
  watch(want: Watch, sink: (e: WatchEvent) => void, x?: Exchange): Promise<Honoured>;
  /** The client's roots have changed; a running server that asks for them is told. */
  rootsChanged?(): void;
  /** For people: is anything running for this client? */
  state(): 'idle' | 'starting' | 'ready' | 'failing';
  /** Ends what runs. Calls still open end with UNAVAILABLE unless `drain` lets them finish first. */
  close(options?: { drain?: boolean }): Promise<void>;
}

/** What a plugin offers a session, once per server; offering starts nothing. */
export interface SourceOffer {
  /** The prefix of its names. */
  name: string;
  /** `<kind>:<name>` of the resource behind it, for curation, scope and the journal. */
  ref: string;
  /** While the key stays the same the open source is kept; another key opens a new one and drains the old. */
  key: string;
  /**
   * Lists of sources with the same list key are interchangeable (same server, config and client capabilities): a new session is
   * answered from what another saw within the TTL while its own server starts behind.
   */
  listKey: (capabilities: Obj) => string;
  /** In reach of this machine but not of this agent: never listed, never started, answered as disabled. */
  hidden?: boolean;
  /** How long an aggregate list waits for it, in milliseconds. Default 5000. */
  listBudgetMs?: number;
  open(): Source;
}

/** What a downstream edge calls. */
export interface Core {
  facts(x: Exchange): Promise<Facts>;
  call(method: string, params: Obj, x: Exchange): Promise<Outcome>;
  /** May this call go on? Asked again when a held call gets its answers, since `call` is not run a second time for it. */
  admit(method: string, params: Obj, x: Exchange): Fault | undefined;
  watch(x: Exchange, want: Watch, sink: (e: WatchEvent) => void): WatchHandle;
  /** The client's roots have changed. */
  rootsChanged(peer: Peer): void;
  /** Said once per peer: shim closed, session deleted, or idle. */
  gone(peer: Peer): Promise<void>;
}
export interface WatchHandle {
  honoured: Promise<Honoured>;
  change(want: Watch): Promise<Honoured>;
  stop(): void;
}
