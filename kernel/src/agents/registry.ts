import type { ValidateFunction } from 'ajv/dist/2020.js';
import { CofferError } from '../errors.js';
import { check, compile } from '../resources/validate.js';
import type { AgentDirectory, AgentProvider, AgentRegistry } from './types.js';

export interface Agents extends AgentRegistry, AgentDirectory {
  clear(): void;
}

export function createAgents(): Agents {
  const providers = new Map<string, AgentProvider>();
  const compiled = new WeakMap<AgentProvider, ValidateFunction>();
  return {
    add(provider) {
      if (providers.has(provider.key))
        throw new CofferError('PLUGIN_CONFLICT', `An agent with the key ${provider.key} is registered already.`);
      providers.set(provider.key, provider);
    },
    get: (key) => providers.get(key),
    list: () => [...providers.values()],
    async accept(provider, config) {
      const validate = compiled.get(provider) ?? compile(provider.configSchema);
      compiled.set(provider, validate);
      const copy = structuredClone(config);
      check(validate, copy, 'AGENT_CONFIG_REJECTED', `The config for ${provider.displayName}`);
      await provider.checkConfig?.(copy);
      return copy;
    },
    clear: () => providers.clear(),
  };
}
