import { execFile } from 'node:child_process';
import { CofferError } from '@coffer/kernel';
import type { StdioTransport } from './config.js';
import { findCommand } from './launch/command.js';
import { childEnvironment } from './launch/environment.js';
import type { Launcher } from './launch/launcher.js';

/** What may be installed for the owner: a fixed map, so that no config decides what is run. */
const FORMULAS: ReadonlyMap<string, string> = new Map([
  ['uvx', 'uv'],
  ['uv', 'uv'],
  ['npx', 'node'],
  ['node', 'node'],
  ['bunx', 'oven-sh/bun/bun'],
  ['bun', 'oven-sh/bun/bun'],
]);
const INSTALL_MS = 600_000;
const TAIL = 2000;

export interface RunnerStatus {
  missing_runner?: string;
  runner_installable?: boolean;
  searched_path?: string;
}

/** Does the command of a server exist on this machine? Starts nothing. */
export async function runnerStatus(launcher: Launcher, t: StdioTransport): Promise<RunnerStatus> {
  const { file, searched } = await launcher.find(t);
  if (file !== undefined) return {};
  const runner = t.command.split(/[\\/]/).at(-1) ?? t.command;
  return {
    missing_runner: runner,
    runner_installable: !/[\\/]/.test(t.command) && FORMULAS.has(runner),
    searched_path: searched,
  };
}

/** Installs a missing launcher with Homebrew. Throws RUNNER_INSTALL_UNSUPPORTED or RUNNER_INSTALL_FAILED (details: stderr). */
export async function installRunner(
  launcher: Launcher,
  t: StdioTransport,
): Promise<{ runner: string; formula: string }> {
  const formula = FORMULAS.get(t.command);
  if (formula === undefined)
    throw new CofferError(
      'RUNNER_INSTALL_UNSUPPORTED',
      `Coffer installs only ${[...FORMULAS.keys()].join(', ')}. Install the command of this server yourself.`,
    );
  const path = await launcher.searchPath.get();
  const brew = findCommand('brew', {
    path: `${path}:/opt/homebrew/bin:/usr/local/bin:/home/linuxbrew/.linuxbrew/bin`,
    cwd: '/',
    home: '/',
  });
  if (brew === undefined)
    throw new CofferError(
      'RUNNER_INSTALL_UNSUPPORTED',
      `Homebrew is not installed, so ${t.command} has to be installed by hand.`,
    );
  await new Promise<void>((resolve, reject) => {
    execFile(
      brew,
      ['install', formula],
      { timeout: INSTALL_MS, maxBuffer: 16 * 2 ** 20, env: childEnvironment(process.env, path, {}) },
      (error, _, stderr) =>
        error === null
          ? resolve()
          : reject(
              new CofferError('RUNNER_INSTALL_FAILED', `brew install ${formula} failed`, {
                stderr: stderr.slice(-TAIL),
              }),
            ),
    );
  });
  launcher.searchPath.forget();
  return { runner: t.command, formula };
}
