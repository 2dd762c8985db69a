import { className, isCofferError, type Fault } from '@coffer/kernel';

/** The client gave up waiting for a server to start. */
export class Cancelled extends Error {
  constructor(readonly fault: unknown) {
    super('The client cancelled the call');
  }
}

/** A failure that does not come back by waiting. */
export function isSettled(e: unknown): boolean {
  return (
    isCofferError(e) &&
    (e.code.startsWith('CREDENTIAL_') ||
      e.code.startsWith('MASTER_KEY_') ||
      e.code === 'CONFIG_INVALID' ||
      'missing_runner' in e.details)
  );
}

/** A failure to start, as the outcome of a call. */
export function faultOf(server: string, e: unknown): Fault {
  if (e instanceof Cancelled) {
    const reason = e.fault as Partial<Fault> | undefined; // the edge aborts with a Fault; anything else has no such name
    return reason?.name === 'CANCELLED' || reason?.name === 'TIMEOUT'
      ? (reason as Fault)
      : { name: 'CANCELLED', message: e.message };
  }
  if (!isCofferError(e)) return { name: 'UNAVAILABLE', message: `${server} could not be started (${className(e)})` };
  return {
    name: e.code === 'UPSTREAM_TIMEOUT' ? 'TIMEOUT' : 'UNAVAILABLE',
    message: e.message,
    ...(Object.keys(e.details).length > 0 && { data: e.details }),
  };
}
