/** Skills that lie in an agent's own folders and are not the vault's: seen, taken over, or deleted, each on request only. */
import { lstat, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { CofferError, type Actor, type Kernel, type Resource } from '@coffer/kernel';
import { KIND } from '../config.js';
import type { Problem } from '../frontmatter.js';
import { copyEntries } from '../import/copy.js';
import { contentHash, scan } from '../scan.js';
import { invalid, type Skills } from '../skills.js';
import { checkFolder } from '../validate.js';
import type { Links, Spot } from './links.js';
import { unknownAgent, type Reconciler } from './reconciler.js';
import type { SkillTarget, TargetList } from './targets.js';

export interface Unmanaged {
  agent: string;
  /** Of the folder; `skill_name` is what its SKILL.md says. */
  name: string;
  skill_name: string;
  path: string;
  /** The folder it lies in. */
  location: string;
  valid: boolean;
  problem: Problem | null;
  /** A link to a place that is not Coffer's: it can be unlinked, not taken over. */
  foreign_link: boolean;
  taken: boolean;
}

export class UnmanagedSkills {
  constructor(
    private readonly kernel: Pick<Kernel, 'audit' | 'log' | 'clock'>,
    private readonly skills: Skills,
    private readonly targets: TargetList,
    private readonly links: Links,
    private readonly reconciler: Reconciler,
    /** For copies on their way into the vault; on its disk. */
    private readonly work: string,
  ) {}

  async list(agent?: string): Promise<Unmanaged[]> {
    const out: Unmanaged[] = [];
    for (const target of this.of(agent))
      for (const location of [target.folder, ...(target.extraFolders ?? [])])
        for (const name of (await readdir(location).catch(() => [])).sort()) {
          const at = path.join(location, name);
          const spot = await this.links.look(at);
          if (name.startsWith('.') || name.includes('.coffer-backup-') || !(await isUnmanaged(at, spot))) continue;
          const { front, problem } = await checkFolder(at);
          const skill_name = front?.name ?? name;
          out.push({
            agent: target.agent,
            name,
            skill_name,
            path: at,
            location,
            valid: problem === undefined && spot.kind !== 'link',
            problem: problem ?? null,
            foreign_link: spot.kind === 'link',
            taken: this.skills.find(skill_name) !== undefined,
          });
        }
    return out;
  }

  /** Moves one into the vault and links it back. Until its row stands the original is untouched. */
  async adopt(
    agent: string,
    name: string,
    location: string | undefined,
    replace: boolean,
    actor: Actor,
  ): Promise<Resource> {
    const found = await this.find(agent, name, location);
    if (found.foreign_link)
      throw new CofferError('SKILL_SOURCE_REFUSED', 'This is a link to another place. Import that place instead.', {
        path: found.path,
      });
    if (!found.valid) throw invalid(name, found.problem ?? undefined);
    if (found.taken && !replace)
      throw new CofferError(
        'RESOURCE_ALREADY_EXISTS',
        `There is a skill ${found.skill_name} already. With replace this one takes its place; the vault's goes.`,
        { name: found.skill_name },
      );
    const at = path.join(this.work, randomUUID());
    try {
      const { entries } = await scan(found.path);
      const changed = await copyEntries(found.path, entries, at);
      const { front, problem, scan: copied } = await checkFolder(at);
      const wrong = changed ?? problem;
      if (wrong !== undefined || front === undefined) throw invalid(name, wrong);
      const hash = await contentHash(at, copied.entries);
      const source = { type: 'adopted', agent, path: found.path } as const;
      const row = await this.skills.install(
        { name: front.name, description: front.description, hash, at, source },
        actor,
        'skill_adopted',
      );
      await this.retire(found.path, hash);
      await this.reconciler.reconcile(row.name, actor);
      return row;
    } finally {
      await rm(at, { recursive: true, force: true });
    }
  }

  async remove(agent: string, name: string, location: string | undefined, actor: Actor): Promise<void> {
    const found = await this.find(agent, name, location);
    if (found.foreign_link) await unlink(found.path);
    else await rm(found.path, { recursive: true });
    this.kernel.audit.write({
      event_type: 'skill_unmanaged_deleted',
      resource_kind: KIND,
      resource_name: name,
      actor,
      details: { agent, path: found.path },
    });
  }

  /** The original goes only if it still is what was copied; what somebody changed meanwhile is kept beside. */
  private async retire(original: string, hash: string): Promise<void> {
    const aside = `${original}.coffer-old`;
    try {
      await rename(original, aside);
    } catch (e) {
      this.kernel.log.warn('an adopted skill could not be moved away', { path: original, error: String(e) });
      return;
    }
    const { entries, problem } = await scan(aside);
    const same = problem === undefined && (await contentHash(aside, entries).catch(() => '')) === hash;
    if (same) await rm(aside, { recursive: true, force: true });
    else await rename(aside, `${original}.coffer-backup-${this.kernel.clock.now()}`);
  }

  private async find(agent: string, name: string, location: string | undefined): Promise<Unmanaged> {
    const found = (await this.list(agent)).find(
      (u) => u.name === name && (location === undefined || u.location === location),
    );
    if (found === undefined)
      throw new CofferError(
        'UNMANAGED_SKILL_NOT_FOUND',
        "There is no unmanaged skill of this name in this agent's folders. See: coffer skill unmanaged",
      );
    return found;
  }

  private of(agent: string | undefined): SkillTarget[] {
    const found = this.targets.all().filter((t) => agent === undefined || t.agent === agent);
    if (agent !== undefined && found.length === 0) throw unknownAgent();
    return found;
  }
}

/** Folders, and links to folders, that are not ours. */
async function isUnmanaged(at: string, spot: Spot): Promise<boolean> {
  if (spot.kind === 'folder' || (spot.kind === 'copy' && !spot.intact)) return true;
  if (spot.kind !== 'link' || spot.skill !== undefined) return false;
  return (
    (await lstat(at)).isSymbolicLink() &&
    (await stat(at).then(
      (s) => s.isDirectory(),
      () => true,
    ))
  );
}
