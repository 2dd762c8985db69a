import type { JsonSchema, Obj } from '../json.js';
import type { Actor } from '../resources/types.js';

/** What a route handler gets: everything already checked against the declared schemas. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Obj;
  readonly body: Obj;
  readonly actor: Actor;
  readonly trace: string;
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal;
}

/** A live answer: each item is one server-sent event. */
export interface ServerEvent {
  event?: string;
  id?: string;
  data: unknown;
}

/** One REST route under `/api/v1`. The schemas check requests and generate `openapi.json`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** For example `/resources/:kind/:name`. */
  path: string;
  summary: string;
  /** Answered without a token. Only the status endpoint is. */
  open?: boolean;
  query?: JsonSchema;
  body?: JsonSchema;
  /** Bytes of a request's body; default 8 MiB. For routes that take files. */
  bodyLimit?: number;
  /** Absent: 204 without a body. */
  response?: JsonSchema;
  /** Default 200, or 204 without `response`. */
  status?: number;
  /** Codes it may answer besides the general ones, for the documentation. */
  errors?: readonly string[];
  handle(request: RouteRequest): unknown;
  /** Instead of a JSON answer: events until the client hangs up. `handle` then returns an AsyncIterable of {@link ServerEvent}. */
  stream?: boolean;
}

export interface RouteCollector {
  add(routes: readonly Route[]): void;
}
