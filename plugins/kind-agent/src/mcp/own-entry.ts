/** Coffer's own entry among an agent's MCP servers. */
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isObj, type Actor, type ForeignChange, type Kernel } from '@coffer/kernel';
import type { Agents, Known } from '../agents.js';
import { KIND } from '../config.js';
import { valueAt } from '../edit/document.js';
import { shimLaunch, type Launch } from '../launch.js';
import type { AgentPlace, McpFacet, McpSource } from '../seam.js';
import type { Own, Place, Settings } from '../settings.js';

export const OWN = 'coffer';
const GROUP: Own = { what: 'mcp', wholly: true };

export interface InstallStatus {
  installed: boolean;
  /** The command line that is there now, as one text. */
  command: string | null;
  path: string;
  /** It is what installing would write. */
  current: boolean;
  /** The program that it names is there. */
  works: boolean;
}

export class OwnEntry {
  constructor(
    private readonly kernel: Pick<Kernel, 'programs' | 'paths' | 'env' | 'audit'>,
    private readonly agents: Agents,
    private readonly settings: Settings,
  ) {}

  /** Throws AGENT_FACET_NOT_FOUND, AGENT_FILE_INVALID, FILE_UNREADABLE. */
  status(name: string): InstallStatus {
    const { facet, place } = this.agents.with(name, 'mcpConfig');
    const at = placeOf(facet.sources[0], place);
    const entry = valueAt(this.settings.read(at).value, pathOf(facet.sources[0]));
    if (entry === undefined) return { installed: false, command: null, path: at.file, current: false, works: false };
    const words = wordsOf(entry);
    const absolute = words.filter((w) => w.startsWith('/') || /^[A-Za-z]:\\/.test(w));
    return {
      installed: true,
      command: words.join(' ') || null,
      path: at.file,
      current: this.#isCurrent(facet, name, entry),
      works: absolute.length > 0 && absolute.every((w) => existsSync(w)),
    };
  }

  /** Writes it, or anew; everything else in the file stays. Throws also AGENT_UNSUPPORTED, FILE_CHANGED, FILE_READ_ONLY. */
  install(name: string, actor: Actor): InstallStatus {
    const { facet, place } = this.agents.withHere(name, 'mcpConfig');
    const [source] = facet.sources;
    const value = entryOf(facet, shimLaunch(this.kernel, name));
    this.settings.put(placeOf(source, place), GROUP, [{ path: pathOf(source), value }]);
    this.#audit('agent_mcp_installed', name, actor);
    return this.status(name);
  }

  /** Takes it out; that it is not there is no error. */
  uninstall(name: string, actor: Actor): InstallStatus {
    const { facet, place } = this.agents.withHere(name, 'mcpConfig');
    const done = this.#takeOut(facet, place);
    if (done.before !== done.after) this.#audit('agent_mcp_uninstalled', name, actor);
    return this.status(name);
  }

  /** Without a word, of an agent that is no more. */
  leave({ definition, place }: Known): void {
    if (definition.facets.mcpConfig !== undefined) this.#takeOut(definition.facets.mcpConfig, place);
  }

  #takeOut(facet: McpFacet, place: AgentPlace): ForeignChange {
    const [source] = facet.sources;
    return this.settings.takeBack(placeOf(source, place), GROUP, [pathOf(source)]);
  }

  #isCurrent(facet: McpFacet, name: string, entry: unknown): boolean {
    try {
      return isDeepStrictEqual(JSON.parse(JSON.stringify(entry)), entryOf(facet, shimLaunch(this.kernel, name)));
    } catch {
      return false;
    }
  }

  #audit(event_type: string, name: string, actor: Actor): void {
    this.kernel.audit.write({ event_type, resource_kind: KIND, resource_name: name, actor, details: {} });
  }
}

export function placeOf(source: Pick<McpSource, 'format' | 'file'>, place: AgentPlace): Place {
  return { format: source.format, file: source.file(place) };
}
const pathOf = (source: McpSource): string[] => [...source.path, OWN];

export function entryOf(facet: Pick<McpFacet, 'entry'>, launch: Launch): unknown {
  const { command, args, env } = launch;
  return facet.entry?.(launch) ?? { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** The words of a command line, however it is written there. */
export function wordsOf(entry: unknown): string[] {
  if (!isObj(entry)) return [];
  const line: unknown[] = [entry['command'], entry['args']].flat();
  return line.filter((w) => typeof w === 'string');
}
