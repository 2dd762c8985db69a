/** The master folders: `<home>/skills/<name>`. The only place where one is put, replaced or taken away. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { NAME } from './frontmatter.js';

/** A master that is being replaced or removed; no skill's name begins with a dot. */
const OLD = '.old-';

export class Library {
  constructor(readonly root: string) {}

  folder(name: string): string {
    return path.join(this.root, name);
  }

  /** Names of the folders that are there, whether or not anybody knows them. */
  async names(): Promise<string[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch(() => []);
    return entries.filter((e) => e.isDirectory() && NAME.test(e.name)).map((e) => e.name);
  }

  async has(name: string): Promise<boolean> {
    return lstat(this.folder(name)).then(
      (s) => s.isDirectory(),
      () => false,
    );
  }

  /**
   * Moves a finished folder into its place in one step; a reader sees the old or the new one. `undo` puts back what was there, `done`
   * drops it.
   */
  async install(name: string, from: string): Promise<{ undo(): Promise<void>; done(): Promise<void> }> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const at = this.folder(name);
    const old = path.join(this.root, `${OLD}${name}`);
    await rm(old, { recursive: true, force: true });
    const replaced = existsSync(at);
    if (replaced) await rename(at, old);
    const back = async (): Promise<void> => {
      await rm(at, { recursive: true, force: true });
      if (replaced) await rename(old, at);
    };
    try {
      await rename(from, at);
    } catch (e) {
      await back();
      throw e;
    }
    return { undo: back, done: () => rm(old, { recursive: true, force: true }) };
  }

  /** Out of sight in one step, then gone. */
  async remove(name: string): Promise<void> {
    const old = path.join(this.root, `${OLD}${name}`);
    await rm(old, { recursive: true, force: true });
    await rename(this.folder(name), old).catch((e: unknown) => {
      if ((e as NodeJS.ErrnoException).code !== 'ENOENT') throw e;
    });
    await rm(old, { recursive: true, force: true });
  }

  /** After a crash in the middle of {@link install}: what was moved aside comes back unless its successor stands. */
  async recover(known: (name: string) => boolean): Promise<void> {
    for (const entry of await readdir(this.root).catch(() => [])) {
      if (!entry.startsWith(OLD)) continue;
      const name = entry.slice(OLD.length);
      const old = path.join(this.root, entry);
      if (!existsSync(this.folder(name)) && known(name)) await rename(old, this.folder(name));
      else await rm(old, { recursive: true, force: true });
    }
  }
}
