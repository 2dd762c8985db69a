import { CofferError, type Kernel } from '@coffer/kernel';
import type { ConnectionConfig } from './config.js';
import type { ModelTarget } from './services.js';

/** What the agent plugins said. */
export class TargetList {
  #lists = new Set<() => readonly ModelTarget[]>();
  constructor(private readonly log: Kernel['log']) {}

  add(list: () => readonly ModelTarget[]): () => void {
    this.#lists.add(list);
    return () => this.#lists.delete(list);
  }

  all(): ModelTarget[] {
    const found: ModelTarget[] = [];
    for (const list of this.#lists) {
      try {
        found.push(...list());
      } catch (e) {
        // One agent plugin that cannot answer must not keep the others from their models.
        this.log.warn('an agent plugin could not say which agents take a model', { error: String(e) });
      }
    }
    return found.sort((a, b) => (a.agent < b.agent ? -1 : 1));
  }

  /** Throws LLM_AGENT_NOT_FOUND. */
  get(agent: string): ModelTarget {
    const target = this.all().find((t) => t.agent === agent);
    if (target === undefined)
      throw new CofferError(
        'LLM_AGENT_NOT_FOUND',
        'No agent of that name can run on a connection. See: coffer llm agents',
      );
    return target;
  }
}

/** May an agent run on it? Its record decides; where that is silent, the protocol does. */
export function fits(target: Pick<ModelTarget, 'type' | 'protocols'>, config: ConnectionConfig): boolean {
  if (config.compatible_agents !== null) return config.compatible_agents.includes(target.type);
  return config.protocol === 'unknown' || target.protocols.includes(config.protocol);
}
