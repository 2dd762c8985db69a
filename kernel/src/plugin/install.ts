/** Installing third-party plugins into the vault: unpacked under limits, scripts off, swapped in whole. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  readlinkSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ulid } from 'ulid';
import { CofferError, className, isCofferError } from '../errors.js';
import type { Obj } from '../json.js';
import type { Audit } from '../journal/types.js';
import type { Actor } from '../resources/types.js';
import { KERNEL } from '../product.js';
import type { Host } from './host.js';
import { readManifest, type Found, type Manifest } from './manifest.js';
import type { PluginRecord } from './record.js';

const MAX_FILES = 5000;
const MAX_BYTES = 100 * 1_048_576;
const run = promisify(execFile);

export interface Declared {
  name: string;
  version: string;
  description: string;
  manifest: Manifest;
  dependencies: string[];
  /** Scripts of the package that Coffer does not run. */
  skipped_scripts: string[];
  files: number;
  bytes: number;
  /** Version that is installed now. */
  replaces: string | null;
}

export interface Installer {
  preview(spec: string, signal: AbortSignal): Promise<Declared>;
  add(spec: string, actor: Actor, signal: AbortSignal): Promise<PluginRecord>;
  remove(name: string, actor: Actor): Promise<void>;
  toggle(name: string, enabled: boolean, actor: Actor): Promise<PluginRecord>;
}

/** Lets plugins in the vault import `@coffer/kernel` without an install: the link is the running product's own copy (docs/decisions/0006). */
export function linkKernel(pluginsDir: string): void {
  const scope = path.join(pluginsDir, 'node_modules', '@coffer');
  const link = path.join(scope, 'kernel');
  mkdirSync(scope, { recursive: true, mode: 0o700 });
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(link) === KERNEL) return;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(KERNEL, link, 'junction');
}

/** Removes what an installation left that was killed half-way. Only under the vault's lock, before anything is installed. */
export function sweepStaging(pluginsDir: string): void {
  if (!existsSync(pluginsDir)) return;
  for (const name of readdirSync(pluginsDir))
    if (name.startsWith('.staging-')) rmSync(path.join(pluginsDir, name), { recursive: true, force: true });
}

export function createInstaller(dir: string, host: Host, audit: Audit): Installer {
  /** The package, unpacked into a folder of its own under the plugins folder; the caller renames or removes it. */
  const stage = async (spec: string, signal: AbortSignal): Promise<{ staged: string; found: Found }> => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const staged = path.join(dir, `.staging-${ulid()}`);
    try {
      const local = existsSync(spec) ? statSync(spec) : undefined;
      if (local?.isDirectory() === true) copyFolder(realpathSync(spec), staged);
      else if (local?.isFile() === true) await unpack(path.resolve(spec), staged);
      else await fromNpm(spec, staged, signal);
      return { staged, found: readManifest(staged, 'installed') };
    } catch (e) {
      rmSync(staged, { recursive: true, force: true });
      throw e;
    }
  };

  const declared = ({ staged, found }: { staged: string; found: Found }): Declared => {
    const pkg = JSON.parse(readFileSync(path.join(staged, 'package.json'), 'utf8')) as Obj;
    const size = measure(staged);
    return {
      name: found.name,
      version: found.version,
      description: found.description,
      manifest: found.manifest,
      dependencies: Object.keys((pkg['dependencies'] ?? {}) as Obj),
      skipped_scripts: Object.keys((pkg['scripts'] ?? {}) as Obj),
      ...size,
      replaces: host.records.get(found.name)?.version ?? null,
    };
  };

  return {
    async preview(spec, signal) {
      const s = await stage(spec, signal);
      try {
        return declared(s);
      } finally {
        rmSync(s.staged, { recursive: true, force: true });
      }
    },
    async add(spec, actor, signal) {
      const { staged, found } = await stage(spec, signal);
      try {
        const known = host.records.get(found.name);
        if (known?.source === 'bundled')
          throw new CofferError('PLUGIN_CONFLICT', `${found.name} is a bundled plugin; give yours another name.`, {
            name: found.name,
          });
        await dependencies(staged, signal);
        if (known !== undefined) await host.forget(found.name);
        linkKernel(dir);
        const home = path.join(dir, found.name);
        const old = existsSync(home) ? readdirSync(home) : [];
        mkdirSync(home, { recursive: true, mode: 0o700 });
        const final = path.join(home, ulid());
        renameSync(staged, final);
        for (const o of old) rmSync(path.join(home, o), { recursive: true, force: true });
        await host.load([readManifest(final, 'installed')]);
        const record = host.get(found.name);
        if (record.state === 'active') await host.startPlugin(found.name);
        audit.write({
          event_type: 'plugin_added',
          actor,
          details: { name: found.name, version: found.version, state: record.state },
        });
        return record;
      } finally {
        rmSync(staged, { recursive: true, force: true });
      }
    },
    async remove(name, actor) {
      const r = host.get(name);
      if (r.source === 'bundled')
        throw new CofferError(
          'PLUGIN_CONFLICT',
          `${name} belongs to Coffer and cannot be removed. Disable it instead: coffer plugin disable ${name}`,
          { name },
        );
      await host.forget(name);
      rmSync(path.join(dir, name), { recursive: true, force: true });
      audit.write({ event_type: 'plugin_removed', actor, details: { name, version: r.version } });
    },
    async toggle(name, enabled, actor) {
      const record = enabled ? await host.enable(name) : await host.disable(name);
      audit.write({ event_type: enabled ? 'plugin_enabled' : 'plugin_disabled', actor, details: { name } });
      return record;
    },
  };
}

/** Links are not followed: a plugin's folder holds all that it is. Only files and folders are taken, and only up to the limits. */
function copyFolder(from: string, to: string): void {
  const count = counter();
  try {
    cpSync(from, to, {
      recursive: true,
      filter: (source) => {
        const parts = path.relative(from, source).split(path.sep);
        const stat = lstatSync(source);
        const own = parts.at(-1) === '@coffer' && parts.at(-2) === 'node_modules';
        if (parts.at(-1) === '.git' || own || (!stat.isFile() && !stat.isDirectory())) return false;
        if (stat.isFile() && !count(stat.size)) throw tooLarge();
        return true;
      },
    });
  } catch (e) {
    if (isCofferError(e)) throw e;
    throw new CofferError('PLUGIN_INVALID', `This folder cannot be copied (${codeOf(e)}).`, {}, { cause: e });
  }
}

async function unpack(file: string, to: string): Promise<void> {
  const tar = await import('tar');
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const count = counter();
  let over = false;
  try {
    await tar.x({
      file,
      cwd: to,
      // npm's own layout: everything below one folder.
      strip: 1,
      strict: true,
      preserveOwner: false,
      filter: (_name, entry) => {
        if (over || !('type' in entry) || (entry.type !== 'File' && entry.type !== 'Directory')) return false;
        // An exception in here would reach nobody: the rest is left out, and said below.
        over = !count(entry.size ?? 0);
        return !over;
      },
    });
  } catch (e) {
    if (isCofferError(e)) throw e;
    throw new CofferError('PLUGIN_INVALID', 'This file is no npm tarball (.tgz), or a damaged one.', {}, { cause: e });
  }
  if (over) throw tooLarge();
}

async function fromNpm(spec: string, to: string, signal: AbortSignal): Promise<void> {
  // A path that does not exist, or an option in disguise, must not reach npm.
  if (!/^(@[a-z0-9-._]+\/)?[a-z0-9][a-z0-9-._]*(@[A-Za-z0-9-._^~<>=*]+)?$/.test(spec)) {
    throw new CofferError('PLUGIN_INVALID', 'There is no such folder or file, and it is no npm package name either.');
  }
  const packed = `${to}-pack`;
  mkdirSync(packed, { recursive: true, mode: 0o700 });
  try {
    await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', packed, '--', spec], packed, signal);
    const [tarball] = readdirSync(packed).filter((f) => f.endsWith('.tgz'));
    if (tarball === undefined) throw new CofferError('PLUGIN_INVALID', 'npm packed nothing for this name.');
    await unpack(path.join(packed, tarball), to);
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
}

/** Installs what the plugin depends on, into its own folder; nothing of it runs. */
async function dependencies(folder: string, signal: AbortSignal): Promise<void> {
  const pkg = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { dependencies?: Obj };
  const names = Object.keys(pkg.dependencies ?? {}).filter((n) => !n.startsWith('@coffer/'));
  if (names.length === 0 || existsSync(path.join(folder, 'node_modules'))) return;
  await npm(
    ['install', '--ignore-scripts', '--omit=dev', '--omit=peer', '--no-audit', '--no-fund', '--silent'],
    folder,
    signal,
  );
  rmSync(path.join(folder, 'node_modules', '@coffer'), { recursive: true, force: true });
}

async function npm(args: string[], cwd: string, signal: AbortSignal): Promise<void> {
  try {
    await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
      cwd,
      signal,
      timeout: 300_000,
      maxBuffer: 10 * 1_048_576,
      shell: process.platform === 'win32',
    });
  } catch (e) {
    const { stderr } = e as { stderr?: string };
    throw new CofferError(
      'PLUGIN_INVALID',
      `npm could not get the package${stderr === undefined || stderr === '' ? '' : `: ${stderr.trim().split('\n')[0]?.slice(0, 300)}`}. Check its name and the network.`,
      {},
      { cause: e },
    );
  }
}

/** Counts files and bytes; false once a package has more than it may. */
function counter(): (size: number) => boolean {
  let files = 0;
  let bytes = 0;
  return (size) => {
    files++;
    bytes += size;
    return files <= MAX_FILES && bytes <= MAX_BYTES;
  };
}

function measure(folder: string): { files: number; bytes: number } {
  let files = 0;
  let bytes = 0;
  for (const e of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!e.isFile()) continue;
    files++;
    bytes += statSync(path.join(e.parentPath, e.name)).size;
  }
  return { files, bytes };
}

function codeOf(e: unknown): string {
  return (e as NodeJS.ErrnoException).code ?? className(e);
}

function tooLarge(): CofferError {
  return new CofferError(
    'PLUGIN_INVALID',
    `A plugin may have ${MAX_FILES} files and ${MAX_BYTES / 1_048_576} MiB; this package has more.`,
  );
}
