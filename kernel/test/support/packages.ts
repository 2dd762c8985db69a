/** Tiny plugin packages on disk, and tarballs of them: as npm makes them, or as nobody should. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

export interface PackageOptions {
  name?: string;
  version?: string;
  /** Body of the module; `definePlugin` and `name` are in scope. */
  code?: string;
  more?: Record<string, unknown>;
  files?: Record<string, string>;
}

const KIND = `export default definePlugin({ name, apiVersion: 1, register(k) {
  k.kinds.define({ kind: 'pebble', label: { one: 'pebble', many: 'pebbles' }, schema: { type: 'object' } });
} });`;

/** Writes a package into a fresh folder and returns it. */
export function writePackage(at: string, options: PackageOptions = {}): string {
  const name = options.name ?? 'kind-pebble';
  const dir = path.join(at, name.replace('/', '-'));
  mkdirSync(dir, { recursive: true });
  const pkg = {
    name,
    version: options.version ?? '1.0.0',
    type: 'module',
    description: 'Pebbles',
    coffer: { plugin: './index.js' },
    ...options.more,
  };
  const bare = name.replace(/^@[^/]+\//, '');
  const files: Record<string, string> = {
    'package.json': JSON.stringify(pkg),
    'index.js': `import { definePlugin } from '@coffer/kernel';\nconst name = '${bare}';\n${options.code ?? KIND}\n`,
    ...options.files,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  }
  return dir;
}

/** The tarball that `npm pack` makes of it. */
export function npmPack(dir: string): string {
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--offline'], {
    cwd: dir,
    encoding: 'utf8',
  });
  return path.join(dir, out.trim().split('\n').at(-1) ?? '');
}

export interface Entry {
  path: string;
  type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'CharacterDevice';
  text?: string;
  linkpath?: string;
  /** What the header claims, when it is not the truth. */
  size?: number;
}

/** A tarball made of raw headers, so that it can hold what no packer would write. `level` of compression: 0 to 9. */
export function rawTarball(file: string, entries: readonly Entry[], level = 0): string {
  const blocks: Buffer[] = [];
  for (const e of entries) {
    const body = Buffer.from(e.text ?? '');
    const header = new Header({
      path: e.path,
      mode: 0o644,
      size: e.size ?? body.length,
      mtime: new Date(0),
      type: e.type ?? 'File',
      ...(e.linkpath === undefined ? {} : { linkpath: e.linkpath }),
    });
    header.encode();
    if (header.block === undefined) throw new Error('no block');
    blocks.push(header.block, body, Buffer.alloc((512 - (body.length % 512)) % 512));
  }
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level }));
  return file;
}
