/** Where work on a branch stands, from one session to the next: one file for each project and branch, written over each time. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CofferError, writeAtomic, type Kernel } from '@coffer/kernel';
import type { Author } from './facts.js';
import { KIND } from './kind.js';
import type { Project } from './project.js';
import { HANDOFF, type Stores } from './stores.js';

const BODY_CHARS = 16_384;

export type Resumed =
  { found: false } | { found: true; branch: string; body: string; updated_at: string; note: string; path: string };

export class Handoffs {
  constructor(
    private readonly kernel: Kernel,
    private readonly stores: Stores,
  ) {}

  async set(
    project: Project,
    body: string,
    author: Author,
  ): Promise<{ status: 'saved'; branch: string; scope: 'project' }> {
    const branch = branchOf(project);
    if (body.trim() === '')
      throw new CofferError('MEMORY_REJECTED', 'There is nothing to hand over: the body is empty.', {
        reason: 'empty',
      });
    if (body.length > BODY_CHARS)
      throw new CofferError(
        'MEMORY_REJECTED',
        `A hand-off may have ${BODY_CHARS} characters. Say what matters for the next session.`,
        {
          reason: 'too_long',
          max: BODY_CHARS,
        },
      );
    const store = await this.stores.forWriting(project.store, author.actor, project);
    const file = fileOf(store.folder, branch);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeAtomic(file, `${body.trim()}\n`);
    this.kernel.audit.write({
      event_type: 'handoff_set',
      resource_kind: KIND,
      resource_name: store.name,
      actor: author.actor,
      details: { branch, ...(author.agent !== undefined && { agent: author.agent }) },
    });
    return { status: 'saved', branch, scope: 'project' };
  }

  resume(project: Project | undefined): Resumed {
    if (project?.branch === undefined) return { found: false };
    const file = fileOf(this.stores.get(project.store).folder, project.branch);
    try {
      const body = readFileSync(file, 'utf8').trim();
      const { mtime } = statSync(file);
      const note = `Written ${ago(this.kernel.clock.now() - mtime.getTime())}. Check it against the code: work may have gone on since.`;
      return { found: true, branch: project.branch, body, updated_at: mtime.toISOString(), note, path: file };
    } catch {
      return { found: false };
    }
  }
}

function branchOf({ branch }: Project): string {
  if (branch === undefined)
    throw new CofferError('SCOPE_UNRESOLVED', 'The repository has no branch yet: a hand-off belongs to one.');
  return branch;
}

/** A branch may be called anything; two branches never share a file. */
function fileOf(folder: string, branch: string): string {
  return path.join(folder, HANDOFF, `${encodeURIComponent(branch).replaceAll('.', '%2E').slice(0, 200)}.md`);
}

function ago(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 2) return 'just now';
  if (minutes < 120) return `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours ago` : `${Math.round(hours / 24)} days ago`;
}
