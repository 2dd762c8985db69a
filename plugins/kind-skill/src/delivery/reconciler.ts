/**
 * The one rule of delivery: a skill is at an agent iff it is enabled and in scope for it. What should be is computed, the disk is
 * compared with it, the difference is made good. Nothing about links is stored.
 */
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CofferError, type Actor, type Kernel } from '@coffer/kernel';
import { KIND } from '../config.js';
import type { Skills } from '../skills.js';
import { driftOf, judge, type Delivery, type Drift } from './judge.js';
import type { Links } from './links.js';
import type { SkillTarget, TargetList } from './targets.js';

interface Mending {
  /** Links that lead elsewhere are moved aside and made again. */
  tampered?: boolean;
  /** So is whatever a person put there. */
  anything?: boolean;
}

export class Reconciler {
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly kernel: Pick<Kernel, 'resources' | 'audit' | 'clock' | 'log' | 'machine' | 'emit'>,
    private readonly skills: Skills,
    private readonly targets: TargetList,
    private readonly links: Links,
  ) {}

  /** How it stands, for one skill or all; changes nothing. */
  async deliveries(only?: string): Promise<Delivery[]> {
    const names = only === undefined ? this.skills.list().map((r) => r.name) : [only];
    const out: Delivery[] = [];
    for (const target of this.targets.all()) {
      const reachable = await reachableFolder(target.folder);
      const wanted = this.wantedAt(target.folder);
      const asked = this.wantedBy(target);
      for (const skill of names) {
        const at = path.join(target.folder, skill);
        const there = await this.skills.library.has(skill);
        const spot = await this.links.look(at);
        const hash = spot.kind === 'copy' ? await this.skills.hashNow(skill) : null;
        const judged = judge(skill, spot, wanted.has(skill) && there, reachable, hash);
        // Two agents may share a folder: what one of them wants is there for both.
        const shown =
          judged.state === 'linked' && !asked.has(skill) ? { ...judged, reason: 'shared with another agent' } : judged;
        out.push({ skill, agent: target.agent, path: at, wanted: asked.has(skill) && there, ...shown });
      }
    }
    return out;
  }

  /** Makes links and takes them away. Returns how it stands afterwards. */
  reconcile(only: string | undefined, actor: Actor, mending: Mending = {}, agent?: string): Promise<Delivery[]> {
    return this.inTurn(async () => {
      for (const d of await this.deliveries(only)) {
        if (agent !== undefined && d.agent !== agent) continue;
        await this.settle(d, actor, mending).catch((e: unknown) =>
          this.kernel.log.warn('a skill could not be delivered', { skill: d.skill, agent: d.agent, error: String(e) }),
        );
      }
      if (only === undefined) for (const t of this.targets.all()) await this.sweep(t.folder, this.wantedAt(t.folder));
      return this.deliveries(only);
    });
  }

  /** Puts one skill where one agent looks for it. Throws SKILL_TARGET_TAKEN unless forced, SKILL_TARGET_NOT_FOUND. */
  async deliver(skill: string, agent: string, force: boolean, actor: Actor): Promise<Delivery> {
    this.skills.get(skill);
    const find = (all: readonly Delivery[]): Delivery => {
      const found = all.find((d) => d.agent === agent);
      if (found === undefined) throw unknownAgent();
      return found;
    };
    const before = find(await this.deliveries(skill));
    if (!before.wanted)
      throw new CofferError(
        'SKILL_TARGET_TAKEN',
        'This skill is off, or not in scope for this agent, so it is not delivered. Change the switch or the scope.',
      );
    const after = find(await this.reconcile(skill, actor, { tampered: force, anything: force }, agent));
    if (after.state === 'tampered' || after.state === 'replaced')
      throw new CofferError(
        'SKILL_TARGET_TAKEN',
        `${after.path} ${after.reason}. It was left alone; with force it is kept beside as a backup.`,
        { path: after.path },
      );
    return after;
  }

  /** A skill goes: its links with it. */
  removeEverywhere(skill: string): Promise<void> {
    return this.inTurn(async () => {
      for (const { folder } of this.targets.all()) {
        const at = path.join(folder, skill);
        const spot = await this.links.look(at);
        if ('skill' in spot && spot.skill === skill) await this.links.takeAway(at, spot);
      }
    });
  }

  /** A folder that is no target any more: every link of ours goes. */
  leave(folder: string): Promise<void> {
    return this.inTurn(() => this.sweep(folder, new Set()));
  }

  async drift(): Promise<Drift[]> {
    const out: Drift[] = [];
    const known = new Set(this.skills.list().map((r) => r.name));
    for (const name of known)
      if (!(await this.skills.library.has(name)))
        out.push({
          skill_name: name,
          agent_name: null,
          kind: 'missing_master',
          target_path: this.skills.folder(name),
          reason: 'the folder of this skill is gone',
          suggested_remedy: 'import it again with replace, put it back from a backup, or remove the skill',
        });
    for (const name of await this.skills.library.names())
      if (!known.has(name))
        out.push({
          skill_name: name,
          agent_name: null,
          kind: 'orphan_master',
          target_path: this.skills.folder(name),
          reason: 'a folder that no skill belongs to',
          suggested_remedy: 'repair registers it when its SKILL.md is valid; else remove the folder by hand',
        });
    return [...out, ...(await this.deliveries()).flatMap((d) => driftOf(d) ?? [])];
  }

  /** Mends what can be mended without touching anything of a person's. */
  async repair(actor: Actor): Promise<{ remediated: Drift[]; remaining: Drift[] }> {
    const before = await this.drift();
    for (const { kind, skill_name } of before)
      if (kind === 'orphan_master')
        await this.skills
          .rebuild(skill_name, actor)
          .catch((e: unknown) =>
            this.kernel.log.info('a skill folder cannot be registered', { skill: skill_name, error: String(e) }),
          );
    await this.reconcile(undefined, actor, { tampered: true });
    const remaining = await this.drift();
    const same = (a: Drift) => (b: Drift) => a.kind === b.kind && a.target_path === b.target_path;
    const remediated = before.filter((d) => !remaining.some(same(d)));
    for (const d of remediated)
      this.audit('skill_repaired', d.skill_name, actor, { kind: d.kind, path: d.target_path });
    return { remediated, remaining };
  }

  private async settle(d: Delivery, actor: Actor, mending: Mending): Promise<void> {
    const spot = await this.links.look(d.path);
    if (d.state === 'left_over') {
      if (await this.links.takeAway(d.path, spot)) this.told('skill_unlinked', d, actor);
      return;
    }
    const mend =
      d.state === 'missing' ||
      (d.state === 'tampered' && mending.tampered) ||
      (d.state === 'replaced' && mending.anything);
    if (!mend) return;
    let backup: string | undefined;
    if (spot.kind !== 'absent' && !(d.state === 'missing' && (await this.links.takeAway(d.path, spot))))
      backup =
        spot.kind === 'link' && spot.skill !== undefined
          ? void (await this.links.takeAway(d.path, spot))
          : await this.links.backUp(d.path, this.kernel.clock.now());
    await mkdir(path.dirname(d.path), { recursive: true });
    const mode = await this.links.put(this.skills.folder(d.skill), d.skill, d.path);
    this.told('skill_linked', d, actor, { mode, ...(backup !== undefined && { backup }) });
  }

  /** Links of ours in a folder that lead to what is not wanted there, or is no more. */
  private async sweep(folder: string, wanted: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const at = path.join(folder, name);
      const spot = await this.links.look(at);
      if (!('skill' in spot) || spot.skill === undefined) continue;
      if (spot.skill === name && wanted.has(name) && (await this.skills.library.has(name))) continue;
      await this.links.takeAway(at, spot);
    }
  }

  private wantedBy(target: SkillTarget): Set<string> {
    const viewpoint = { machine: this.kernel.machine, agent: target.agent };
    return new Set(this.kernel.resources.list(KIND, { visibleTo: viewpoint }).map((r) => r.name));
  }
  private wantedAt(folder: string): Set<string> {
    const same = this.targets.all().filter((t) => path.resolve(t.folder) === path.resolve(folder));
    return new Set(same.flatMap((t) => [...this.wantedBy(t)]));
  }

  private told(event: string, d: Delivery, actor: Actor, more: Record<string, unknown> = {}): void {
    this.audit(event, d.skill, actor, { agent: d.agent, path: d.path, ...more });
    this.kernel.emit({ type: 'resource', action: 'delivery', ref: `${KIND}:${d.skill}`, kind: KIND, name: d.skill });
  }
  private audit(event_type: string, skill: string, actor: Actor, details: Record<string, unknown>): void {
    this.kernel.audit.write({ event_type, resource_kind: KIND, resource_name: skill, actor, details });
  }

  /** One at a time: two that compare and change the same folder would undo each other. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

/** It is there, or can be made beside what the agent keeps: its own folder is never made for it. */
async function reachableFolder(folder: string): Promise<boolean> {
  const isFolder = (at: string): Promise<boolean> =>
    stat(at).then(
      (s) => s.isDirectory(),
      () => false,
    );
  return (await isFolder(folder)) || (await isFolder(path.dirname(folder)));
}

export function unknownAgent(): CofferError {
  return new CofferError(
    'SKILL_TARGET_NOT_FOUND',
    'No agent of this name takes skills on this machine. See: coffer skill agents',
  );
}
