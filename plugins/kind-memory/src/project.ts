/** Which project a session works in: its repository, known by the remote it came from, so that all checkouts share one memory. */
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { repositoryOf } from './git-files.js';

export interface Project {
  /** Name of its store. */
  store: string;
  /** `host/path` of the remote, else the absolute path of the root. */
  identity: string;
  /** For people: the last part of it. */
  label: string;
  root: string;
  branch: string | undefined;
}

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Undefined: not in a repository. A home folder that is one itself is no project: everything would be in it. */
export function projectOf(cwd: string | null | undefined): Project | undefined {
  if (cwd === null || cwd === undefined || !path.isAbsolute(cwd)) return undefined;
  const repository = repositoryOf(cwd);
  if (repository === undefined || repository.root === os.homedir()) return undefined;
  const { root, origin, branch } = repository;
  const identity = (origin === undefined ? undefined : normalised(origin)) ?? root;
  return { store: storeName(identity), identity, label: path.basename(identity), root, branch };
}

/** `host/path` in lower case, however the remote is reached; undefined for what names no host. Credentials in it are dropped. */
export function normalised(url: string): string | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(url);
  let host: string;
  let at: string;
  if (scp !== null && !/^[a-z]:[\\/]/i.test(url)) [, host = '', at = ''] = scp;
  else {
    let parsed: URL;
    try {
      parsed = new URL(url);
    } catch {
      return undefined;
    }
    ({ hostname: host, pathname: at } = parsed);
  }
  const clean = decodeSafely(at)
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/i, '');
  return host === '' || clean === '' ? undefined : `${host}/${clean}`.toLowerCase();
}

/** 128 bits of a digest in 26 characters that can be read aloud. */
export function storeName(identity: string): string {
  let n = BigInt(`0x${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`);
  let id = '';
  for (let i = 0; i < 26; i++) {
    id = (CROCKFORD[Number(n & 31n)] ?? '0') + id;
    n >>= 5n;
  }
  return `project-${id}`;
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
