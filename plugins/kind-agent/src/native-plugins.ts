/** Plugins in the agent's own sense: listed from its files, switched there, taken out by its own program. */
import { CofferError, type Actor, type Kernel, type Obj } from '@coffer/kernel';
import type { Agents } from './agents.js';
import { KIND } from './config.js';
import { command } from './program.js';
import type { NativePlugin } from './seam.js';
import type { Settings } from './settings.js';

export class NativePlugins {
  constructor(
    private readonly kernel: Pick<Kernel, 'audit'>,
    private readonly agents: Agents,
    private readonly settings: Settings,
  ) {}

  /** Throws AGENT_FACET_NOT_FOUND, AGENT_FILE_INVALID. */
  list(name: string): NativePlugin[] {
    const { facet, place } = this.agents.with(name, 'plugins');
    return facet.list(place, (format, file) => {
      const read = this.settings.read({ format, file });
      return read.file.exists ? read.value : undefined;
    });
  }

  toggle(name: string, id: string, enabled: boolean, actor: Actor): NativePlugin {
    const { facet, place } = this.agents.withHere(name, 'plugins');
    if (this.#one(name, id).enabled !== enabled) {
      const at = { format: facet.toggle.format, file: facet.toggle.file(place) };
      this.settings.change(at, [{ path: facet.toggle.path(id), value: enabled }]);
      this.#audit('agent_plugin_toggled', name, { plugin: id, enabled }, actor);
    }
    return this.#one(name, id);
  }

  /** Throws AGENT_PROGRAM_FAILED when the agent's program is not there, or cannot. */
  async uninstall(name: string, id: string, actor: Actor): Promise<void> {
    const { facet, place, definition } = this.agents.withHere(name, 'plugins');
    this.#one(name, id);
    await command(definition, place, facet.uninstall(id));
    this.#audit('agent_plugin_uninstalled', name, { plugin: id }, actor);
  }

  #one(name: string, id: string): NativePlugin {
    const found = this.list(name).find((p) => p.id === id);
    if (found === undefined) throw new CofferError('AGENT_ENTRY_NOT_FOUND', 'This agent has no such plugin.');
    return found;
  }

  #audit(event_type: string, name: string, details: Obj, actor: Actor): void {
    this.kernel.audit.write({ event_type, resource_kind: KIND, resource_name: name, actor, details });
  }
}
