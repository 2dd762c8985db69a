/** An agent's own program: where it is, which version, and short commands of it. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CofferError } from '@coffer/kernel';
import type { AgentDefinition, AgentPlace } from './seam.js';

/** A program that has not answered by then hangs. */
const VERSION_MS = 5000;
const COMMAND_MS = 60_000;

/** On the PATH of the daemon; undefined when it is not installed. */
export function findProgram(command: string, search = process.env['PATH'] ?? ''): string | undefined {
  const names = process.platform === 'win32' ? [`${command}.cmd`, `${command}.exe`] : [command];
  return search
    .split(path.delimiter)
    .filter((dir) => dir !== '')
    .flatMap((dir) => names.map((n) => path.join(dir, n)))
    .find(executable);
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What it says to `--version`: the number in it, or null. */
export async function versionOf(definition: AgentDefinition): Promise<{ path: string | null; version: string | null }> {
  const file = definition.program && findProgram(definition.program.command);
  if (file === undefined) return { path: null, version: null };
  try {
    const out = await run(file, ['--version'], ownEnvironment(), VERSION_MS);
    return { path: file, version: /\d+\.\d+[\w.+-]*/.exec(out)?.[0] ?? null };
  } catch {
    return { path: file, version: null };
  }
}

/** Runs a command of the agent for one of its folders. Throws AGENT_PROGRAM_FAILED; nothing that it printed is in the error. */
export async function command(definition: AgentDefinition, place: AgentPlace, args: readonly string[]): Promise<void> {
  const { program, label } = definition;
  const file = program && findProgram(program.command);
  if (program === undefined || file === undefined)
    throw new CofferError(
      'AGENT_PROGRAM_FAILED',
      `The program of ${label} was not found on the PATH of the daemon. Install it, or do this in the agent itself.`,
    );
  try {
    await run(
      file,
      args,
      { ...ownEnvironment(), ...(!place.usual && { [program.dirVariable]: place.dir }) },
      COMMAND_MS,
    );
  } catch (e) {
    const { killed, code } = e as { killed?: boolean; code?: unknown };
    throw new CofferError(
      'AGENT_PROGRAM_FAILED',
      killed === true
        ? `${label} did not end within ${COMMAND_MS / 1000} s and was stopped.`
        : `${label} could not do that (${String(code)}). Try it in the agent itself.`,
      {},
      { cause: e },
    );
  }
}

/** They are the owner's own programs; what Coffer was told is none of their business. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([k]) => !k.startsWith('COFFER_')));
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv, timeout: number): Promise<string> {
  const running = promisify(execFile)(file, args, { env, timeout, killSignal: 'SIGKILL', windowsHide: true });
  // One that asks gets no answer instead of waiting for it.
  running.child.stdin?.end();
  return running.then(({ stdout }) => stdout);
}
