/** What a new session of an agent is told, and the hook in the agent's own settings that fetches it. */
import { CofferError, isObj, type Actor, type Kernel, type Obj } from '@coffer/kernel';
import type { SessionContexts } from '@coffer/kind-memory';
import path from 'node:path';
import type { Agents, Known } from './agents.js';
import { KIND } from './config.js';
import { valueAt } from './edit/document.js';
import { cliLine } from './launch.js';
import type { SessionContextFacet } from './seam.js';
import type { Own, Place, Settings } from './settings.js';

/** In characters, all of it. */
const MOST = 10_000;
/** How the hook is found again, whatever path stands before it. */
const WORDS = ['agent', 'session-context'] as const;
/** Seconds that the agent waits for the hook; it ends by itself long before. */
const HOOK_SECONDS = 10;
const GROUP: Own = { what: 'session-context', wholly: false };
/** For taking it back: it was found by its command. */
const OURS: Own = { ...GROUP, wholly: true };

const FIXED = `## Coffer

- To go on with earlier work, call \`coffer__resume\` first.
- For what should be remembered, use Coffer's memory tools (\`coffer__remember\`, \`coffer__recall\`): every agent shares them.`;

export interface HookStatus {
  installed: boolean;
  command: string | null;
  path: string;
  current: boolean;
  /** What people have to do beside. */
  note: string | null;
}

export class SessionContext {
  constructor(
    private readonly kernel: Pick<Kernel, 'programs' | 'paths' | 'env' | 'audit'>,
    private readonly agents: Agents,
    private readonly settings: Settings,
    private readonly memory: () => SessionContexts | undefined,
  ) {}

  /** The text for a session in a folder, for a look. Throws BAD_REQUEST for a folder that is not absolute. */
  text(cwd: string | undefined): string {
    return whole(this.memory()?.of(absolute(cwd)).text);
  }
  /** The same, told to a session; it leaves a record. */
  tell(cwd: string | undefined, actor: Actor): string {
    return whole(this.memory()?.tell(absolute(cwd), actor).text);
  }

  /** Throws AGENT_FACET_NOT_FOUND, AGENT_FILE_INVALID. */
  status(name: string): HookStatus {
    const { facet, place } = this.agents.with(name, 'sessionContext');
    const at = { format: facet.format, file: facet.file(place) };
    const [found] = this.#find(facet, at);
    return {
      installed: found !== undefined,
      command: found?.command ?? null,
      path: at.file,
      current: found?.command === this.#line(name),
      note: facet.note ?? null,
    };
  }

  /** Adds the hook beside those that are there, or mends ours. */
  install(name: string, actor: Actor): HookStatus {
    const { facet, place } = this.agents.withHere(name, 'sessionContext');
    const at = { format: facet.format, file: facet.file(place) };
    const command = this.#line(name);
    const [found] = this.#find(facet, at);
    if (found === undefined) {
      const list = this.#list(facet, at);
      const value = { hooks: [{ type: 'command', command, timeout: HOOK_SECONDS }] };
      const change =
        list === undefined ? { path: facet.path, value: [value] } : { path: [...facet.path, list.length], value };
      this.settings.put(at, GROUP, [change]);
    } else if (found.command !== command) {
      this.settings.change(at, [
        { path: [...facet.path, found.group, 'hooks', found.index, 'command'], value: command },
      ]);
    }
    if (found?.command !== command) this.#audit('agent_hook_installed', name, actor);
    return this.status(name);
  }

  uninstall(name: string, actor: Actor): HookStatus {
    const known = this.agents.withHere(name, 'sessionContext');
    if (this.leave(known)) this.#audit('agent_hook_uninstalled', name, actor);
    return this.status(name);
  }

  /** Takes the hook out. Was there one? */
  leave({ definition, place }: Known): boolean {
    const facet = definition.facets.sessionContext;
    if (facet === undefined) return false;
    const at = { format: facet.format, file: facet.file(place) };
    const [found] = this.#find(facet, at);
    if (found === undefined) return false;
    const groups = this.#list(facet, at) ?? [];
    // A group that is ours alone goes whole, and so does a list of that group alone.
    const path = found.alone
      ? groups.length === 1
        ? facet.path
        : [...facet.path, found.group]
      : [...facet.path, found.group, 'hooks', found.index];
    this.settings.takeBack(at, OURS, [path]);
    return true;
  }

  #line(name: string): string {
    return cliLine(this.kernel, [...WORDS, name]);
  }

  #list(facet: SessionContextFacet, at: Place): unknown[] | undefined {
    const list = valueAt(this.settings.read(at).value, facet.path);
    if (list === undefined || Array.isArray(list)) return list;
    throw new CofferError('AGENT_FILE_INVALID', `${at.file}: ${facet.path.join('.')} is no list of hooks.`, {
      path: at.file,
    });
  }

  #find(facet: SessionContextFacet, at: Place): { group: number; index: number; command: string; alone: boolean }[] {
    return (this.#list(facet, at) ?? []).flatMap((g, group) => {
      const hooks: unknown = isObj(g) ? g['hooks'] : undefined;
      if (!Array.isArray(hooks)) return [];
      return hooks.flatMap((h: Obj | undefined, index) => {
        const command: unknown = isObj(h) ? h['command'] : undefined;
        return typeof command === 'string' && isOurs(command)
          ? [{ group, index, command, alone: hooks.length === 1 }]
          : [];
      });
    });
  }

  #audit(event_type: string, name: string, actor: Actor): void {
    this.kernel.audit.write({ event_type, resource_kind: KIND, resource_name: name, actor, details: {} });
  }
}

function isOurs(command: string): boolean {
  return new RegExp(`coffer\\S*'? ${WORDS.join(' ')}( |$)`).test(command);
}

function whole(memory = ''): string {
  const text = [memory, FIXED].filter((t) => t !== '').join('\n\n');
  // What is fixed is short and stays; what a person wrote is cut.
  return text.length <= MOST ? text : `${memory.slice(0, MOST - FIXED.length - 12).trimEnd()}\n\n(cut)\n\n${FIXED}`;
}

function absolute(cwd: string | undefined): string | undefined {
  if (cwd === undefined || path.isAbsolute(cwd)) return cwd;
  throw new CofferError('BAD_REQUEST', 'cwd must be an absolute path', { path: 'cwd' });
}
