/** Where the product's own files are: beside the kernel in the repository, or beside it as packages. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The kernel's own package, wherever this code was bundled to inside it. */
export const KERNEL = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const VERSION = (JSON.parse(readFileSync(path.join(KERNEL, 'package.json'), 'utf8')) as { version: string })
  .version;

/** Folder whose packages with a `coffer` field are the bundled plugins. */
export function bundledPlugins(): string {
  const sibling = path.join(KERNEL, '..', 'plugins');
  return existsSync(sibling) ? sibling : path.join(KERNEL, '..');
}

/** Folder of the built web UI. */
export function uiFolder(): string {
  return path.join(KERNEL, '..', 'ui', 'dist');
}

/** How other programs start a part of the product: the program and its first arguments. Absolute, since they know no PATH of ours. */
export interface Programs {
  /** `coffer`. */
  readonly cli: readonly string[];
  /** `coffer-mcp-shim`; `COFFER_MCP_SHIM_PATH` names another. */
  readonly shim: readonly string[];
}

export function programs(env: Readonly<Record<string, string | undefined>>): Programs {
  const beside = (inRepository: string, asPackage: string, ...file: string[]): string => {
    const folders = [inRepository, asPackage].map((f) => path.join(KERNEL, '..', f, ...file));
    return folders.find((f) => existsSync(f)) ?? (folders[0] as string);
  };
  const script = (file: string): string[] => (/\.[cm]?js$/.test(file) ? [process.execPath, file] : [file]);
  return {
    cli: script(beside('cli', 'cli', 'bin', 'coffer.js')),
    shim: script(env['COFFER_MCP_SHIM_PATH'] || beside('shim', 'mcp-shim', 'dist', 'coffer-mcp-shim.cjs')),
  };
}
