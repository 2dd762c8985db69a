/** The seam to agent plugins: an agent is described by where its settings are and what they are called; this plugin does the rest. */
import { serviceToken, type Obj } from '@coffer/kernel';
import type { Format } from './edit/document.js';

/** Where one agent lives. */
export interface AgentPlace {
  /** Its name in the vault, for example `claude-code`. */
  name: string;
  /** Absolute: its folder of settings. */
  dir: string;
  /** Is that the folder that its type has by itself? Some agents keep a file elsewhere then. */
  usual: boolean;
  /** Absolute: the person's own folder. */
  home: string;
}

/** A file of settings. */
export interface SettingsFile {
  /** Stable, for example `settings`. */
  key: string;
  format: Format;
  file(place: AgentPlace): string;
}

/** One place where an agent keeps MCP servers. */
export interface McpSource extends SettingsFile {
  /** Where in the file the map of servers is: `['mcpServers']`. */
  path: readonly string[];
  /** The switch of an entry, where the agent has one; absent in an entry, it is on. */
  enabledKey?: string;
}

export interface McpFacet {
  /** Coffer's own entry goes into the first. */
  sources: readonly [McpSource, ...McpSource[]];
  /** What an entry for a program looks like. Default: `{ command, args, env? }`. */
  entry?(launch: { command: string; args: string[]; env: Record<string, string> }): Obj;
  /** Copies that the agent itself makes of its files; told of when a secret that was adopted is still in them. Never written. */
  ownBackups?(place: AgentPlace): readonly string[];
}

/** A file that people may read and write from here, found by its key alone. */
export type ConfigFile =
  | { key: string; label: string; format: 'json' | 'toml' | 'markdown'; file(place: AgentPlace): string }
  | { key: string; label: string; format: 'directory'; folder(place: AgentPlace): string };

export interface SkillsFacet {
  folder(place: AgentPlace): string;
  /** Further folders that it reads. */
  also?(place: AgentPlace): readonly string[];
}

/** How a new session is told what Coffer has to say: an entry in a list of hooks that each run a command. */
export interface SessionContextFacet extends SettingsFile {
  /** Where the list is: `['hooks', 'SessionStart']`. */
  path: readonly string[];
  /** What people have to do beside, in one sentence. */
  note?: string;
}

/** Settings that stop the agent from keeping a memory of its own. */
export interface NativeMemoryFacet extends SettingsFile {
  off: readonly { path: readonly string[]; value: unknown }[];
}

/** What an agent's settings are told of a connection. Never the key. Also the contract of `kind-llm-connection`. */
export interface Connection {
  name: string;
  protocol: 'anthropic' | 'openai' | 'ollama' | 'unknown';
  base_url: string;
  wire_api?: 'chat' | 'responses';
  model?: string;
  fast_model?: string;
}

export interface ModelFacet extends SettingsFile {
  protocols: readonly Connection['protocol'][];
  /** Every setting that a connection may need; those it does not mention are taken out. */
  managed: readonly (readonly string[])[];
  /** Throws a CofferError for a connection that it cannot run on. `keyCommand` prints the key. */
  settings(
    connection: Connection,
    keyCommand: readonly string[],
  ): readonly { path: readonly string[]; value: unknown }[];
}

/** A plugin in the agent's own sense. */
export interface NativePlugin {
  id: string;
  name: string;
  marketplace: string | null;
  version: string | null;
  enabled: boolean;
  /** What is wrong with it, for example that its files are missing. */
  problem: string | null;
}

export interface PluginsFacet {
  /** `read` parses a file of the agent; undefined when it is not there. */
  list(place: AgentPlace, read: (format: Format, file: string) => Obj | undefined): NativePlugin[];
  toggle: SettingsFile & { path(id: string): readonly string[] };
  /** The command that takes one out, for the agent's own program. */
  uninstall(id: string): readonly string[];
}

/** Everything is optional: what an agent does not have is not shown. */
export interface AgentFacets {
  mcpConfig?: McpFacet;
  configFiles?: readonly ConfigFile[];
  skills?: SkillsFacet;
  sessionContext?: SessionContextFacet;
  nativeMemory?: NativeMemoryFacet;
  modelConnection?: ModelFacet;
  plugins?: PluginsFacet;
}

export interface AgentDefinition {
  /** Lower case with underscores, for example `claude_code`. */
  type: string;
  /** The name that one gets when nobody gives another: `claude-code`. */
  name: string;
  /** For people: `Claude Code`. */
  label: string;
  /** Below the person's own folder: `.claude`. That it is there means that the agent is installed. */
  defaultDir: string;
  /** Its program, and the variable that tells it of another folder. */
  program?: { command: string; dirVariable: string };
  facets: AgentFacets;
}

/** The service `agent-types`. An agent plugin names `kind-agent` in `requires` and takes it with `kernel.use`. */
export interface AgentTypes {
  /** Called in `register`. Throws PLUGIN_CONFLICT when there is such a type already. The returned function takes it back. */
  add(definition: AgentDefinition): () => void;
}
export const AgentTypes = serviceToken<AgentTypes>('agent-types');
