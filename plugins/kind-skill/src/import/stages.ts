/** The first half of an import: what is there is copied into a folder of its own and looked at. Nothing else is written. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { CofferError, type Clock } from '@coffer/kernel';
import type { SkillSource } from '../config.js';
import { mendable } from '../faults.js';
import type { Problem } from '../frontmatter.js';
import { contentHash } from '../scan.js';
import { checkFolder } from '../validate.js';
import { MOST_SKILLS } from './find.js';

/** What nobody confirmed is dropped after so many minutes. */
const EXPIRY_MIN = 30;
const MOST_STAGES = 20;

/** A folder that may be a skill, lying in the stage. */
export interface Candidate {
  /** Relative to what was given; `''` is the top. */
  folder: string;
  /** Where its copy is; absent when it could not be copied. */
  at?: string;
  problem?: Problem;
}

/** What a source gives: candidates, and how to say where one came from. */
export interface Unpacked {
  candidates: readonly Candidate[];
  /** For people: the path, the address without secrets, the file. */
  label: string;
  sourceOf: (folder: string) => SkillSource;
}

export interface StagedSkill {
  name: string;
  folder: string;
  description: string;
  file_count: number;
  size_bytes: number;
  valid: boolean;
  problem: Problem | null;
}
interface Held extends StagedSkill {
  at: string | undefined;
  hash: string;
}

export interface Stage {
  readonly id: string;
  readonly label: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly skills: readonly Held[];
  sourceOf: (folder: string) => SkillSource;
}

export class Stages {
  #open = new Map<string, { stage: Stage; dir: string; timer: { clear(): void } }>();

  constructor(
    private readonly root: string,
    private readonly clock: Clock,
  ) {}

  /** A new, empty folder is handed to `unpack`; it goes again when that fails. */
  async stage(unpack: (dir: string) => Promise<Unpacked>): Promise<Stage> {
    const id = randomUUID();
    const dir = path.join(this.root, id);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    try {
      const { candidates, label, sourceOf } = await unpack(dir);
      if (candidates.length === 0)
        throw new CofferError(
          'SKILL_INVALID',
          'There is no SKILL.md here, at the top or one or two folders down. Name the folder that has one.',
        );
      if (candidates.length > MOST_SKILLS)
        throw new CofferError(
          'SKILL_SOURCE_REFUSED',
          `There are more than ${MOST_SKILLS} skills here. Name a folder with fewer.`,
        );
      const skills: Held[] = [];
      for (const c of candidates) skills.push(await look(c, label));
      for (const s of skills)
        if (s.valid && skills.some((o) => o !== s && o.name === s.name))
          s.problem = { file: 'SKILL.md', line: null, reason: `the name ${s.name} is there more than once` };
      for (const s of skills) s.valid = s.problem === null;
      const expires = EXPIRY_MIN * 60_000;
      const stage: Stage = {
        id,
        label,
        expires_at: new Date(this.clock.now() + expires).toISOString(),
        skills,
        sourceOf,
      };
      this.#open.set(id, { stage, dir, timer: this.clock.setTimeout(() => void this.drop(id), expires) });
      const [oldest] = this.#open.keys();
      if (this.#open.size > MOST_STAGES && oldest !== undefined) await this.drop(oldest);
      return stage;
    } catch (e) {
      await rm(dir, { recursive: true, force: true });
      throw mendable(e);
    }
  }

  /** Throws SKILL_IMPORT_NOT_FOUND. */
  get(id: string): Stage {
    const found = this.#open.get(id);
    if (found === undefined)
      throw new CofferError(
        'SKILL_IMPORT_NOT_FOUND',
        'This import was confirmed, cancelled or left alone for too long. Begin it again.',
      );
    return found.stage;
  }

  async drop(id: string): Promise<void> {
    const found = this.#open.get(id);
    if (found === undefined) return;
    this.#open.delete(id);
    found.timer.clear();
    await rm(found.dir, { recursive: true, force: true });
  }

  /** All of them, and what an earlier daemon left. */
  async clear(): Promise<void> {
    for (const { timer } of this.#open.values()) timer.clear();
    this.#open.clear();
    await rm(this.root, { recursive: true, force: true });
  }
}

async function look(c: Candidate, label: string): Promise<Held> {
  const guessed = path.posix.basename(c.folder) || path.posix.basename(label.replaceAll('\\', '/'));
  const bare: Held = {
    name: guessed,
    folder: c.folder,
    description: '',
    file_count: 0,
    size_bytes: 0,
    valid: false,
    problem: c.problem ?? null,
    at: c.at,
    hash: '',
  };
  if (c.at === undefined) return bare;
  const { front, problem, scan } = await checkFolder(c.at);
  return {
    ...bare,
    name: front?.name ?? guessed,
    description: front?.description ?? '',
    file_count: scan.files,
    size_bytes: scan.bytes,
    problem: c.problem ?? problem ?? null,
    valid: c.problem === undefined && problem === undefined,
    hash: problem === undefined ? await contentHash(c.at, scan.entries) : '',
  };
}
