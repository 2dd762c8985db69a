#!/usr/bin/env node
// Everything that must hold before a change goes in, from a fresh clone on. `--seed N` repeats an order of the test files.
// The last line is `N passed, N failed`: the tests, and each other step that failed.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bin, ROOT, run, seconds } from './run.mjs';
import { findTests, shuffle } from './test-files.mjs';

const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
if (!Number.isInteger(seed)) {
  console.error('--seed takes a whole number.');
  process.exit(2);
}

/** How long all tests may take, and how long mocha may take to end when they are done. */
const TESTS_MS = 30 * 60_000;
const EXIT_MS = 30_000;

const failed = [];
const tests = { passes: 0, failures: 0 };

/** `work` resolves to what went wrong, or to nothing. */
async function step(name, work) {
  console.log(`\n=== ${name}`);
  const from = performance.now();
  let problem;
  try {
    problem = await work();
  } catch (e) {
    problem = e.message;
  }
  if (problem) failed.push(name);
  console.log(problem ? `--- ${name} FAILED after ${seconds(from)}: ${problem}` : `--- ${name} ok (${seconds(from)})`);
  return !problem;
}

const node = async (args, env) => {
  const code = await run(process.execPath, args, env);
  return code === 0 ? undefined : `exit code ${code}`;
};

/** The installed tree is as new as the lock it was made from. */
function installed() {
  const mark = `${ROOT}node_modules/.package-lock.json`;
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(`${ROOT}package-lock.json`).mtimeMs;
}

async function mocha() {
  const { spec, timeout, slow, require } = JSON.parse(readFileSync(`${ROOT}.mocharc.json`, 'utf8'));
  const files = shuffle(findTests(ROOT, spec), seed);
  console.log(`${files.length} files, seed ${seed}; the same order again: npm run verify -- --seed ${seed}`);
  const result = `${ROOT}build/mocha.json`;
  rmSync(result, { force: true });
  rmSync(`${ROOT}build/acceptance.json`, { force: true });
  rmSync(`${ROOT}build/ui-report`, { recursive: true, force: true });
  const from = Date.now();
  const code = await run(
    process.execPath,
    [
      ...['--conditions=coffer-source', '--import', 'tsx/esm', `${ROOT}node_modules/mocha/bin/mocha.js`],
      ...['--no-config', '--timeout', timeout, '--slow', slow, '--reporter', `${ROOT}scripts/mocha-reporter.cjs`],
      ...require.flatMap((file) => ['--require', file]),
      ...files,
    ].map(String),
    { COFFER_MOCHA_RESULT: result },
    () => (existsSync(result) ? Date.now() - statSync(result).mtimeMs > EXIT_MS : Date.now() - from > TESTS_MS),
  );
  if (!existsSync(result)) return `no test ran; exit code ${code}`;
  Object.assign(tests, JSON.parse(readFileSync(result, 'utf8')));
  if (tests.failures) return `${tests.failures} tests failed`;
  if (tests.passes === 0) return 'no test passed';
  if (code === 'overdue') return 'the tests passed and left something running, so that mocha did not end';
  return code === 0 ? undefined : `exit code ${code} although no test failed`;
}

mkdirSync(`${ROOT}build`, { recursive: true });
const ready = await step('install', async () => {
  if (installed()) return console.log('node_modules is up to date');
  const code = await run('npm', ['ci', '--no-audit', '--no-fund']);
  return code === 0 ? undefined : `npm ci ended with exit code ${code}`;
});
if (ready) {
  await step('chromium', async () => {
    const { path, version } = await (await import('./chromium.mjs')).ensureChromium();
    console.log(`${path} (${version ?? 'version unknown'})`);
  });
  await step('build', async () => ((await (await import('./build.mjs')).build()) ? undefined : 'see above'));
  await step('generated docs', () => node(['scripts/docs.mjs', '--check']));
  await step('format', () => node([bin('prettier'), '--check', '.']));
  await step('lint', () => node([bin('eslint'), '.']));
  await step('boundaries', () => {
    const places = ['kernel', 'plugins', 'ui', 'cli', 'shim', 'testing'];
    return node([bin('dependency-cruiser', 'depcruise'), '--config', '.dependency-cruiser.cjs', ...places]);
  });
  await step('types', () => node([bin('typescript', 'tsc'), '-p', 'testing/tsconfig.all.json']));
  await step('tests', mocha);
  await step('web UI', () => node(['scripts/ui-report.mjs']));
  await step('conformance', () => node(['scripts/conformance.mjs']));
  await step('acceptance', () => node(['scripts/acceptance.mjs']));
}

// failed tests are counted one by one, so their step is not counted again
const failures = tests.failures + failed.filter((name) => name !== 'tests' || tests.failures === 0).length;
if (failed.length) console.log(`\nfailed: ${failed.join(', ')}`);
console.log(`\n${tests.passes} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
