import { readFileSync } from 'node:fs';
import { startRelay, type RelayOptions } from './relay.js';
import { runSuite, type Check, type SuiteResult } from './suite.js';

/** What each scenario is known to do, and why, for those that fail. */
export type Expectations = Record<string, { expect: 'pass' | 'fail'; reason?: string }>;

/** `testing/conformance/expected-<name>.json`: what the gateway does. */
export function readExpectations(name: string): Expectations {
  const file = new URL(`../../conformance/expected-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The same scenarios, all to pass: what a server by itself must do. */
export function allPass(expected: Expectations): Expectations {
  return Object.fromEntries(Object.keys(expected).map((scenario) => [scenario, { expect: 'pass' }]));
}

export interface ConformanceOptions extends RelayOptions {
  /** A revision of MCP, such as `2025-11-25`. Absent: only the scenarios that are expected, which may be of an extension. */
  readonly specVersion?: string;
  readonly expected: Expectations;
}

export interface ConformanceReport {
  readonly checks: { passed: number; failed: number };
  readonly scenarios: { passed: number; failed: number };
  /** Where the run and the expectations differ, in either direction; empty is good. */
  readonly differences: readonly string[];
}

/** Runs the official suite against a server, through a relay when headers or prefixes are given, and compares. */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const relayed = options.headers ?? options.namePrefix ?? options.uriPrefix;
  const relay = relayed === undefined ? undefined : await startRelay(options);
  try {
    const { specVersion, expected } = options;
    const selection = specVersion === undefined ? { scenarios: Object.keys(expected) } : { specVersion };
    return compare(await runSuite(relay?.url ?? options.url, selection), expected);
  } finally {
    await relay?.stop();
  }
}

const FINE = new Set(['SUCCESS', 'INFO', 'SKIPPED', 'WARNING']);

/** A scenario passes when it made a check and none failed; warnings are about what a server should, not must. */
export function compare(result: SuiteResult, expected: Expectations): ConformanceReport {
  const differences: string[] = [];
  const checks = { passed: 0, failed: 0 };
  const scenarios = { passed: 0, failed: 0 };
  for (const [scenario, all] of result) {
    const failed = all.filter((check) => !FINE.has(check.status));
    const passed = all.length > 0 && failed.length === 0;
    checks.failed += failed.length;
    checks.passed += all.filter((check) => check.status === 'SUCCESS').length;
    scenarios[passed ? 'passed' : 'failed']++;
    const wanted = expected[scenario]?.expect;
    if (wanted === undefined)
      differences.push(`${scenario} is not among the expectations; it ${passed ? 'passes' : 'fails'}`);
    else if (wanted === 'pass' && !passed)
      differences.push(`${scenario} fails: ${failed.map(describe).join('; ') || 'no checks'}`);
    else if (wanted === 'fail' && passed) differences.push(`${scenario} passes now; expect it to`);
  }
  for (const scenario of Object.keys(expected)) {
    if (!result.has(scenario)) differences.push(`${scenario} is expected but did not run`);
  }
  return { checks, scenarios, differences };
}

function describe({ id, errorMessage, details }: Check): string {
  return `${id} (${errorMessage ?? JSON.stringify(details)?.slice(0, 400) ?? 'no message'})`;
}
