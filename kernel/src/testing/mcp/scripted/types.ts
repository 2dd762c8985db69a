import type { Obj } from '../../../json.js';
import type { RpcId } from '../rpc.js';
import type { Options } from './options.js';

/** What a transport does for a session. `about` is the request a message belongs to; without it the message stands alone. */
export interface Carrier {
  send(message: Obj, about?: RpcId): void;
  /** Ends the stream of a call before its answer, where the transport has such a thing. */
  closeStream(about: RpcId): void;
}

/** One client's connection. */
export interface Session {
  /** `params` of initialize. */
  opening: Obj | undefined;
  ready: boolean;
  level: string | undefined;
  rootsChanged: number;
  /** What the client answered to the questions of `--ask-roots`. */
  readonly roots: Obj[];
  readonly subscriptions: Set<string>;
  readonly cancelled: { requestId: RpcId; reason?: string }[];
  note(method: string, params?: Obj): void;
  ask(method: string, params?: Obj, timeoutMs?: number): Promise<Obj>;
  receive(message: Obj, headers?: Obj): void;
}

/** What a handler holds while it works on one request. */
export interface Call {
  readonly id: RpcId;
  readonly params: Obj;
  /** HTTP request headers; empty over stdio. */
  readonly headers: Obj;
  readonly session: Session;
  /** Notifies the client as part of this call. */
  note(method: string, params?: Obj): void;
  /** Puts a question to the client as part of this call. Rejects with the client's own error. */
  ask(method: string, params?: Obj, timeoutMs?: number): Promise<Obj>;
  closeStream(): void;
  isCancelled(): boolean;
}

/** `null` means that no answer will ever come. */
export type Handler = (args: Obj, call: Call, world: World) => Obj | null | Promise<Obj | null>;

export interface Tool {
  readonly definition: Obj;
  readonly run: Handler;
}

/** What all sessions of the process share. */
export interface World {
  readonly options: Options;
  readonly tools: Map<string, Tool>;
  readonly prompts: Map<string, { definition: Obj; get(args: Obj): Obj }>;
  readonly resources: Map<string, { definition: Obj; contents: Obj }>;
  readonly templates: Obj[];
  readonly sessions: Set<Session>;
  /** Appends a line to the file of `--record`. */
  record(line: string): void;
}
