/** The files of a skill, for people and agents: nothing outside its folder can be named. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CofferError } from '@coffer/kernel';
import { SHOWN_BYTES } from './config.js';
import { readLimited, type Entry } from './scan.js';
import { isText, wholeCharacters } from './text.js';

export interface FileContent {
  path: string;
  /** Null when the file is binary. */
  content: string | null;
  binary: boolean;
  truncated: boolean;
  size: number;
}

export interface TreeNode {
  name: string;
  path: string;
  type: Entry['type'];
  size: number;
  children?: TreeNode[];
}

/** Folders first, then by name. */
export function treeOf(entries: readonly Entry[]): TreeNode[] {
  const root: TreeNode = { name: '', path: '', type: 'folder', size: 0, children: [] };
  const folders = new Map([['', root]]);
  for (const e of entries) {
    const node: TreeNode = {
      name: path.posix.basename(e.path),
      path: e.path,
      type: e.type,
      size: e.size,
      ...(e.type === 'folder' && { children: [] }),
    };
    const above = path.posix.dirname(e.path);
    folders.get(above === '.' ? '' : above)?.children?.push(node);
    if (e.type === 'folder') folders.set(e.path, node);
  }
  for (const { children } of folders.values())
    children?.sort((a, b) => Number(b.type === 'folder') - Number(a.type === 'folder') || (a.name < b.name ? -1 : 1));
  return root.children ?? [];
}

/** Throws SKILL_PATH_OUTSIDE before anything is opened. */
function relativeOf(given: string): string {
  const clean = path.posix.normalize(given.replaceAll('\\', '/'));
  if (
    given === '' ||
    given.includes('\0') ||
    clean.startsWith('/') ||
    /^[A-Za-z]:/.test(clean) ||
    /^\.\.(\/|$)/.test(clean)
  )
    throw new CofferError(
      'SKILL_PATH_OUTSIDE',
      'A file of a skill is named by its path inside the skill, for example scripts/run.sh.',
    );
  return clean;
}

async function locate(root: string, given: string): Promise<{ relative: string; file: string }> {
  const relative = relativeOf(given);
  const none = (): CofferError =>
    new CofferError('SKILL_FILE_NOT_FOUND', 'The skill has no such file. See: coffer skill files NAME');
  try {
    const [base, file] = await Promise.all([realpath(root), realpath(path.join(root, relative))]);
    if (!(file + path.sep).startsWith(base + path.sep))
      throw new CofferError('SKILL_PATH_OUTSIDE', 'This path leads out of the skill through a link.');
    if (!(await lstat(file)).isFile()) throw none();
    return { relative, file };
  } catch (e) {
    throw e instanceof CofferError ? e : none();
  }
}

/** One file, at most 256 KiB of it. */
export async function readSkillFile(root: string, given: string): Promise<FileContent> {
  const { relative, file } = await locate(root, given);
  let read: { bytes: Buffer; size: number };
  try {
    read = await readLimited(file, SHOWN_BYTES);
  } catch {
    throw new CofferError('SKILL_FILE_NOT_FOUND', 'The file is gone or cannot be read.');
  }
  const truncated = read.size > read.bytes.length;
  const bytes = truncated ? wholeCharacters(read.bytes) : read.bytes;
  const binary = !isText(bytes);
  return { path: relative, content: binary ? null : bytes.toString('utf8'), binary, truncated, size: read.size };
}

/** Replaces an existing text file, wholly or not at all. */
export async function writeSkillFile(root: string, given: string, content: string): Promise<FileContent> {
  const { file } = await locate(root, given);
  const before = await readSkillFile(root, given);
  if (before.binary) throw new CofferError('SKILL_SOURCE_REFUSED', 'Only text files can be edited here.');
  const temp = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  const { mode } = await lstat(file);
  try {
    const handle = await open(temp, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode & 0o777);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, file);
  } catch (e) {
    await rm(temp, { force: true });
    throw e;
  }
  return readSkillFile(root, given);
}
