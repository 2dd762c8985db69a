/**
 * The Claude Agent SDK, which drives the owner's `claude`. It is no dependency of ours in the usual way: npm would bring 400 MB of
 * another `claude` with it. It is taken from where it is, else fetched once into the vault, 5 MB, without that program.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram, ownerEnvironment, type Obj } from '@coffer/kernel';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** The version that the tests run with. */
export const SDK_VERSION = '0.3.332';
const NAME = '@anthropic-ai/claude-agent-sdk';
const FETCH_MS = 180_000;

/** What we use of its options; all of them are described in its `sdk.d.ts`. */
export interface QueryOptions {
  cwd: string;
  env: Record<string, string>;
  pathToClaudeCodeExecutable: string;
  includePartialMessages: boolean;
  settingSources: readonly string[];
  systemPrompt: { type: 'preset'; preset: 'claude_code' };
  permissionMode: 'bypassPermissions';
  allowDangerouslySkipPermissions: true;
  abortController: AbortController;
  model?: string;
  resume?: string;
  spawnClaudeCodeProcess(options: {
    command: string;
    args: string[];
    cwd?: string;
    env: Record<string, string | undefined>;
  }): ChildProcessWithoutNullStreams;
}
export interface Talk extends AsyncIterable<Obj> {
  interrupt(): Promise<void>;
}
export interface Sdk {
  query(given: { prompt: AsyncIterable<Obj>; options: QueryOptions }): Talk;
}

/** Its module, where it is installed: beside us, or in the folder of the vault. */
export function sdkFile(folder: string): string | undefined {
  const inVault = path.join(folder, 'node_modules', NAME, 'sdk.mjs');
  if (existsSync(inVault)) return inVault;
  try {
    return createRequire(import.meta.url).resolve(NAME);
  } catch {
    return undefined;
  }
}

export async function loadSdk(file: string): Promise<Sdk> {
  return (await import(pathToFileURL(file).href)) as Sdk;
}

/** Fetches it with the owner's npm. Throws an error whose message says what to do. */
export async function fetchSdk(folder: string, signal: AbortSignal): Promise<void> {
  const npm = await findProgram('npm');
  const advice = `Install it with: npm install --prefix ${folder} --omit=optional ${NAME}@${SDK_VERSION}`;
  if (npm === undefined) throw new Error(`The Claude Agent SDK is missing and npm was not found. ${advice}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const args = ['install', '--prefix', folder, '--omit=optional', '--omit=peer', '--ignore-scripts'];
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  const env = await ownerEnvironment();
  await new Promise<void>((resolve, reject) => {
    execFile(
      npm,
      [...args, ...quiet, `${NAME}@${SDK_VERSION}`],
      { cwd: folder, env, timeout: FETCH_MS, signal },
      (error) =>
        error === null ? resolve() : reject(new Error(`The Claude Agent SDK could not be fetched. ${advice}`)),
    );
  });
}
