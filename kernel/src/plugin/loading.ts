/**
 * A mark in the vault for as long as an installed plugin is loading. A plugin that ends or hangs the whole process cannot be
 * caught by the process itself: the mark tells the next one who it was. Only one plugin bears it at a time.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PluginRecord } from './record.js';

type Marked = Pick<PluginRecord, 'source' | 'dir'>;

function fileOf(r: Marked): string | undefined {
  return r.source === 'installed' && r.dir !== null ? path.join(path.dirname(r.dir), '.loading') : undefined;
}

/** Did its last load never come to an end? */
export function wasLoading(r: Marked): boolean {
  const file = fileOf(r);
  return file !== undefined && existsSync(file);
}

export function markLoading(r: Marked): void {
  const file = fileOf(r);
  if (file === undefined) return;
  try {
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // A full disk is no reason to be without the plugin; it is loaded without this net.
  }
}

export function clearLoading(r: Marked): void {
  const file = fileOf(r);
  if (file === undefined) return;
  try {
    rmSync(file, { force: true });
  } catch {
    // It stays and is found at the next start, which then says how to go on.
  }
}
