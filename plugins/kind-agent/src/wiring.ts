/** What follows when an agent comes, changes or goes: its skills, its model, and Coffer's own settings in it. */
import { CofferError, type Kernel, type Resource, type ResourceDraft } from '@coffer/kernel';
import type { ModelTargets } from '@coffer/kind-llm-connection';
import type { SkillTargets } from '@coffer/kind-skill';
import type { Agents, Known } from './agents.js';
import { configOf } from './config.js';
import type { OwnEntry } from './mcp/own-entry.js';
import type { Models } from './model.js';
import type { NativeMemory } from './native-memory.js';
import type { SessionContext } from './session-context.js';
import { skillFolder } from './skills.js';

interface Parts {
  kernel: Pick<Kernel, 'log'>;
  agents: Agents;
  ownEntry: OwnEntry;
  context: SessionContext;
  memory: NativeMemory;
  models: Models;
  there: { skills?: SkillTargets; models?: ModelTargets };
}

export class Wiring {
  #ready = false;
  constructor(private readonly parts: Parts) {}

  /** From now on changes are followed. Before, plugins are still coming. */
  ready(): void {
    this.#ready = true;
    this.follow();
  }

  /** As {@link changed}, where nobody can wait for it. */
  follow(): void {
    this.changed().catch((e: unknown) =>
      this.parts.kernel.log.warn('agents could not be followed', { error: String(e) }),
    );
  }

  /** Agents came, went or moved: whoever gives them something looks again. */
  async changed(): Promise<void> {
    if (!this.#ready) return;
    const { there } = this.parts;
    there.models?.changed();
    await there.skills?.changed();
  }

  /** The agent's own file is changed first: when it cannot be, nothing is. */
  beforeUpdate(draft: ResourceDraft, before: Resource): void {
    const known = this.parts.agents.known({ ...before, config: draft.config });
    const was = configOf(before).disable_native_memory;
    const off = configOf({ config: draft.config }).disable_native_memory;
    if (known === undefined || off === was || !this.parts.agents.isHere(before)) return;
    if (known.definition.facets.nativeMemory === undefined)
      throw new CofferError('AGENT_FACET_NOT_FOUND', `${known.definition.label} has no memory of its own to switch.`);
    this.parts.memory.follow(known, off);
  }

  refuseSwitch(agent: Resource): void {
    throw new CofferError(
      'AGENT_UNSUPPORTED',
      `An agent has no switch: it is registered or it is not. To forget it: coffer agent rm ${agent.name}`,
    );
  }

  async afterUpdate(agent: Resource, before: Resource): Promise<void> {
    const old = this.parts.agents.known(before);
    const now = this.parts.agents.known(agent);
    if (old !== undefined && now !== undefined && old.place.dir !== now.place.dir) await this.#leave(old);
    await this.changed();
  }

  async afterRemoval(agent: Resource): Promise<void> {
    const known = this.parts.agents.known(agent);
    if (known !== undefined && this.parts.agents.isHere(agent)) await this.#leave(known);
    await this.changed();
  }

  /** Each part for itself: a file that cannot be written keeps none of the others from being put right. */
  async #leave(known: Known): Promise<void> {
    const { ownEntry, context, memory, models, there, kernel } = this.parts;
    const folder = skillFolder(known);
    const steps: [string, () => unknown][] = [
      ['model', () => models.leave(known)],
      ['native memory', () => (known.config.disable_native_memory ? memory.follow(known, false) : undefined)],
      ['session context', () => context.leave(known)],
      ['MCP entry', () => ownEntry.leave(known)],
      ['skills', () => (folder === undefined ? undefined : there.skills?.leave(folder))],
    ];
    for (const [what, step] of steps) {
      try {
        await step();
      } catch (e) {
        kernel.log.warn('something of Coffer stays in the settings of an agent that was forgotten', {
          agent: known.place.name,
          what,
          reason: e instanceof Error ? e.message : String(e),
        });
      }
    }
  }
}
