/** Skills of a git repository: fetched without a checkout, so that nothing of it runs, and read file by file at one commit. */
import { lookup } from 'node:dns/promises';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CofferError, type Clock } from '@coffer/kernel';
import { LIMITS } from '../config.js';
import type { Problem } from '../frontmatter.js';
import { JUNK, linkFault } from '../scan.js';
import { skillFolders } from './find.js';
import { checkRef, checkSubpath, isInside, parseGitAddress, type GitAddress } from './git-address.js';
import { failed, GIT_LIMITS, GitRunner, refused, type GitLimits } from './git-run.js';
import type { Candidate, Unpacked } from './stages.js';

const TREE_BYTES = 32 * 1_048_576;
const PICK = 'refs/coffer/pick';

export interface GitRequest {
  url: string;
  ref?: string | undefined;
  subpath?: string | undefined;
}
export interface GitParts {
  clock: Clock;
  /** Repositories of this machine and its network are allowed. */
  local: boolean;
  limits?: GitLimits;
}

export async function fromGit(
  request: GitRequest,
  dir: string,
  parts: GitParts,
  signal: AbortSignal,
): Promise<Unpacked> {
  const address = parseGitAddress(request.url, parts.local);
  const ref = request.ref ?? null;
  if (ref !== null) checkRef(ref);
  const subpath = checkSubpath(request.subpath ?? '');
  const pinned = await resolved(address, parts.local);
  const git = new GitRunner(parts.clock, address, pinned, parts.limits ?? GIT_LIMITS, signal);
  const repository = path.join(dir, 'repository');
  await git.run(['init', '--quiet', '--bare', '--template=', repository], { most: 65_536 });
  const inside = (...args: string[]): string[] => ['-C', repository, ...args];

  const from = await pick(git, inside, address, ref);
  await git.run(
    inside(
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--no-recurse-submodules',
      '--',
      address.shown,
      `+${from}:${PICK}`,
    ),
    { most: 65_536, watch: repository },
  );
  const commit = text(await git.run(inside('rev-parse', '--verify', `${PICK}^{commit}`), { most: 65_536 })).trim();
  const tree = text(await git.run(inside('ls-tree', '-r', '-z', '-l', '--full-tree', commit), { most: TREE_BYTES }));
  const files = blobsOf(tree, subpath);
  const candidates: Candidate[] = [];
  for (const [i, folder] of skillFolders(files.map((f) => f.path)).entries()) {
    const own = files.filter((f) => folder === '' || f.path.startsWith(`${folder}/`));
    const problem = tooMuch(own);
    const at = path.join(dir, String(i));
    if (problem === undefined) await write(git, inside('cat-file', '--batch'), own, folder, at);
    candidates.push(problem === undefined ? { folder, at } : { folder, problem });
  }
  return {
    candidates,
    label: address.shown,
    sourceOf: (folder) => ({
      type: 'git',
      url: address.shown,
      ref,
      subpath: [subpath, folder].filter((p) => p !== '').join('/') || null,
      commit,
    }),
  };
}

/** Looks the host up once; what git then talks to is what was looked at. Throws SKILL_SOURCE_REFUSED for a place inside. */
async function resolved(address: GitAddress, local: boolean): Promise<string | undefined> {
  if (address.host === undefined || local) return undefined;
  const found = await lookup(address.host, { all: true }).catch(() => []);
  if (found.length === 0) throw failed('its host has no address');
  if (found.some((f) => isInside(f.address)))
    throw refused('This address leads to this machine or into its network (COFFER_SKILLS_LOCAL_GIT=1 allows it).');
  return `${address.host}:${address.port}:${found.map((f) => (f.family === 6 ? `[${f.address}]` : f.address)).join(',')}`;
}

/** A branch, then a tag, then a commit; none is the head. */
async function pick(
  git: GitRunner,
  inside: (...args: string[]) => string[],
  address: GitAddress,
  ref: string | null,
): Promise<string> {
  if (ref === null) return 'HEAD';
  const wanted = [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const listed = text(await git.run(inside('ls-remote', '--', address.shown, ...wanted), { most: 1_048_576 }));
  const there = new Set(listed.split('\n').map((l) => l.split('\t')[1]));
  const found = wanted.find((w) => there.has(w));
  if (found !== undefined) return found;
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(ref)) return ref;
  throw new CofferError(
    'SKILL_SOURCE_FAILED',
    'The repository has no branch or tag of this name, and it is no whole commit.',
  );
}

interface Blob {
  path: string;
  mode: string;
  sha: string;
  size: number;
}

/** Files and links below a folder; submodules are left out. Throws for a tree that no git of good will writes. */
function blobsOf(tree: string, subpath: string): Blob[] {
  const prefix = subpath === '' ? '' : `${subpath}/`;
  return tree.split('\0').flatMap((line): Blob[] => {
    const m = /^(\d{6}) blob ([0-9a-f]+)\s+(\d+)\t(.+)$/s.exec(line);
    if (m === null) return [];
    const [, mode = '', sha = '', size = '0', at = ''] = m;
    const parts = at.split('/');
    if (parts.some((p) => p === '' || p === '.' || p === '..' || p.includes('\\')))
      throw refused('The repository has a file whose path leads out of it.');
    if (!at.startsWith(prefix) || parts.some((p) => JUNK.has(p))) return [];
    return [{ path: at.slice(prefix.length), mode, sha, size: Number(size) }];
  });
}

function tooMuch(files: readonly Blob[]): Problem | undefined {
  const fault = (reason: string): Problem => ({ file: files[0]?.path ?? '', line: null, reason });
  if (files.length > LIMITS.files) return fault(`the skill has more than ${LIMITS.files} files`);
  const bytes = files.reduce((n, f) => n + f.size, 0);
  return bytes > LIMITS.bytes ? fault(`the skill is larger than ${LIMITS.bytes / 1_048_576} MB`) : undefined;
}

/** Straight from the object store: no filter, no attribute, no hook has a say. */
async function write(
  git: GitRunner,
  args: string[],
  files: readonly Blob[],
  folder: string,
  to: string,
): Promise<void> {
  const input = files.map((f) => `${f.sha}\n`).join('');
  const batch = await git.run(args, { input, most: LIMITS.bytes + files.length * 128 });
  const links: { target: string; link: string; path: string }[] = [];
  const twice = (f: { path: string }) => (e: unknown) => {
    throw refused(
      `The repository has two files for one place (${(e as NodeJS.ErrnoException).code}): ${JSON.stringify(f.path.slice(0, 200))}.`,
    );
  };
  let at = 0;
  for (const f of files) {
    const head = batch.indexOf(10, at);
    const bytes = batch.subarray(head + 1, head + 1 + f.size);
    at = head + 1 + f.size + 1;
    const relative = folder === '' ? f.path : f.path.slice(folder.length + 1);
    const target = path.join(to, relative);
    if (f.mode === '120000') {
      const link = bytes.toString('utf8');
      const wrong = linkFault(relative, link);
      if (wrong !== undefined) throw refused(`In the repository ${JSON.stringify(f.path.slice(0, 200))} ${wrong}.`);
      links.push({ target, link, path: f.path });
      continue;
    }
    await mkdir(path.dirname(target), { recursive: true, mode: 0o755 }).catch(twice(f));
    await writeFile(target, bytes, { flag: 'wx', mode: f.mode === '100755' ? 0o755 : 0o644 }).catch(twice(f));
  }
  // Links last: no file is ever written through one.
  for (const l of links) {
    await mkdir(path.dirname(l.target), { recursive: true, mode: 0o755 }).catch(twice(l));
    await symlink(l.link, l.target).catch(twice(l));
  }
}

const text = (bytes: Buffer): string => bytes.toString('utf8');
