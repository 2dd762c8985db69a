/** How an agent's settings start parts of Coffer. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CofferError, type Kernel } from '@coffer/kernel';

type Parts = Pick<Kernel, 'programs' | 'paths' | 'env'>;

export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The shim, as an MCP server of an agent. Throws AGENT_UNSUPPORTED when it is not there. */
export function shimLaunch(kernel: Parts, agent: string): Launch {
  const [command = '', ...args] = kernel.programs.shim;
  const script = args.at(-1) ?? command;
  if (!existsSync(script))
    throw new CofferError(
      'AGENT_UNSUPPORTED',
      `coffer-mcp-shim is not at ${script}. Build or install Coffer anew, or name it with COFFER_MCP_SHIM_PATH. Nothing was written.`,
      { path: script },
    );
  return { command, args: [...args, '--agent', agent], env: environment(kernel) };
}

/** `coffer …` as one line for a shell, as agents take their hooks and helpers. */
export function cliLine(kernel: Parts, args: readonly string[]): string {
  const set = Object.entries(environment(kernel)).map(([k, v]) => `${k}=${v}`);
  const words = [...kernel.programs.cli, ...args];
  return (set.length === 0 ? words : ['env', ...set, ...words]).map(quoted).join(' ');
}

/** `coffer …` as words, for whoever starts it without a shell. */
export function cliWords(kernel: Parts, args: readonly string[]): string[] {
  const set = Object.entries(environment(kernel)).map(([k, v]) => `${k}=${v}`);
  const words = [...kernel.programs.cli, ...args];
  return set.length === 0 ? words : ['/usr/bin/env', ...set, ...words];
}

/** What this daemon was told about itself, an agent's environment does not say. */
function environment({ paths, env }: Parts): Record<string, string> {
  const usual = path.join(homedir(), '.coffer');
  const port = env['COFFER_PORT'];
  return {
    ...(paths.home !== usual && { COFFER_HOME: paths.home }),
    // 0: the system chooses a free one, each time another.
    ...(port !== undefined && port !== '' && port !== '0' && { COFFER_PORT: port }),
  };
}

export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
