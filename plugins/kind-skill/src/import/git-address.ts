/** Which repositories may be asked for, and under which address they may be shown. Pure. */
import { BlockList, isIP } from 'node:net';
import { CofferError } from '@coffer/kernel';

export interface GitAddress {
  protocol: 'https' | 'http' | 'ssh' | 'file';
  /** Without password and token; what is stored, shown and put on command lines. */
  shown: string;
  /** With them; goes to git through its environment only. Equal to `shown` when there is none. */
  full: string;
  /** Of http and https: to be looked up before git does. */
  host?: string;
  port?: number;
}

/** `local`: repositories on this machine and inside the network are allowed too (COFFER_SKILLS_LOCAL_GIT). Throws SKILL_SOURCE_REFUSED. */
export function parseGitAddress(given: string, local: boolean): GitAddress {
  const text = given.trim();
  if (/[\u0000-\u0020\u007f]/.test(text) || text.startsWith('-')) throw refused('is no address of a repository');
  const scp = /^(?:([A-Za-z0-9._-]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/|:)([^\s]+)$/.exec(text);
  if (scp !== null && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    if (scp[3]?.startsWith('-')) throw refused('is no address of a repository');
    return { protocol: 'ssh', shown: text, full: text };
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused('is no address of a repository: https://… or user@host:path');
  }
  switch (url.protocol) {
    case 'https:':
    case 'http:': {
      if (url.protocol === 'http:' && !local) throw refused('is not encrypted: use https');
      const shown = new URL(url);
      shown.username = shown.password = shown.search = shown.hash = '';
      const host = url.hostname.replace(/^\[|\]$/g, '');
      return {
        protocol: url.protocol === 'https:' ? 'https' : 'http',
        shown: shown.href,
        full: url.href,
        host,
        port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      };
    }
    case 'ssh:': {
      if (url.hostname.startsWith('-') || url.username.startsWith('-')) throw refused('is no address of a repository');
      const shown = new URL(url);
      // A user is a part of an ssh address; a password has no place in one.
      shown.password = shown.search = shown.hash = '';
      return { protocol: 'ssh', shown: shown.href, full: shown.href };
    }
    case 'file:':
      if (!local) throw refused('is on this machine: import its folder instead');
      return { protocol: 'file', shown: url.href, full: url.href };
    default:
      throw refused('has a transport that is not allowed: only https and ssh are');
  }
}

const INSIDE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  INSIDE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  INSIDE.addSubnet(net, bits, 'ipv6');

/** Loopback, private, link-local, shared, multicast or reserved: nothing that a stranger's address should make us talk to. */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address);
  if (mapped?.[1] !== undefined) return isInside(mapped[1]);
  if (mapped !== null) {
    const [high, low] = [parseInt(mapped[2] ?? '0', 16), parseInt(mapped[3] ?? '0', 16)];
    return isInside([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  }
  const version = isIP(address);
  return version === 0 || INSIDE.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Words of git may repeat the address it was given. */
export function withoutSecrets(text: string, address: GitAddress): string {
  let clean = text.replaceAll(/\/\/[^@/\s]+@/g, '//');
  if (address.full !== address.shown) {
    clean = clean.replaceAll(address.full, address.shown);
    const { username, password, search } = new URL(address.full);
    for (const secret of [password, username, search])
      if (secret.length > 3) clean = clean.replaceAll(secret, '***').replaceAll(decodeURIComponent(secret), '***');
  }
  return clean;
}

export function checkRef(ref: string): void {
  if (!/^(?!-)[^\s~^:?*[\\\u0000-\u001f\u007f]{1,250}$/.test(ref) || ref.includes('..'))
    throw new CofferError('BAD_REQUEST', 'A ref is the name of a branch or a tag, or a whole commit.');
}

/** Throws BAD_REQUEST for a path that leads out. `''` is the top. */
export function checkSubpath(subpath: string): string {
  const parts = subpath.split('/').filter((p) => p !== '' && p !== '.');
  if (parts.includes('..') || subpath.includes('\0') || subpath.includes('\\'))
    throw new CofferError('BAD_REQUEST', 'A subpath is a folder inside the repository.');
  return parts.join('/');
}

function refused(why: string): CofferError {
  return new CofferError('SKILL_SOURCE_REFUSED', `This ${why}.`);
}
