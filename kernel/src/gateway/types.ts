import type { Obj } from '../json.js';
import type { Viewpoint } from '../scope/types.js';
import type { Exchange, Fault, ListType, Outcome, SourceOffer } from './seam.js';

/** A client's standing in the gateway, kept by `peer.key`, whichever era it speaks. */
export interface GatewaySession {
  readonly id: string;
  readonly key: string;
  readonly agent: string | null;
  readonly cwd: string | null;
  readonly client: Obj | null;
  readonly lean: boolean;
  readonly protocolVersion: string | null;
  /** ISO 8601. */
  readonly openedAt: string;
  readonly viewpoint: Viewpoint;
}

export interface SourceCollector {
  offer(offer: SourceOffer): void;
}

/** One list of one server, in the server's own names. A tap of `gateway.listed` returns a filtered copy. */
export interface Listing {
  readonly type: ListType;
  readonly server: string;
  readonly ref: string;
  readonly items: readonly Obj[];
}

export type CapabilityType = 'tool' | 'prompt' | 'resource';

/** A call about to be made. `key` is the server's own name or URI. */
export interface CallInfo {
  readonly session: GatewaySession;
  readonly method: string;
  readonly server: string;
  readonly ref: string;
  readonly type: CapabilityType;
  readonly key: string;
}

export type Refusal = Fault;

export type InvocationStatus = 'ok' | 'error' | 'timeout' | 'denied' | 'cancelled';

/** One call that ended. There is no field for arguments or results, by design. */
export interface Invocation {
  /** ISO 8601, when the call began. */
  readonly timestamp: string;
  readonly server: string;
  readonly ref: string | null;
  readonly type: CapabilityType;
  readonly key: string;
  readonly durationMs: number;
  readonly status: InvocationStatus;
  /** Coffer's own words, or only the class or code of a foreign error. */
  readonly error: string | null;
  readonly sessionId: string;
  readonly agent: string | null;
  /** How often the client was asked something during the call. */
  readonly rounds: number;
}

/** A tool as a client sees it. */
export interface ListedTool {
  readonly name: string;
  readonly server: string;
  readonly tool: Obj;
}

/** What plugins may ask of the gateway. */
export interface Gateway {
  sessions(): GatewaySession[];
  /**
   * Something that lists or admits depends on has changed (a resource, a preference). Offers are collected again, rendered
   * lists are dropped, list_changed goes out coalesced. With `ref` only that server's remembered lists are forgotten too.
   */
  changed(options?: { forget?: string }): void;
  /** The tools of other servers this call's client sees (built-ins left out), in catalogue order. The same array until it changes. */
  tools(x: Exchange): Promise<readonly ListedTool[]>;
  /** A call from inside the daemon, gated and journalled like any other. `client` names the standing it runs under. */
  call(method: string, params: Obj, options?: InProcessCall): Promise<Outcome>;
  /** Servers left out of a session's last lists, with the reason. */
  missing(sessionId: string): readonly { server: string; reason: string }[];
}

export interface InProcessCall {
  /** Default `rest`. Calls with the same client share one set of servers. */
  client?: string;
  agent?: string;
  cwd?: string;
  signal?: AbortSignal;
  onProgress?: (params: Obj) => void;
}

/** What a built-in tool of a plugin gets besides its arguments. */
export interface ToolContext {
  readonly session: GatewaySession;
  readonly exchange: Exchange;
  readonly signal: AbortSignal;
}

/**
 * A tool of Coffer's own, listed in every session as `coffer__<name>`. What `call` returns becomes the structured content and
 * its JSON text; what it throws becomes an error result.
 */
export interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: Obj;
  outputSchema?: Obj;
  annotations?: Obj;
  /**
   * May this client see and call it now? Absent: always. Asked on every list and call, so it must be quick; one that throws hides the
   * tool. After a change that it depends on, say {@link Gateway.changed}.
   */
  visible?(session: GatewaySession): boolean;
  call(args: Obj, context: ToolContext): Promise<unknown> | unknown;
}
