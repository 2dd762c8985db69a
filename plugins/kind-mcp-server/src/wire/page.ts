import type { Outcome } from '@coffer/kernel';
import type { Page } from './connection.js';

/** How a list request ended, which can only be with a result, an error or a fault. */
export function pageOf(server: string, o: Outcome): Page {
  if (o.kind === 'result') return { result: o.result.value };
  if (o.kind === 'error') return { error: o.error };
  if (o.kind === 'fault') return { fault: o.fault };
  return { fault: { name: 'INTERNAL', message: `${server} asked for input where it may not` } };
}
