/** Why a claimed scenario is not covered: its test failed, or asserted nothing, or did not run at all. */
export type ClaimOutcome = 'passed' | 'failed' | 'no assertion' | 'not run';

export interface Claim {
  readonly spec: string;
  readonly title: string;
  outcome: ClaimOutcome;
}

interface Record {
  readonly claims: Claim[];
  assertions: number;
}

/** Mocha may load the root hooks and the tests as two copies of this module; the record must be one. */
const KEY = Symbol.for('coffer.acceptance');

export function record(): Record {
  // globalThis has no type for a symbol of ours
  const home = globalThis as { [KEY]?: Record };
  return (home[KEY] ??= { claims: [], assertions: 0 });
}
