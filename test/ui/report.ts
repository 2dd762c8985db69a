/** What the tests of the web UI have measured, for scripts/ui-report.mjs to print when all are done. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '@coffer/testing';

export function report(name: string, lines: readonly string[]): void {
  const folder = path.join(ROOT, 'build/ui-report');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.txt`), lines.map((line) => `${line}\n`).join(''));
}
