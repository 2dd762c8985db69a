/** An agent as REST shows it. */
import { existsSync } from 'node:fs';
import type { Obj, Resource } from '@coffer/kernel';
import type { Agents } from './agents.js';
import { configOf } from './config.js';
import { versionOf } from './program.js';
import type { AgentFacets } from './seam.js';

/** In the order in which pages show them. */
const FACETS: readonly (keyof AgentFacets)[] = [
  'mcpConfig',
  'configFiles',
  'sessionContext',
  'modelConnection',
  'plugins',
  'skills',
  'nativeMemory',
];

export function viewOf(resource: Resource, agents: Agents): Obj {
  const known = agents.known(resource);
  const config = configOf(resource);
  return {
    name: resource.name,
    type: config.type,
    label: known?.definition.label ?? config.type,
    description: resource.description,
    config_dir: known?.place.dir ?? config.config_dir,
    usual_dir: known?.place.usual ?? false,
    dir_exists: known !== undefined && existsSync(known.place.dir),
    skill_dir: known?.definition.facets.skills?.folder(known.place) ?? null,
    disable_native_memory: config.disable_native_memory,
    here: agents.isHere(resource),
    facets: FACETS.filter((f) => known?.definition.facets[f] !== undefined),
    scope: resource.scope,
    created_at: resource.created_at,
    updated_at: resource.updated_at,
  };
}

/** With what only a look at its program tells. */
export async function fullViewOf(resource: Resource, agents: Agents): Promise<Obj> {
  const known = agents.known(resource);
  const program = known === undefined ? { path: null, version: null } : await versionOf(known.definition);
  return { ...viewOf(resource, agents), program: program.path, version: program.version };
}
