/** The skills of the vault: rows and folders together. Nothing is half-written: a refused row puts the old folder back. */
import { CofferError, type Actor, type Kernel, type Obj, type Resource } from '@coffer/kernel';
import path from 'node:path';
import { configOf, KIND, SKILL_FILE, type SkillConfig, type SkillSource } from './config.js';
import { readSkillFile, treeOf, writeSkillFile, type FileContent, type TreeNode } from './files.js';
import { mendable } from './faults.js';
import { isFault, parseFrontmatter, type Frontmatter, type Problem } from './frontmatter.js';
import type { Library } from './library.js';
import { contentHash } from './scan.js';
import { checkFolder, checkHead, worded } from './validate.js';

/** A folder ready to become a master. */
export interface Ready {
  name: string;
  description: string;
  hash: string;
  at: string;
  source: SkillSource;
}

export interface Looked {
  front: Frontmatter | undefined;
  problem: Problem | undefined;
  file_count: number;
  size_bytes: number;
}

export class Skills {
  #hashes = new Map<string, { stamp: string; hash: string }>();

  constructor(
    private readonly kernel: Pick<Kernel, 'resources' | 'audit' | 'clock' | 'gateway' | 'emit' | 'machine'>,
    readonly library: Library,
  ) {}

  list(): Resource[] {
    return this.kernel.resources.list(KIND);
  }
  /** Throws RESOURCE_NOT_FOUND. */
  get(name: string): Resource {
    return this.kernel.resources.get(KIND, name);
  }
  find(name: string): Resource | undefined {
    return this.kernel.resources.find(KIND, name);
  }
  folder(name: string): string {
    return this.library.folder(name);
  }

  /** What its folder says now, without reading more than SKILL.md. */
  async look(name: string): Promise<Looked> {
    const { front, problem, scan } = await checkFolder(this.folder(name));
    const renamed = front === undefined ? undefined : renamedFault(name, front);
    return { front, problem: problem ?? renamed, file_count: scan.files, size_bytes: scan.bytes };
  }

  /** Is its head right? Quick: asked whenever an agent lists its tools. */
  sound(name: string): boolean {
    const head = checkHead(this.folder(name));
    return 'front' in head && renamedFault(name, head.front) === undefined;
  }

  /** The hash of its folder now; null when it cannot be read whole. Read again only when something in it has changed. */
  async hashNow(name: string): Promise<string | null> {
    const { scan } = await checkFolder(this.folder(name));
    if (scan.problem !== undefined) return null;
    const stamp = scan.entries.map((e) => `${e.path}\0${e.stamp}`).join('\n');
    const known = this.#hashes.get(name);
    if (known?.stamp === stamp) return known.hash;
    const hash = await contentHash(this.folder(name), scan.entries).catch(() => null);
    if (hash !== null) this.#hashes.set(name, { stamp, hash });
    return hash;
  }

  /** Puts a folder in its place, then the row; the row of an existing skill keeps its switch and its scope. */
  async install(ready: Ready, actor: Actor, event?: string): Promise<Resource> {
    const { name, description, hash, at, source } = ready;
    const config: SkillConfig = {
      source,
      description,
      content_hash: hash,
      last_synced_at: new Date(this.kernel.clock.now()).toISOString(),
    };
    const before = this.find(name);
    const placed = await this.library.install(name, at).catch((e: unknown) => {
      throw mendable(e);
    });
    let row: Resource;
    try {
      const change = { description, config: config as unknown as Obj };
      row =
        before === undefined
          ? await this.kernel.resources.create({ kind: KIND, name, ...change }, actor)
          : await this.kernel.resources.update(KIND, name, change, actor);
    } catch (e) {
      await placed.undo();
      throw mendable(e);
    }
    await placed.done();
    this.kernel.audit.write({
      event_type: event ?? (before === undefined ? 'skill_imported' : 'skill_updated'),
      resource_kind: KIND,
      resource_name: name,
      actor,
      details: { source: { ...source }, content_hash: hash },
    });
    return row;
  }

  /** The row of a master that has none, from its SKILL.md. Throws SKILL_INVALID. */
  async rebuild(name: string, actor: Actor): Promise<Resource> {
    const { front, problem, scan } = await checkFolder(this.folder(name));
    const wrong = problem ?? (front === undefined ? undefined : renamedFault(name, front));
    if (wrong !== undefined || front === undefined) throw invalid(name, wrong);
    const config: SkillConfig = {
      source: { type: 'adopted', agent: null, path: this.folder(name) },
      description: front.description,
      content_hash: await contentHash(this.folder(name), scan.entries),
      last_synced_at: null,
    };
    return this.kernel.resources.create({ kind: KIND, name, description: front.description, config: config }, actor);
  }

  /** Brings the row's description up to what SKILL.md says; somebody may have edited it through a link. */
  async refresh(name: string, actor: Actor): Promise<void> {
    const row = this.find(name);
    const head = checkHead(this.folder(name));
    if (row === undefined || !('front' in head) || renamedFault(name, head.front) !== undefined) return;
    const { description } = head.front;
    const config = configOf(row);
    if (config.description === description && row.description === description) return;
    await this.kernel.resources.update(KIND, name, { description, config: { ...config, description } }, actor);
  }

  async tree(name: string): Promise<TreeNode[]> {
    this.get(name);
    return treeOf((await checkFolder(this.folder(name))).scan.entries);
  }

  /** Paths of what an agent may load besides SKILL.md, at most 500. */
  async otherFiles(name: string): Promise<string[]> {
    const { scan } = await checkFolder(this.folder(name));
    return scan.entries
      .filter((e) => e.type !== 'folder' && e.path !== SKILL_FILE)
      .map((e) => e.path)
      .slice(0, 500);
  }

  read(name: string, file: string): Promise<FileContent> {
    this.get(name);
    return readSkillFile(this.folder(name), file);
  }

  /** Throws SKILL_INVALID, with line and reason, for a SKILL.md that would break the skill. */
  async write(name: string, file: string, content: string, actor: Actor): Promise<FileContent> {
    this.get(name);
    if (path.posix.normalize(file) === SKILL_FILE) {
      const front = parseFrontmatter(content);
      const wrong: Problem | undefined = isFault(front) ? { file: SKILL_FILE, ...front } : renamedFault(name, front);
      if (wrong !== undefined) throw invalid(name, wrong);
    }
    const written = await writeSkillFile(this.folder(name), file, content);
    this.kernel.audit.write({
      event_type: 'skill_file_written',
      resource_kind: KIND,
      resource_name: name,
      actor,
      details: { file: written.path, size: written.size },
    });
    await this.refresh(name, actor);
    this.kernel.emit({ type: 'resource', action: 'files', ref: `${KIND}:${name}`, kind: KIND, name });
    this.kernel.gateway.changed();
    return written;
  }
}

function renamedFault(name: string, front: Frontmatter): Problem | undefined {
  return front.name === name
    ? undefined
    : { file: SKILL_FILE, line: null, reason: `calls the skill ${front.name}, its folder calls it ${name}` };
}

export function invalid(name: string, problem: Problem | undefined): CofferError {
  const p = problem ?? { file: SKILL_FILE, line: null, reason: 'is missing' };
  return new CofferError('SKILL_INVALID', `${name} is no valid skill. ${worded(p)}.`, { problem: { ...p } });
}
