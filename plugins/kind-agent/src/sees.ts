/** What an agent gets from Coffer, asked of the very code that serves it. */
import { isObj, type Kernel, type Obj, type Resource } from '@coffer/kernel';
import type { Agents } from './agents.js';
import type { SessionContext } from './session-context.js';

/** A token is about this many characters of JSON. */
const CHARS_PER_TOKEN = 4;

export interface ServerSeen {
  server: string;
  tools: string[];
  /** About what their descriptions cost in an agent's window. */
  tokens: number;
}
/** `failing`: it should be there, and its server does not answer. */
export type Why = 'off' | 'machine' | 'agent' | 'hidden' | 'failing';

export interface Sees {
  servers: ServerSeen[];
  tools: number;
  tokens: number;
  prompts: string[];
  resources: number;
  skills: string[];
  session_context: string;
  not: { ref: string; name: string; kind: string; why: Why; reason: string }[];
}

export class SeesWhat {
  constructor(
    private readonly kernel: Pick<Kernel, 'gateway' | 'resources' | 'hidden' | 'machine'>,
    private readonly agents: Agents,
    private readonly context: SessionContext,
  ) {}

  /** Throws RESOURCE_NOT_FOUND. Asks servers as a session of this agent would, within the gateway's own limits. */
  async of(name: string, cwd: string | undefined, signal: AbortSignal): Promise<Sees> {
    const known = this.agents.get(name);
    const [tools, prompts, resources] = await Promise.all([
      this.#list('tools', name, signal),
      this.#list('prompts', name, signal),
      this.#list('resources', name, signal),
    ]);
    const viewpoint = { machine: this.kernel.machine, agent: name };
    const servers = grouped(tools);
    return {
      servers,
      tools: tools.length,
      tokens: servers.reduce((n, s) => n + s.tokens, 0),
      prompts: prompts.map((p) => String(p['name'])),
      resources: resources.length,
      skills:
        known.definition.facets.skills === undefined
          ? []
          : this.kernel.resources.list('skill', { visibleTo: viewpoint }).map((s) => s.name),
      session_context: this.context.text(cwd),
      not: await this.#not(name),
    };
  }

  async #list(what: 'tools' | 'prompts' | 'resources', agent: string, signal: AbortSignal): Promise<Obj[]> {
    const outcome = await this.kernel.gateway.call(`${what}/list`, {}, { client: 'view', agent, signal });
    if (outcome.kind !== 'result') return [];
    const items: unknown = outcome.result.value[what];
    return Array.isArray(items) ? items.filter(isObj) : [];
  }

  /** What is in the vault and does not reach it, and why. */
  async #not(agent: string): Promise<Sees['not']> {
    const session = this.kernel.gateway.sessions().find((s) => s.key === `in:view:${agent}`);
    const missing = new Map(
      session === undefined ? [] : this.kernel.gateway.missing(session.id).map((m) => [m.server, m.reason]),
    );
    const all = [...this.kernel.resources.list('mcp_server'), ...this.kernel.resources.list('skill')];
    const reasons = await Promise.all(all.map((r) => this.#why(r, agent, missing)));
    return all.flatMap((r, i) => {
      const found = reasons[i];
      return found === undefined ? [] : [{ ref: r.ref, name: r.name, kind: r.kind, ...found }];
    });
  }

  async #why(
    resource: Resource,
    agent: string,
    missing: ReadonlyMap<string, string>,
  ): Promise<{ why: Why; reason: string } | undefined> {
    if (!resource.enabled) return { why: 'off', reason: 'switched off' };
    const hidden = this.kernel.hidden(resource, { machine: this.kernel.machine, agent });
    if (hidden?.axis === 'machine') return { why: 'machine', reason: 'not on this machine' };
    if (hidden?.axis === 'agent') return { why: 'agent', reason: 'not for this agent' };
    if (hidden !== undefined) return { why: 'hidden', reason: `hidden (${hidden.axis})` };
    const left = missing.get(resource.name);
    if (left === undefined || resource.kind !== 'mcp_server') return undefined;
    return { why: 'failing', reason: (await this.kernel.resources.status(resource)).reason ?? left };
  }
}

function grouped(tools: readonly Obj[]): ServerSeen[] {
  const servers = new Map<string, ServerSeen>();
  for (const tool of tools) {
    const full = String(tool['name']);
    const at = full.indexOf('__');
    const server = at < 0 ? full : full.slice(0, at);
    const seen = servers.get(server) ?? { server, tools: [], tokens: 0 };
    seen.tools.push(full.slice(at + 2));
    seen.tokens += Math.ceil(JSON.stringify(tool).length / CHARS_PER_TOKEN);
    servers.set(server, seen);
  }
  // The agent's costliest first, its own last.
  return [...servers.values()].sort(
    (a, b) => Number(a.server === 'coffer') - Number(b.server === 'coffer') || b.tokens - a.tokens,
  );
}
