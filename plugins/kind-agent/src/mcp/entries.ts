/** The MCP servers in an agent's own settings: listed, taken out, switched. */
import { CofferError, isCofferError, isObj, type Actor, type Kernel, type Obj } from '@coffer/kernel';
import type { McpImport } from '@coffer/kind-mcp-server';
import type { Agents } from '../agents.js';
import { KIND } from '../config.js';
import { valueAt } from '../edit/document.js';
import type { AgentPlace, McpFacet, McpSource } from '../seam.js';
import type { Settings } from '../settings.js';
import { OWN, placeOf } from './own-entry.js';

export interface Entry {
  name: string;
  /** The key of the file it stands in. */
  source: string;
  path: string;
  transport: 'stdio' | 'http' | 'unknown';
  command: string | null;
  url: string | null;
  /** Null: the agent has no switch. */
  enabled: boolean | null;
  is_coffer: boolean;
  /** A server of the vault that is the same. */
  matches_resource: string | null;
  env_keys: string[];
  header_keys: string[];
  /** What would become a credential, with the name it would get. */
  secrets: { key: string; ref: string }[];
  /** Why it cannot be adopted; null when it can. */
  problem: string | null;
}
export interface Entries {
  items: Entry[];
  parse_errors: { source: string; path: string; error: string }[];
}

/** One entry where it stands, values and all. Never leaves the daemon. */
export interface RawEntry {
  name: string;
  source: McpSource;
  value: unknown;
}

export class NativeEntries {
  constructor(
    private readonly kernel: Pick<Kernel, 'audit'>,
    private readonly agents: Agents,
    private readonly settings: Settings,
    private readonly imports: () => McpImport | undefined,
  ) {}

  /** Never fails for what a file holds: that is part of the answer. */
  list(name: string): Entries {
    const { facet, place } = this.agents.with(name, 'mcpConfig');
    const out: Entries = { items: [], parse_errors: [] };
    for (const source of facet.sources) {
      try {
        for (const raw of this.#in(source, place)) out.items.push(this.#shown(raw, source.file(place)));
      } catch (e) {
        if (!isCofferError(e)) throw e;
        out.parse_errors.push({ source: source.key, path: source.file(place), error: e.message });
      }
    }
    return out;
  }

  /** Throws AGENT_ENTRY_NOT_FOUND; BAD_REQUEST when it is in two files and nobody said which. */
  find(name: string, entry: string, from?: string): RawEntry & { place: AgentPlace; facet: McpFacet } {
    const { facet, place } = this.agents.withHere(name, 'mcpConfig');
    const sources = facet.sources.filter((s) => from === undefined || s.key === from);
    const found = sources.flatMap((s) => this.#in(s, place)).filter((e) => e.name === entry);
    const [first, second] = found;
    if (first === undefined)
      throw new CofferError('AGENT_ENTRY_NOT_FOUND', `There is no such server in the settings of ${name}.`);
    if (second !== undefined)
      throw new CofferError(
        'BAD_REQUEST',
        `It is in ${found.map((f) => f.source.key).join(' and in ')}. Say which: source.`,
        { sources: found.map((f) => f.source.key) },
      );
    return { ...first, place, facet };
  }

  /** Throws as {@link find}; AGENT_UNSUPPORTED for Coffer's own. */
  remove(name: string, entry: string, from: string | undefined, actor: Actor): void {
    if (entry === OWN)
      throw new CofferError(
        'AGENT_UNSUPPORTED',
        `That is Coffer's own entry. Take it out with: coffer agent mcp uninstall ${name}`,
      );
    const { source, place } = this.find(name, entry, from);
    this.settings.change(placeOf(source, place), [{ path: [...source.path, entry], value: undefined }]);
    this.#audit('agent_mcp_entry_removed', name, { entry, source: source.key }, actor);
  }

  /** Throws as {@link find}; AGENT_UNSUPPORTED where the agent has no switch for servers. */
  toggle(name: string, entry: string, enabled: boolean, from: string | undefined, actor: Actor): Entry {
    const { source, place, value } = this.find(name, entry, from);
    if (source.enabledKey === undefined)
      throw new CofferError(
        'AGENT_UNSUPPORTED',
        'This agent has no switch for a single server. Adopt it, or remove it.',
      );
    const at = [...source.path, entry, source.enabledKey];
    // On is what it is by itself.
    const on = !isObj(value) || value[source.enabledKey] !== false;
    if (on !== enabled) {
      this.settings.change(placeOf(source, place), [{ path: at, value: enabled }]);
      this.#audit('agent_mcp_entry_toggled', name, { entry, source: source.key, enabled }, actor);
    }
    return this.#shown(this.find(name, entry, source.key), source.file(place));
  }

  #in(source: McpSource, place: AgentPlace): RawEntry[] {
    const { value } = this.settings.read(placeOf(source, place));
    const servers = valueAt(value, source.path);
    if (servers === undefined) return [];
    if (!isObj(servers))
      throw new CofferError('AGENT_FILE_INVALID', `${source.path.join('.')} is no group of servers.`);
    return Object.entries(servers).map(([name, entry]) => ({ name, source, value: entry }));
  }

  #shown({ name, source, value }: RawEntry, file: string): Entry {
    const entry: Obj = isObj(value) ? value : {};
    const converted = this.imports()?.convert(name, value);
    const server = typeof converted === 'object' ? converted : undefined;
    const url: unknown = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl'];
    const keys = (...fields: unknown[]): string[] => fields.flatMap((f) => (isObj(f) ? Object.keys(f) : []));
    const command = [entry['command'], entry['args']].flat().filter((w) => typeof w === 'string');
    return {
      name,
      source: source.key,
      path: file,
      transport: typeof url === 'string' ? 'http' : command.length > 0 ? 'stdio' : 'unknown',
      command: command.length === 0 ? null : this.#masked(command).join(' '),
      url: typeof url === 'string' ? bare(url) : null,
      enabled: source.enabledKey === undefined ? null : entry[source.enabledKey] !== false,
      is_coffer: name === OWN,
      matches_resource: (server && this.imports()?.equal(server.config)?.name) ?? null,
      env_keys: keys(entry['env']),
      header_keys: keys(entry['headers'], entry['http_headers'], entry['env_http_headers']),
      secrets: server?.secrets.map(({ key, ref }) => ({ key, ref })) ?? [],
      problem: name === OWN ? null : typeof converted === 'string' ? converted : null,
    };
  }

  /** Arguments may hold secrets too: those that look like one are not shown. */
  #masked(words: readonly string[]): string[] {
    const secret = (key: string, value: string): boolean => this.imports()?.looksSecret(key, value) ?? true;
    return words.map((word, i) => {
      const [, flag = '', value] = /^-{0,2}([\w-]+)=(.*)$/s.exec(word) ?? [];
      if (value !== undefined && secret(flag, value)) return `${word.slice(0, word.indexOf('=') + 1)}•••`;
      const before = /^--?([\w-]+)$/.exec(words[i - 1] ?? '')?.[1] ?? '';
      return secret(word.startsWith('-') ? '' : before, word) ? '•••' : word;
    });
  }

  #audit(event_type: string, name: string, details: Obj, actor: Actor): void {
    this.kernel.audit.write({ event_type, resource_kind: KIND, resource_name: name, actor, details });
  }
}

/** An address without what may be secret in it. */
function bare(url: string): string {
  if (!URL.canParse(url)) return '•••';
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?•••'}`;
}
