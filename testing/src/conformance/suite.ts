import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FS_WITH_GLOB } from './fs-with-glob.js';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
  readonly details?: unknown;
}

/** The checks of each scenario that ran. */
export type SuiteResult = Map<string, Check[]>;

/** What of the suite is run: all of a revision of MCP, or scenarios by name, which those of extensions need. */
export type Selection = { readonly specVersion: string } | { readonly scenarios: readonly string[] };

/** Runs the official server suite, pending scenarios too, against a URL. Rejects when the suite itself could not run. */
export async function runSuite(url: string, selection: Selection, timeoutMs = 180_000): Promise<SuiteResult> {
  const home = await mkdtemp(join(tmpdir(), 'coffer-conformance-'));
  const some = (args: string[]): Promise<string> =>
    run(['server', '--url', url, '-o', join(home, 'out'), ...args], home, timeoutMs);
  try {
    let output = '';
    if ('specVersion' in selection) output = await some(['--suite', 'all', '--spec-version', selection.specVersion]);
    else for (const name of selection.scenarios) output += await some(['--scenario', name]);
    const result = await readChecks(join(home, 'out'));
    if (result.size === 0) throw new Error(`The conformance suite ran no scenario:\n${output.slice(-2000)}`);
    return result;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The suite's exit code says only whether a check failed, which its files say better. */
function run(args: string[], cwd: string, timeoutMs: number): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  const entry = join(dirname(manifest), 'dist', 'index.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', FS_WITH_GLOB, entry, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      if (signal) reject(new Error(`The conformance suite did not end in ${timeoutMs} ms:\n${output.slice(-2000)}`));
      else resolve(output);
    });
  });
}

/** One folder per scenario: `server-<scenario>-<ISO time>/checks.json`. */
async function readChecks(directory: string): Promise<SuiteResult> {
  const result: SuiteResult = new Map();
  for (const folder of (await readdir(directory).catch(() => [])).sort()) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder)?.[1];
    if (scenario) result.set(scenario, JSON.parse(await readFile(join(directory, folder, 'checks.json'), 'utf8')));
  }
  return result;
}
