import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = dirname(dirname(fileURLToPath(import.meta.url)));
const BESIDE = dirname(CLI);

/** The program of the daemon. */
export const daemonProgram = (): string => fileURLToPath(import.meta.resolve('@coffer/kernel/main'));

/** Folder of the bundled plugins: in the repository a folder of their own, as packages beside this one. */
export function bundledPlugins(): string {
  const folder = join(BESIDE, 'plugins');
  return existsSync(folder) ? folder : BESIDE;
}

/** The script of coffer-mcp-shim; `COFFER_MCP_SHIM_PATH` names another. */
export function shimScript(): string {
  const folder = existsSync(join(BESIDE, 'shim')) ? 'shim' : 'mcp-shim';
  return process.env.COFFER_MCP_SHIM_PATH || join(BESIDE, folder, 'dist', 'coffer-mcp-shim.cjs');
}

/** Version of the CLI, which is that of the product. */
export function version(): string {
  return (JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The `coffer` script itself, for completion and for restarts. */
export const ownScript = (): string => join(CLI, 'bin', 'coffer.js');
