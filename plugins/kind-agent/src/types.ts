import { CofferError } from '@coffer/kernel';
import type { AgentDefinition, AgentTypes } from './seam.js';

/** The agents that plugins know. */
export class Types implements AgentTypes {
  #all = new Map<string, AgentDefinition>();
  constructor(private readonly changed: () => void) {}

  add(definition: AgentDefinition): () => void {
    const { type, name } = definition;
    if (!/^[a-z][a-z0-9_]{0,47}$/.test(type) || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
      throw new CofferError(
        'PLUGIN_INVALID',
        'The type of an agent is lower case with underscores, its name with dashes.',
      );
    const taken = [...this.#all.values()].some((d) => d.type === type || d.name === name);
    if (taken) throw new CofferError('PLUGIN_CONFLICT', `An agent of type ${type} or name ${name} is defined already.`);
    this.#all.set(type, definition);
    this.changed();
    return () => {
      this.#all.delete(type);
      this.changed();
    };
  }

  all(): AgentDefinition[] {
    return [...this.#all.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
  }
  find(type: string): AgentDefinition | undefined {
    return this.#all.get(type);
  }
  /** Throws AGENT_INVALID and names those there are. */
  require(type: string): AgentDefinition {
    const found = this.find(type);
    if (found !== undefined) return found;
    const names = this.all().map((d) => d.type);
    throw new CofferError(
      'AGENT_INVALID',
      `No plugin knows this type of agent. ${names.length === 0 ? 'There is none yet.' : `There are: ${names.join(', ')}.`}`,
      { path: '/type', supported: names },
    );
  }
}
