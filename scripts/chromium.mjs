#!/usr/bin/env node
// Finds a Chromium for the tests of the UI and leaves its path in build/chromium.json. On Debian as root it installs one.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const PLACES = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .map((name) => process.env[name])
    .filter(Boolean)
    .flatMap((base) => [
      join(base, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      join(base, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]),
};

export function findChromium() {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((directory) => NAMES.map((name) => join(directory, name + suffix)));
  const candidates = [process.env.CHROME_PATH, ...onPath, ...(PLACES[process.platform] ?? [])];
  return candidates.find((path) => path && isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Resolves to the path of a browser that starts; throws with what to install otherwise. */
export async function ensureChromium() {
  let path = findChromium();
  if (!path && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], env);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], env);
    path = findChromium();
  }
  if (!path) {
    throw new Error('No Chromium was found. Install chromium or Google Chrome, or set CHROME_PATH to its program.');
  }
  // Chrome on Windows has no --version
  const version =
    process.platform === 'win32'
      ? undefined
      : execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  mkdirSync(`${ROOT}build`, { recursive: true });
  writeFileSync(`${ROOT}build/chromium.json`, `${JSON.stringify({ path, version }, null, 2)}\n`);
  return { path, version };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { path, version } = await ensureChromium();
    console.log(`${path} (${version ?? 'version unknown'})`);
  } catch (e) {
    console.error(e.message);
    process.exit(1);
  }
}
