#!/usr/bin/env node
// `npm run up`: from a fresh clone to a running Coffer. Installs and builds what is missing, then runs `coffer up`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(ROOT, ...parts);
const OUTPUTS = ['kernel/dist/main.js', 'cli/dist/main.js', 'shim/dist/coffer-mcp-shim.cjs'].map((f) => at(f));
const STAMP = at('node_modules', '.cache', 'coffer-built');
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Coffer needs Node.js 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org`);
  process.exit(1);
}

/** Runs a step with its output on ours; what fails ends this script with the same code. */
function step(label, command, args) {
  console.error(`${label} …`);
  const from = performance.now();
  // npm is a .cmd on Windows; output goes to stderr, so that stdout is that of `coffer up` alone
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2], shell });
  if (error !== undefined || status !== 0) {
    console.error(
      `${label}: failed${error ? ` (${error.message})` : ''}. Put right what is said above and run npm run up again.`,
    );
    process.exit(status || 1);
  }
  console.error(`${label}: done in ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

/** Is every package of the lock file there in its version? Optional ones may be missing. */
function installed() {
  const own = at('node_modules', '.package-lock.json');
  if (!existsSync(own)) return false;
  const there = json(own).packages;
  return Object.entries(json(at('package-lock.json')).packages)
    .filter(([path, p]) => path.includes('node_modules/') && !p.optional && !p.devOptional && !p.peer)
    .every(([path, p]) => there[path]?.version === p.version && existsSync(at(path)));
}

/** Newest change of a file that a build reads; a folder's own time changes with what the build writes. */
function newest(path) {
  const s = statSync(path);
  if (!s.isDirectory()) return s.mtimeMs;
  return readdirSync(path, { withFileTypes: true })
    .filter((e) => !['node_modules', 'dist', 'build', 'test'].includes(e.name) && !e.name.endsWith('.tsbuildinfo'))
    .reduce((latest, e) => Math.max(latest, newest(join(path, e.name))), 0);
}
const sources = () =>
  Math.max(...['kernel', 'plugins', 'cli', 'shim', 'ui'].filter((d) => existsSync(at(d))).map((d) => newest(at(d))));
const built = (since) => OUTPUTS.every((f) => existsSync(f)) && existsSync(STAMP) && statSync(STAMP).mtimeMs >= since;

if (!installed()) step('Installing packages (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund']);
const since = sources();
if (!built(since)) {
  if (existsSync(at('scripts', 'build.mjs'))) step('Building', process.execPath, [at('scripts', 'build.mjs')]);
  else {
    step('Building', process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-b']);
    step('Building the shim', process.execPath, [at('shim', 'build.mjs')]);
  }
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, '');
  // What changed while the build ran is built next time.
  utimesSync(STAMP, new Date(), new Date(since + 1));
}

// Without a terminal nobody can be asked, and the demo is what this script is for.
const flags = process.argv.slice(2);
const unasked = process.stdin.isTTY || flags.includes('--no-demo') || flags.includes('--yes') ? [] : ['--yes'];
const { status, signal } = spawnSync(process.execPath, [at('cli', 'bin', 'coffer.js'), 'up', ...unasked, ...flags], {
  stdio: 'inherit',
});
process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
