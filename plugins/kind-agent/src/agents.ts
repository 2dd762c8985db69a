/** Registered agents: how they come, change and go, and each with what its plugin says of it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CofferError, type Actor, type Kernel, type Resource } from '@coffer/kernel';
import { configOf, KIND, type AgentConfig } from './config.js';
import { absoluteDir, placeOf, prepareDir, refuseSystemDir, same, usualDir } from './places.js';
import type { AgentDefinition, AgentFacets, AgentPlace } from './seam.js';
import type { Types } from './types.js';

/** An agent whose plugin is there. */
export interface Known {
  resource: Resource;
  config: AgentConfig;
  definition: AgentDefinition;
  place: AgentPlace;
}

export interface Candidate {
  type: string;
  display_name: string;
  config_dir: string;
  default_skill_dir: string | null;
  suggested_name: string;
}

export class Agents {
  constructor(
    private readonly kernel: Pick<Kernel, 'resources' | 'hidden' | 'machine'>,
    readonly types: Types,
  ) {}

  list(): Resource[] {
    return this.kernel.resources.list(KIND).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Those of this machine whose plugin is there: what Coffer works on. */
  here(): Known[] {
    return this.list().flatMap((r) => (this.isHere(r) ? (this.known(r) ?? []) : []));
  }

  isHere(agent: Resource): boolean {
    return this.kernel.hidden(agent, { machine: this.kernel.machine, agent: null }) === undefined;
  }

  known(resource: Resource): Known | undefined {
    const config = configOf(resource);
    const definition = this.types.find(config.type);
    return definition && { resource, config, definition, place: placeOf(resource, definition) };
  }

  /** Throws RESOURCE_NOT_FOUND; AGENT_UNSUPPORTED when its plugin is away. */
  get(name: string): Known {
    const resource = this.kernel.resources.get(KIND, name);
    const known = this.known(resource);
    if (known !== undefined) return known;
    throw new CofferError(
      'AGENT_UNSUPPORTED',
      `No active plugin knows agents of type ${configOf(resource).type}. See: coffer plugin list`,
    );
  }

  /** The agent, and the part of it that was asked for. Throws as {@link get}, and AGENT_FACET_NOT_FOUND. */
  with<F extends keyof AgentFacets>(name: string, facet: F): Known & { facet: NonNullable<AgentFacets[F]> } {
    const known = this.get(name);
    const found = known.definition.facets[facet];
    if (found === undefined)
      throw new CofferError('AGENT_FACET_NOT_FOUND', `${known.definition.label} has nothing of that kind (${facet}).`);
    return { ...known, facet: found };
  }

  /** As {@link with}, for writing: an agent of another machine is left alone. Throws also AGENT_UNSUPPORTED. */
  withHere<F extends keyof AgentFacets>(name: string, facet: F): Known & { facet: NonNullable<AgentFacets[F]> } {
    const found = this.with(name, facet);
    if (!this.isHere(found.resource))
      throw new CofferError(
        'AGENT_UNSUPPORTED',
        `${name} belongs to another machine; nothing of it is changed from here.`,
      );
    return found;
  }

  /** Looks for what is installed and not registered. Reads only, keeps nothing. */
  candidates(): Candidate[] {
    const registered = new Set(this.list().map((r) => configOf(r).type));
    return this.types.all().flatMap((d) => {
      const dir = usualDir(d);
      if (registered.has(d.type) || !existsSync(dir)) return [];
      const place: AgentPlace = { name: d.name, dir, usual: true, home: path.dirname(dir) };
      return [
        {
          type: d.type,
          display_name: d.label,
          config_dir: dir,
          default_skill_dir: d.facets.skills?.folder(place) ?? null,
          suggested_name: d.name,
        },
      ];
    });
  }

  /** The checks run in this order, and nothing is written before the last. Throws AGENT_INVALID, RESOURCE_ALREADY_EXISTS, AGENT_DIR_TAKEN, CONFIG_INVALID. */
  async register(
    input: { type: string; name?: string; config_dir?: string | null; description?: string | null },
    actor: Actor,
  ): Promise<Resource> {
    const definition = this.types.require(input.type);
    const name = input.name ?? input.type.replaceAll('_', '-');
    const config_dir = input.config_dir == null ? null : absoluteDir(input.config_dir);
    this.#prepare(definition, name, config_dir);
    if (this.kernel.resources.find(KIND, name) !== undefined)
      throw new CofferError(
        'RESOURCE_ALREADY_EXISTS',
        `There is an agent ${name} already. Give this one another name.`,
        {
          kind: KIND,
          name,
        },
      );
    this.#refuseTaken(name, config_dir ?? usualDir(definition));
    const config = { type: input.type, config_dir, disable_native_memory: false };
    return this.kernel.resources.create({ kind: KIND, name, description: input.description ?? null, config }, actor);
  }

  async update(
    name: string,
    change: { config_dir?: string | null; description?: string | null; disable_native_memory?: boolean },
    actor: Actor,
  ): Promise<Resource> {
    const { config, definition } = this.get(name);
    const next = { ...config };
    if (change.disable_native_memory !== undefined) next.disable_native_memory = change.disable_native_memory;
    if (change.config_dir !== undefined) {
      next.config_dir = change.config_dir === null ? null : absoluteDir(change.config_dir);
      this.#prepare(definition, name, next.config_dir);
      this.#refuseTaken(name, next.config_dir ?? usualDir(definition));
    }
    return this.kernel.resources.update(
      KIND,
      name,
      { config: next, ...(change.description !== undefined && { description: change.description }) },
      actor,
    );
  }

  #prepare(definition: AgentDefinition, name: string, config_dir: string | null): void {
    const place = placeOf({ name, config: { config_dir } }, definition);
    refuseSystemDir(place.dir);
    const skills = definition.facets.skills?.folder(place);
    prepareDir(place.dir, skills === undefined ? [] : [skills]);
  }

  #refuseTaken(name: string, dir: string): void {
    const other = this.list().find((r) => {
      const known = this.known(r);
      return r.name !== name && known !== undefined && same(known.place.dir, dir);
    });
    if (other !== undefined)
      throw new CofferError('AGENT_DIR_TAKEN', `${other.name} is registered with this settings folder already.`, {
        agent: other.name,
      });
  }
}
