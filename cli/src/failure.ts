import type { ErrorCode } from '@coffer/kernel';
import { cleanLines } from './text.js';

/** Codes of the CLI's own, besides those of the daemon. `USAGE` exits 2, the others 1. */
export type OwnCode = 'USAGE' | 'NEEDS_CONFIRMATION' | 'DECLINED' | 'DAEMON_FAILED' | 'DEMO_FAILED';

/** What a command ends with when it cannot do its work: printed as `CODE: message`, and the exit code follows from it. */
export class Failure extends Error {
  constructor(
    readonly code: ErrorCode | OwnCode | (string & {}),
    message: string,
    readonly more: { status?: number; details?: Record<string, unknown>; trace?: string; exit?: number } = {},
  ) {
    super(message);
  }
}

/** A command line that makes no sense; exit code 2. */
export const usage = (message: string): Failure => new Failure('USAGE', message);

const CREDENTIAL = /^(CREDENTIAL_(MISSING|LOCKED)|ADOPT_SECRET_UNRESOLVED|MASTER_KEY_\w+|KEYCHAIN_\w+)$/;

/** The exit code of an error, by its code and else by its HTTP status (contract: 0 to 8). */
export function exitCodeOf(code: string, status = 0): number {
  if (code === 'USAGE') return 2;
  if (code === 'DAEMON_UNREACHABLE') return 3;
  if (code === 'ENV_INVALID') return 6;
  if (CREDENTIAL.test(code)) return 8;
  if (code.startsWith('UPSTREAM_')) return 7;
  if (status === 404) return 4;
  if (status === 409) return 5;
  return status === 400 || status === 413 || status === 422 ? 6 : 1;
}

/** How any thrown thing is shown and which exit code it has. */
export function describe(e: unknown): { line: string; exit: number; extra: string[] } {
  const error = e instanceof Error ? e : new Error(String(e));
  // The vault's own errors (CofferError) have the same fields without being of this class.
  const { code, status, details } = error as { code?: unknown; status?: number; details?: Record<string, unknown> };
  const more = e instanceof Failure ? e.more : { ...(status !== undefined && { status }), ...(details && { details }) };
  const known = typeof code === 'string' && (e instanceof Failure || status !== undefined);
  const shown = known ? code : 'INTERNAL_ERROR';
  const extra: string[] = [];
  if (more.details && Object.keys(more.details).length > 0) extra.push(`details: ${JSON.stringify(more.details)}`);
  if (e instanceof Failure && more.trace) extra.push(`trace: ${more.trace}`);
  if (error.stack) extra.push(error.stack);
  return {
    // A message may repeat what a server said: nothing in it may steer the terminal.
    line: `${shown}: ${cleanLines(error.message)}`,
    exit: (e instanceof Failure ? e.more.exit : undefined) ?? exitCodeOf(shown, more.status),
    extra,
  };
}
