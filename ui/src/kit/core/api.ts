/** The one client of Coffer's REST. */
import { t } from './i18n.js';

export interface Problem {
  /** JSON pointer into what was sent. */
  pointer: string;
  message: string;
}

/** A refusal: what the server said, word for word. Code `OFFLINE` when no answer came. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly trace = '',
  ) {
    super(message);
  }
  /** Faults of single fields, where the server named them. */
  get problems(): readonly Problem[] {
    return Array.isArray(this.details['problems']) ? (this.details['problems'] as Problem[]) : [];
  }
}

const BASE = '/api/v1';
let signedOut: () => void = () => undefined;

/** What to do when the session ends; the shell shows the login over the page, so that drafts stay. */
export function onSignedOut(fn: () => void): void {
  signedOut = fn;
}

async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let res: Response;
  try {
    res = await fetch(BASE + path, {
      method,
      headers: { 'X-Coffer-Actor': 'ui', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (e) {
    if (signal?.aborted === true) throw e;
    throw new ApiError('OFFLINE', t('Coffer did not answer. It may have been stopped.'), 0);
  }
  const text = await res.text();
  // A body of ours is JSON; what the caller names as T is what the route promises.
  const value = (text === '' ? undefined : JSON.parse(text)) as unknown;
  if (res.ok) return value as T;
  if (res.status === 401) signedOut();
  const { error } = value as { error: { code: string; message: string; details?: Record<string, unknown> } };
  throw new ApiError(error.code, error.message, res.status, error.details, res.headers.get('X-Coffer-Trace') ?? '');
}

/** Paths are under `/api/v1`; encode what comes from outside with {@link seg}. Each throws {@link ApiError}. */
export const api = {
  get: <T>(path: string, signal?: AbortSignal): Promise<T> => send<T>('GET', path, undefined, signal),
  post: <T = void>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> =>
    send<T>('POST', path, body, signal),
  put: <T = void>(path: string, body: unknown): Promise<T> => send<T>('PUT', path, body),
  patch: <T = void>(path: string, body: unknown): Promise<T> => send<T>('PATCH', path, body),
  delete: (path: string): Promise<void> => send<void>('DELETE', path),
};

/** One segment of a path. */
export const seg = encodeURIComponent;

export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(values).filter(([, v]) => v !== undefined && v !== '');
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([k, v]) => [k, String(v)])).toString()}`;
}

/** What any failure says to a person. */
export function messageOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
