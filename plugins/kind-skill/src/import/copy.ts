/** A snapshot of a folder that somebody may be working in: what is copied is what was looked at, or the copy fails. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../frontmatter.js';
import { readLimited, type Entry } from '../scan.js';

/** Copies what a scan found; the first entry that is no longer the same is the answer. */
export async function copyEntries(from: string, entries: readonly Entry[], to: string): Promise<Problem | undefined> {
  await mkdir(to, { recursive: true, mode: 0o755 });
  for (const e of entries) {
    const target = path.join(to, e.path);
    if (e.type === 'folder') await mkdir(target, { mode: 0o755 });
    else if (e.type === 'link') await symlink(e.target ?? '', target);
    else {
      const changed = { file: e.path, line: null, reason: 'changed while it was read: try again' };
      const read = await readLimited(path.join(from, e.path), e.size).catch(() => undefined);
      if (read === undefined || read.size !== e.size || read.bytes.length !== e.size) return changed;
      await writeFile(target, read.bytes, { flag: 'wx', mode: e.executable ? 0o755 : 0o644 });
    }
  }
  return undefined;
}
