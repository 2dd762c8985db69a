import type { Obj, Resource } from '@coffer/kernel';

export const KIND = 'agent';

/** The row of an agent. Everything else that is shown of it is read from its own files when it is asked for. */
export interface AgentConfig {
  /** The type, for example `claude_code`. */
  type: string;
  /** Absolute; null: the folder that its type has by itself. */
  config_dir: string | null;
  /** It is told not to keep a memory of its own. */
  disable_native_memory: boolean;
}

/** The schema has filled in what was left out. */
export function configOf({ config }: Pick<Resource, 'config'>): AgentConfig {
  return config as Obj & AgentConfig;
}
