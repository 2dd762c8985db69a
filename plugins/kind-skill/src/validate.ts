/** Is a folder a skill? Answers with the first fault, its file and its line. */
import { readFileSync, statSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { SKILL_FILE } from './config.js';
import { isFault, parseFrontmatter, type Frontmatter, type Problem } from './frontmatter.js';
import { scan, type Scan } from './scan.js';
import { isText } from './text.js';

/** More is no head with instructions but something else by mistake. */
const SKILL_FILE_BYTES = 1_048_576;

export interface Checked {
  front: Frontmatter | undefined;
  problem: Problem | undefined;
  scan: Scan;
}

/** Looks at everything but the contents of other files. */
export async function checkFolder(root: string): Promise<Checked> {
  const found = await scan(root);
  const head = await lstat(path.join(root, SKILL_FILE)).then(
    (s) => (s.isFile() ? checkHead(root) : missing),
    () => missing,
  );
  return {
    front: 'front' in head ? head.front : undefined,
    problem: found.problem ?? ('front' in head ? undefined : head.problem),
    scan: found,
  };
}

type Head = { front: Frontmatter } | { problem: Problem };
const missing: Head = { problem: { file: SKILL_FILE, line: null, reason: 'is missing' } };

/** The head alone: quick enough to be asked on every list. */
export function checkHead(root: string): Head {
  const fault = (line: number | null, reason: string): Head => ({ problem: { file: SKILL_FILE, line, reason } });
  let bytes: Buffer;
  try {
    const file = path.join(root, SKILL_FILE);
    const s = statSync(file);
    if (!s.isFile()) return missing;
    if (s.size > SKILL_FILE_BYTES) return fault(null, 'is larger than 1 MB');
    bytes = readFileSync(file);
  } catch (e) {
    const { code } = e as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? missing : fault(null, `cannot be read (${code ?? 'error'})`);
  }
  if (!isText(bytes)) return fault(1, 'is not UTF-8 text');
  const front = parseFrontmatter(bytes.toString('utf8'));
  return isFault(front) ? fault(front.line, front.reason) : { front };
}

/** `SKILL.md, line 3: has no description`. */
export function worded(p: Problem): string {
  return `${p.file}${p.line === null ? '' : `, line ${p.line}`}: ${p.reason}`;
}
