/** Where the skills of agents go, told to the plugin of skills. */
import type { SkillTarget } from '@coffer/kind-skill';
import type { Agents, Known } from './agents.js';

export function skillTargets(agents: Agents): SkillTarget[] {
  return agents.here().flatMap(({ place, definition }) => {
    const facet = definition.facets.skills;
    if (facet === undefined) return [];
    return [{ agent: place.name, folder: facet.folder(place), extraFolders: facet.also?.(place) ?? [] }];
  });
}

export function skillFolder({ definition, place }: Known): string | undefined {
  return definition.facets.skills?.folder(place);
}
