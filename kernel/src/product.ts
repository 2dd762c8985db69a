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
