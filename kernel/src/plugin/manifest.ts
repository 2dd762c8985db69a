/** What a package says of itself in its package.json under `coffer`; read without running any of it. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CofferError } from '../errors.js';
import { isObj, type JsonSchema } from '../json.js';
import { uiManifest, type UiManifest } from './ui.js';
import { check, compile } from '../resources/validate.js';

export interface Manifest {
  /** The plugin's module, relative to the package. */
  plugin: string;
  /** Commands: loaded only when one of its groups is named on the command line. */
  cli?: { module: string; groups: string[] };
  ui?: UiManifest;
}

export interface Found {
  /** Package name without its scope: the plugin's name. */
  name: string;
  version: string;
  description: string;
  source: 'bundled' | 'installed';
  /** Folder of the package. */
  dir: string;
  manifest: Manifest;
}

const inside = { type: 'string', pattern: '^\\./', not: { pattern: '(^|/)\\.\\.(/|$)' } };
const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['name', 'version', 'coffer'],
  properties: {
    // Its folder lies beside the vault's own node_modules.
    name: { type: 'string', pattern: '^(@[a-z0-9-._]+/)?(?!node_modules$)[a-z0-9][a-z0-9-._]*$', maxLength: 214 },
    version: { type: 'string', minLength: 1, maxLength: 64 },
    coffer: {
      type: 'object',
      required: ['plugin'],
      additionalProperties: false,
      properties: {
        plugin: inside,
        cli: {
          type: 'object',
          required: ['module', 'groups'],
          additionalProperties: false,
          properties: {
            module: inside,
            groups: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' } },
          },
        },
        ui: uiManifest(inside),
      },
    },
  },
};
const validate = compile(SCHEMA);

/** Reads a package's manifest. Throws PLUGIN_INVALID with the reason. */
export function readManifest(dir: string, source: Found['source']): Found {
  const file = path.join(dir, 'package.json');
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (e) {
    throw new CofferError(
      'PLUGIN_INVALID',
      `${file} is missing or no JSON: a plugin is a package with a "coffer" field.`,
      { path: file },
      { cause: e },
    );
  }
  check(validate, json, 'PLUGIN_INVALID', `The manifest ${file}`);
  const { name, version, description, coffer } = json as {
    name: string;
    version: string;
    description?: unknown;
    coffer: Manifest;
  };
  return {
    name: name.replace(/^@[^/]+\//, ''),
    version,
    description: typeof description === 'string' ? description : '',
    source,
    dir,
    manifest: coffer,
  };
}

export interface Discovered {
  found: Found[];
  /** Folders that look like plugins and cannot be one. */
  broken: { name: string; source: Found['source']; reason: string }[];
}

/** The bundled plugins: every package of the folder that has a `coffer` field. */
export function discoverBundled(folder: string): Discovered {
  return discover(subfolders(folder), 'bundled');
}

/** The installed ones: `<folder>/<name>/<install id>/`, of which the newest counts. */
export function discoverInstalled(folder: string): Discovered {
  const dirs = subfolders(folder)
    .filter((d) => path.basename(d) !== 'node_modules')
    .map((d) => subfolders(d).sort().at(-1))
    .filter((d) => d !== undefined);
  return discover(dirs, 'installed');
}

function discover(dirs: readonly string[], source: Found['source']): Discovered {
  const result: Discovered = { found: [], broken: [] };
  for (const dir of dirs) {
    const file = path.join(dir, 'package.json');
    if (!existsSync(file)) continue;
    try {
      if (source === 'bundled' && isOther(file)) continue;
      result.found.push(readManifest(dir, source));
    } catch (e) {
      const name = source === 'installed' ? path.basename(path.dirname(dir)) : path.basename(dir);
      result.broken.push({ name, source, reason: e instanceof Error ? e.message : 'unreadable' });
    }
  }
  return result;
}

/** A package that lies beside plugins and is none. */
function isOther(file: string): boolean {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObj(json) && json['coffer'] === undefined;
  } catch {
    // readManifest says what is wrong with it.
    return false;
  }
}

function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((e) => e.isDirectory() && !e.name.startsWith('.'))
    .map((e) => path.join(folder, e.name))
    .sort();
}
