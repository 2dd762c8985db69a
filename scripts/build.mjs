#!/usr/bin/env node
// Builds every package in the order of their dependencies, then checks that nothing is left to compile. Quick when nothing changed.
import { fileURLToPath } from 'node:url';
import { bin, run, seconds } from './run.mjs';

const STEPS = [
  ['packages', [bin('lerna'), 'run', 'build', '--loglevel=error'], { NX_DAEMON: 'false', NX_NO_CLOUD: 'true' }],
  ['types', [bin('typescript', 'tsc'), '-b'], {}],
];

/** Resolves to whether everything was built. */
export async function build() {
  for (const [name, args, env] of STEPS) {
    const from = performance.now();
    const code = await run(process.execPath, args, env);
    console.log(`build ${name}: ${code === 0 ? 'ok' : `failed with exit code ${code}`} (${seconds(from)})`);
    if (code !== 0) return false;
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await build()) ? 0 : 1);
