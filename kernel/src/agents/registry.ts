import { CofferError } from '../errors.js';
import type { AgentProvider, AgentRegistry } from './types.js';

export interface Agents extends AgentRegistry {
  get(key: string): AgentProvider | undefined;
  list(): AgentProvider[];
  clear(): void;
}

export function createAgents(): Agents {
  const providers = new Map<string, AgentProvider>();
  return {
    add(provider) {
      if (providers.has(provider.key))
        throw new CofferError('PLUGIN_CONFLICT', `An agent with the key ${provider.key} is registered already.`);
      providers.set(provider.key, provider);
    },
    get: (key) => providers.get(key),
    list: () => [...providers.values()],
    clear: () => providers.clear(),
  };
}
