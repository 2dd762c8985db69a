/** The seam to agents: whoever knows an agent says where it looks for skills. This plugin knows no agent itself. */
import { serviceToken, type Kernel } from '@coffer/kernel';

export interface SkillTarget {
  /** As scopes and sessions name the agent, for example `claude-code`. */
  agent: string;
  /** Absolute: where its skills lie. Links are made here. */
  folder: string;
  /** Absolute: further folders it reads. They are looked through for unmanaged skills, never delivered to. */
  extraFolders?: readonly string[];
}

/** The service `skill-targets`. An agent plugin names `kind-skill` in `requires` and takes it with `kernel.use`. */
export interface SkillTargets {
  /** `list` is asked whenever links are computed. The returned function takes it back; links stay until {@link leave}. */
  add(list: () => readonly SkillTarget[]): () => void;
  /** Agents came, went or moved: links are computed and made anew. */
  changed(): Promise<void>;
  /** Takes every link (and unchanged copy) of Coffer's out of a folder that is no target any more. */
  leave(folder: string): Promise<void>;
}
export const SkillTargets = serviceToken<SkillTargets>('skill-targets');

/** What the agents said, and the places of this machine they stand for. */
export class TargetList {
  #lists = new Set<() => readonly SkillTarget[]>();

  constructor(private readonly log: Kernel['log']) {}

  add(list: () => readonly SkillTarget[]): () => void {
    this.#lists.add(list);
    return () => this.#lists.delete(list);
  }

  all(): SkillTarget[] {
    const found = new Map<string, SkillTarget>();
    for (const list of this.#lists) {
      try {
        for (const t of list()) if (!found.has(t.agent)) found.set(t.agent, t);
      } catch (e) {
        // One agent plugin that cannot answer must not keep the others from their skills.
        this.log.warn('an agent plugin could not say where its skills lie', { error: String(e) });
      }
    }
    return [...found.values()].sort((a, b) => (a.agent < b.agent ? -1 : 1));
  }
}
