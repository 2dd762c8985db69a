/** What the files of a git repository say of it. Starts no git: a repository may be somebody else's, with hooks and helpers of its own. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface Repository {
  /** The folder that holds `.git`. */
  root: string;
  /** URL of the remote `origin`, as it stands there. */
  origin: string | undefined;
  /** Name of the branch, or `detached-<commit>`. */
  branch: string | undefined;
}

/** The repository a folder is in; undefined when it is in none. */
export function repositoryOf(folder: string): Repository | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const dir = gitDir(at);
    if (dir !== undefined) return { root: at, origin: originOf(commonDir(dir)), branch: branchOf(dir) };
    if (path.dirname(at) === at) return undefined;
  }
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
function gitDir(root: string): string | undefined {
  const at = path.join(root, '.git');
  try {
    if (statSync(at).isDirectory()) return at;
    const named = /^gitdir: (.+)$/m.exec(readFileSync(at, 'utf8'))?.[1];
    return named === undefined ? undefined : path.resolve(root, named.trim());
  } catch {
    return undefined;
  }
}

/** Worktrees share the config of the repository they belong to. */
function commonDir(dir: string): string {
  const common = text(path.join(dir, 'commondir'))?.trim();
  return common === undefined ? dir : path.resolve(dir, common);
}

function originOf(dir: string): string | undefined {
  let here = false;
  for (const line of (text(path.join(dir, 'config')) ?? '').split('\n')) {
    const section = /^\s*\[(.+)\]/.exec(line)?.[1];
    if (section !== undefined) here = /^remote\s+"origin"$/.test(section.trim());
    const url = here ? /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1] : undefined;
    if (url !== undefined) return url.replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

function branchOf(dir: string): string | undefined {
  const head = text(path.join(dir, 'HEAD'))?.trim();
  if (head === undefined) return undefined;
  return (
    /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ??
    (/^[0-9a-f]{40,64}$/.test(head) ? `detached-${head.slice(0, 12)}` : undefined)
  );
}

function text(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
