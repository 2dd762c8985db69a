/** One place in an agent's folder: what is there, and the few things that may be done to it. Nothing of a person is ever deleted. */
import { cp, lstat, readFile, readlink, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contentHash, COPY_MARK, scan } from '../scan.js';

export type Spot =
  | { kind: 'absent' }
  /** `skill`: it leads to the master of this name, whether or not that is there. */
  | { kind: 'link'; target: string; skill: string | undefined }
  /** A copy of ours. `intact`: nobody has changed it. */
  | { kind: 'copy'; skill: string; hash: string; intact: boolean }
  | { kind: 'folder' }
  | { kind: 'file' };

export type Symlink = (target: string, at: string) => Promise<void>;
const systemSymlink: Symlink = (target, at) => symlink(target, at, 'dir');
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

export class Links {
  constructor(
    private readonly root: string,
    private readonly makeLink: Symlink = systemSymlink,
  ) {}

  async look(at: string): Promise<Spot> {
    const s = await lstat(at).catch((e: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes((e as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw e;
    });
    if (s === undefined) return { kind: 'absent' };
    if (s.isSymbolicLink()) {
      const target = await readlink(at);
      return { kind: 'link', target, skill: await this.skillOf(at, target) };
    }
    if (!s.isDirectory()) return { kind: 'file' };
    const mark = await readFile(path.join(at, COPY_MARK), 'utf8')
      .then((text) => JSON.parse(text) as { skill?: unknown; hash?: unknown })
      .catch(() => undefined);
    if (typeof mark?.skill !== 'string' || typeof mark.hash !== 'string') return { kind: 'folder' };
    return { kind: 'copy', skill: mark.skill, hash: mark.hash, intact: (await hashOf(at)) === mark.hash };
  }

  /** Of a link into the vault: the skill it names. Both may be written by way of other links. */
  private async skillOf(at: string, target: string): Promise<string | undefined> {
    const real = async (p: string): Promise<string> => realpath(p).catch(() => p);
    const folders = [path.dirname(at), await real(path.dirname(at))];
    const roots = [this.root, await real(this.root)];
    for (const folder of folders)
      for (const root of roots) {
        const relative = path.relative(root, path.resolve(folder, target));
        if (relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative) && !relative.includes(path.sep))
          return relative;
      }
    return undefined;
  }

  /** Where the system makes no links, a marked copy. The place must be free. */
  async put(master: string, skill: string, at: string): Promise<'link' | 'copy'> {
    try {
      await this.makeLink(master, at);
      return 'link';
    } catch (e) {
      if (!NO_LINKS.has((e as NodeJS.ErrnoException).code ?? '')) throw e;
    }
    const work = `${at}.coffer-new`;
    await rm(work, { recursive: true, force: true });
    try {
      await cp(master, work, { recursive: true, verbatimSymlinks: true });
      await writeFile(path.join(work, COPY_MARK), JSON.stringify({ skill, hash: await hashOf(work) }));
      await rename(work, at);
    } catch (e) {
      await rm(work, { recursive: true, force: true });
      throw e;
    }
    return 'copy';
  }

  /** Takes away what is ours: a link into the vault, or a copy that nobody has changed. Tells whether it did. */
  async takeAway(at: string, spot: Spot): Promise<boolean> {
    if (spot.kind === 'link' && spot.skill !== undefined) {
      await unlink(at);
      return true;
    }
    if (spot.kind !== 'copy' || !spot.intact) return false;
    await rm(at, { recursive: true, force: true });
    return true;
  }

  /** Moves aside what is not ours; answers where it is now. */
  async backUp(at: string, now: number): Promise<string> {
    const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    for (let n = 0; ; n++) {
      const to = `${at}.coffer-backup-${stamp}${n === 0 ? '' : `-${n}`}`;
      if ((await this.look(to)).kind !== 'absent') continue;
      await rename(at, to);
      return to;
    }
  }
}

async function hashOf(folder: string): Promise<string> {
  const { entries, problem } = await scan(folder);
  return problem === undefined ? contentHash(folder, entries).catch(() => '') : '';
}
