/** Both halves of an import: stage, then confirm. Every choice is checked before the first of them is written. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { CofferError, type Actor, type Obj, type Resource } from '@coffer/kernel';
import { configOf, type SkillSource } from '../config.js';
import { invalid, type Skills } from '../skills.js';
import { absolute, fromFolder } from './folder.js';
import { fromGit, type GitParts } from './git.js';
import { type Stages, type Stage, type StagedSkill, type Unpacked } from './stages.js';
import { fromZip } from './zip.js';

const ARCHIVE_BYTES = 64 * 1_048_576;

export type ImportRequest =
  | { type: 'folder'; path: string }
  | { type: 'git'; url: string; ref?: string; subpath?: string }
  | { type: 'zip'; path: string }
  | { type: 'zip'; name: string; content_base64: string };

export interface StagedView extends StagedSkill {
  source: SkillSource;
  /** A skill of this name is in the vault. */
  taken: boolean;
  /** And its folder was changed since it came: replacing it loses that. */
  edited: boolean;
}

export class Importer {
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly skills: Skills,
    private readonly stages: Stages,
    private readonly git: GitParts,
  ) {}

  async stage(request: ImportRequest, signal: AbortSignal): Promise<Obj> {
    return this.view(await this.stages.stage((dir) => this.unpack(request, dir, signal)));
  }

  async show(id: string): Promise<Obj> {
    return this.view(this.stages.get(id));
  }

  cancel(id: string): Promise<void> {
    return this.inTurn(() => {
      this.stages.get(id);
      return this.stages.drop(id);
    });
  }

  /** Takes the named skills of a stage; those in `replace` may take the place of one that is there. The stage is gone afterwards. */
  confirm(id: string, names: readonly string[], replace: readonly string[], actor: Actor): Promise<Resource[]> {
    return this.inTurn(() => this.take(id, names, replace, actor));
  }

  private async take(
    id: string,
    names: readonly string[],
    replace: readonly string[],
    actor: Actor,
  ): Promise<Resource[]> {
    const stage = this.stages.get(id);
    const chosen = [...new Set(names)].map((name) => {
      const found = stage.skills.find((s) => s.name === name);
      if (found === undefined) throw new CofferError('BAD_REQUEST', `This import has no skill ${name.slice(0, 64)}.`);
      if (!found.valid || found.at === undefined) throw invalid(name, found.problem ?? undefined);
      return { ...found, at: found.at };
    });
    for (const { name } of chosen) {
      if (replace.includes(name)) continue;
      if (this.skills.find(name) !== undefined || (await this.skills.library.has(name)))
        throw new CofferError(
          'RESOURCE_ALREADY_EXISTS',
          `There is a skill ${name} already. Replace it on purpose (--replace), or leave it out. Nothing was written.`,
          { name },
        );
    }
    const done: Resource[] = [];
    for (const { name, description, hash, at, folder } of chosen)
      done.push(await this.skills.install({ name, description, hash, at, source: stage.sourceOf(folder) }, actor));
    await this.stages.drop(id);
    return done;
  }

  private async unpack(request: ImportRequest, dir: string, signal: AbortSignal): Promise<Unpacked> {
    switch (request.type) {
      case 'folder':
        return fromFolder(request.path, dir);
      case 'git':
        return fromGit(request, dir, this.git, signal);
      case 'zip': {
        if ('path' in request) {
          const file = absolute(request.path);
          return fromZip(await archive(file), path.basename(file), dir);
        }
        return fromZip(Buffer.from(request.content_base64, 'base64'), path.basename(request.name), dir);
      }
    }
  }

  /** One at a time: what was checked must still hold when it is written. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  private async view(stage: Stage): Promise<Obj> {
    const skills: StagedView[] = [];
    for (const { at: _at, hash: _hash, ...s } of stage.skills) {
      const row = this.skills.find(s.name);
      const taken = row !== undefined || (s.valid && (await this.skills.library.has(s.name)));
      const edited = row !== undefined && (await this.skills.hashNow(s.name)) !== configOf(row).content_hash;
      skills.push({ ...s, source: stage.sourceOf(s.folder), taken, edited });
    }
    return { id: stage.id, label: stage.label, expires_at: stage.expires_at, skills };
  }
}

async function archive(file: string): Promise<Buffer> {
  try {
    const s = await stat(file);
    if (!s.isFile()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (s.size > ARCHIVE_BYTES)
      throw new CofferError('SKILL_SOURCE_REFUSED', `The archive is larger than ${ARCHIVE_BYTES / 1_048_576} MB.`);
    return await readFile(file);
  } catch (e) {
    if (e instanceof CofferError) throw e;
    throw new CofferError('SKILL_SOURCE_FAILED', `The archive cannot be read (${(e as NodeJS.ErrnoException).code}).`);
  }
}
