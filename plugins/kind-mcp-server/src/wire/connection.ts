import type {
  Exchange,
  Facts,
  Fault,
  Honoured,
  ListType,
  Obj,
  Outcome,
  RpcError,
  Watch,
  WatchEvent,
} from '@coffer/kernel';

/** What an upstream edge tells its owner. `down` is said once, when nothing more can come of this connection. */
export interface ConnectionEvents {
  watched(event: WatchEvent): void;
  down(reason: string): void;
  /** The server answered in a way that is not MCP; for the status. */
  odd(reason: string): void;
}

/** What an edge needs to know of its surroundings. Times in milliseconds. */
export interface Terms {
  server: string;
  /** Product version, for a client that did not introduce itself. */
  version: string;
  spawnMs: number;
  /** What of it has gone by already, looking for the era. */
  spentMs?: number;
  requestMs: number;
  maxMessageBytes: number;
  /** How long a question asked between calls waits for a call that can carry it. */
  lateMs: number;
  /** Whatever the calls report, none runs longer than this (waiting for people not counted). */
  totalMs: number;
}

/** How a list request ended. */
export type Page = { result: Obj } | { error: RpcError } | { fault: Fault };

/** One live conversation with one server, whichever era it speaks. */
export interface Connection {
  readonly facts: Facts;
  /** It heard its client's capabilities once, at the start: calls that declare others need another connection, clients their own. */
  readonly fixed: boolean;
  /** Calls in flight. */
  readonly open: number;
  /** Tasks under way that a call began: what they run on must not be taken for idle. */
  readonly tasks?: number;
  /** Throws {@link Outdated} and nothing else. */
  call(method: string, params: Obj, x: Exchange): Promise<Outcome>;
  /** A request whose result is looked at here, not relayed. Throws {@link Outdated} and nothing else. */
  ask(method: string, params: Obj, x?: Exchange): Promise<Page>;
  /** Why a tool of the last list cannot be called over this connection, if so. */
  unusable?(tool: string): string | undefined;
  /** How long the last list of this type may be taken as fresh, in milliseconds, when the server set a limit. */
  freshMs?(type: ListType): number | undefined;
  /** The client's roots have changed. */
  rootsChanged(): void;
  watch(want: Watch): Promise<Honoured>;
  close(): Promise<void>;
}

/** The server has become another that does not understand this connection; the call was not run and can be made on a new one. */
export class Outdated extends Error {
  constructor() {
    super('The server no longer speaks as it did');
  }
}

/** Carries messages one way or the other; knows of no method but what its headers need. */
export interface Transport {
  /** It says on which request's stream a message came. */
  readonly ties: boolean;
  /** Ready to send. Rejects with a CofferError. */
  open(receiver: Receiver): Promise<void>;
  /** `id` is given for requests; the answer may be told of by that id. `headers` matter where there are any. */
  send(text: string, id?: number, headers?: Record<string, string>): void;
  /** Nobody waits for this answer any more. */
  drop(id: number): void;
  /** The handshake is done. */
  agreed(version: string): void;
  /** Forgets a session the server no longer knows. */
  forget(): void;
  close(): Promise<void>;
}

export interface Receiver {
  /**
   * One JSON text without a raw newline, cut anywhere. `tie`: the request whose stream carried it. False: it was no JSON-RPC.
   */
  message(chunks: readonly Buffer[], tie?: number): boolean;
  /** Is this request still to be answered? */
  waits(id: number): boolean;
  /** The request can no longer be answered, while the transport lives. */
  unanswered(id: number, message: string, data?: Obj): void;
  sessionLost(id?: number): void;
  /** The answer that follows came with an HTTP status that an address of another kind would give. */
  refused?(id: number): void;
  /** Messages are lost for good. */
  down(reason: string): void;
}
