/** An agent's own files, found by their keys alone: nobody names a path here. */
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  CofferError,
  editForeign,
  isCofferError,
  readForeign,
  type Actor,
  type ForeignChange,
  type Kernel,
  type Obj,
} from '@coffer/kernel';
import type { Agents } from './agents.js';
import { KIND } from './config.js';
import { parseToml } from './edit/toml.js';
import type { AgentPlace, ConfigFile } from './seam.js';

export interface FileItem {
  key: string;
  display_name: string;
  path: string;
  folder_path: string;
  format: ConfigFile['format'];
  kind: 'file' | 'directory';
  exists: boolean;
  /** Bytes. */
  size: number;
  modified_at: string | null;
  /** Of a folder: its files, as paths below it. */
  files: string[];
}
export interface FileContent {
  content: string;
  exists: boolean;
  fingerprint: string;
}

/** How many files of a folder are told of. */
const MOST = 1000;

export class ConfigFiles {
  constructor(
    private readonly kernel: Pick<Kernel, 'audit'>,
    private readonly agents: Agents,
  ) {}

  list(name: string): FileItem[] {
    const { facet, place } = this.agents.with(name, 'configFiles');
    return facet.map((f) => itemOf(f, place));
  }

  /** Throws AGENT_FILE_NOT_FOUND, FILE_UNREADABLE. A file that is not there reads as empty and is not made. */
  read(name: string, key: string, child?: string): FileContent {
    const { facet, place } = this.agents.with(name, 'configFiles');
    const { text, exists, fingerprint } = readForeign(fileOf(facet, place, key, child));
    if (child !== undefined && !exists) throw notFound();
    return { content: text, exists, fingerprint };
  }

  /** Throws FILE_CHANGED when it is not what the fingerprint says, AGENT_FILE_INVALID, FILE_READ_ONLY, AGENT_FILE_NOT_FOUND. */
  write(
    name: string,
    key: string,
    { content, fingerprint, child }: { content: string; fingerprint?: string; child?: string },
    actor: Actor,
  ): FileContent {
    const { facet, place } = this.agents.withHere(name, 'configFiles');
    const file = fileOf(facet, place, key, child);
    const { format } = facet.find((f) => f.key === key) as ConfigFile;
    const done = editForeign(
      file,
      () => {
        validate(format, content);
        return content;
      },
      fingerprint === undefined ? {} : { fingerprint },
    );
    this.#audit('agent_config_file_written', name, key, child, done, actor);
    return this.read(name, key, child);
  }

  /** A file of a folder; a backup stays. */
  remove(name: string, key: string, child: string, actor: Actor): void {
    const { facet, place } = this.agents.withHere(name, 'configFiles');
    const file = fileOf(facet, place, key, child);
    if (!readForeign(file).exists) throw notFound();
    const done = editForeign(file, () => undefined);
    this.#audit('agent_config_file_deleted', name, key, child, done, actor);
  }

  #audit(
    event_type: string,
    name: string,
    key: string,
    child: string | undefined,
    done: ForeignChange,
    actor: Actor,
  ): void {
    if (done.before === done.after) return;
    const details: Obj = { key, ...(child !== undefined && { child }) };
    this.kernel.audit.write({ event_type, resource_kind: KIND, resource_name: name, actor, details });
  }
}

function itemOf(f: ConfigFile, place: AgentPlace): FileItem {
  const at = f.format === 'directory' ? f.folder(place) : f.file(place);
  const stat = statOf(at);
  return {
    key: f.key,
    display_name: f.label,
    path: at,
    folder_path: f.format === 'directory' ? at : path.dirname(at),
    format: f.format,
    kind: f.format === 'directory' ? 'directory' : 'file',
    exists: stat !== undefined,
    size: f.format === 'directory' ? 0 : (stat?.size ?? 0),
    modified_at: stat === undefined ? null : stat.mtime.toISOString(),
    files: f.format === 'directory' ? childrenOf(at) : [],
  };
}

function statOf(at: string): { size: number; mtime: Date } | undefined {
  try {
    return statSync(at);
  } catch {
    return undefined;
  }
}

/** Markdown files below a folder; links are not followed. */
function childrenOf(folder: string): string[] {
  const found: string[] = [];
  const walk = (below: string): void => {
    let entries;
    try {
      entries = readdirSync(path.join(folder, below), { withFileTypes: true });
    } catch {
      return;
    }
    for (const e of entries) {
      if (found.length >= MOST) return;
      const at = below === '' ? e.name : `${below}/${e.name}`;
      if (e.isDirectory()) walk(at);
      else if (e.isFile() && e.name.endsWith('.md')) found.push(at);
    }
  };
  walk('');
  return found.sort();
}

function fileOf(files: readonly ConfigFile[], place: AgentPlace, key: string, child?: string): string {
  const found = files.find((f) => f.key === key);
  if (found === undefined || (found.format === 'directory') !== (child !== undefined)) throw notFound();
  return found.format === 'directory' ? childOf(found.folder(place), child ?? '') : found.file(place);
}

/** A path below a folder, that does not leave it by any way. */
function childOf(folder: string, child: string): string {
  if (!child.endsWith('.md'))
    throw new CofferError('AGENT_FILE_INVALID', 'Files of this folder are Markdown: their names end in .md.');
  const parts = child.split('/');
  if (path.isAbsolute(child) || /[\\\0]/.test(child) || parts.some((p) => p === '' || p === '.' || p === '..'))
    throw notFound();
  const full = path.join(folder, ...parts);
  // A link among its folders, or in its place, may lead anywhere.
  for (let i = 1; i <= parts.length; i++) {
    try {
      if (lstatSync(path.join(folder, ...parts.slice(0, i))).isSymbolicLink()) throw notFound();
    } catch (e) {
      if (isCofferError(e)) throw e;
      break;
    }
  }
  try {
    if (!path.join(realpathSync(path.dirname(full)), path.basename(full)).startsWith(realpathSync(folder) + path.sep))
      throw notFound();
  } catch (e) {
    // Not made yet: what is not there is no link.
    if (isCofferError(e)) throw e;
  }
  return full;
}

function validate(format: ConfigFile['format'], content: string): void {
  if (format === 'toml') parseToml(content);
  if (format !== 'json' || content.trim() === '') return;
  try {
    JSON.parse(content);
  } catch (e) {
    const at = /position (\d+)/.exec(String(e))?.[1];
    const line = at === undefined ? undefined : content.slice(0, Number(at)).split('\n').length;
    throw new CofferError(
      'AGENT_FILE_INVALID',
      `This is no JSON${line === undefined ? '' : `: it is broken in line ${line}`}. Nothing was written.`,
      {
        ...(line !== undefined && { line }),
      },
    );
  }
}

function notFound(): CofferError {
  return new CofferError('AGENT_FILE_NOT_FOUND', 'This agent has no such file. See: coffer agent config ls NAME');
}
