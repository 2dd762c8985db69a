/** The two seams of this plugin: agents say how they take a model, and whoever needs a model asks for one. */
import { serviceToken } from '@coffer/kernel';
import type { Protocol, Wire } from './config.js';

/** What an agent's own settings are told of a connection. Never the key. */
export interface ProjectedConnection {
  name: string;
  protocol: Protocol;
  base_url: string;
  wire_api?: Wire;
  model?: string;
  fast_model?: string;
}

/** One file as it is and as it would be, or as it was and as it is. Empty text: it does not exist. */
export interface FileChange {
  path: string;
  before: string;
  after: string;
}

/** An agent that can run on a connection. */
export interface ModelTarget {
  /** The agent's name, for example `claude-code`. */
  agent: string;
  /** What it is an instance of, for example `claude_code`. */
  type: string;
  /** For people: `Claude Code`. */
  label: string;
  /** What it speaks by itself. */
  protocols: readonly Protocol[];
  /** What {@link apply} would change; nothing is written. Null: back to its own login. */
  preview(connection: ProjectedConnection | null): Promise<FileChange[]>;
  /** Writes its settings, all or nothing; what it does not manage stays. */
  apply(connection: ProjectedConnection | null): Promise<FileChange[]>;
}

/** The service `model-targets`: agent plugins tell which agents can be switched. */
export interface ModelTargets {
  /** `list` is asked whenever it matters. The returned function takes it back. */
  add(list: () => readonly ModelTarget[]): () => void;
  /** Agents came, went or changed: whoever watches looks again. */
  changed(): void;
}
export const ModelTargets = serviceToken<ModelTargets>('model-targets');

/** A connection ready for use. `key` is plaintext: for use at once, never to be kept, logged or returned. */
export interface ResolvedConnection {
  name: string;
  protocol: Protocol;
  base_url: string;
  wire_api: Wire;
  /** Absent for ollama. */
  key?: string;
  model?: string;
  fast_model?: string;
}

/** The service `llm-connections`. */
export interface LlmConnections {
  /** Throws RESOURCE_NOT_FOUND, LLM_NOT_CONFIGURED when it is switched off, CREDENTIAL_MISSING, CREDENTIAL_LOCKED. */
  resolve(name: string): ResolvedConnection;
  /** What an agent was switched to, or undefined when it runs on its own login. Throws as {@link resolve}. */
  forAgent(agent: string): ResolvedConnection | undefined;
  /** What Coffer itself runs on. Throws LLM_NOT_CONFIGURED when nothing was chosen, else as {@link resolve}. */
  internal(): ResolvedConnection & { model: string };
}
export const LlmConnections = serviceToken<LlmConnections>('llm-connections');
