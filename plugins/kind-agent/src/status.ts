import { existsSync } from 'node:fs';
import { isCofferError, type Resource, type ResourceStatus } from '@coffer/kernel';
import type { Agents } from './agents.js';
import type { OwnEntry } from './mcp/own-entry.js';

/** Is its folder there, and does it reach Coffer? Looks at files, starts nothing. */
export function statusOf(agent: Resource, agents: Agents, entry: OwnEntry): ResourceStatus {
  const known = agents.known(agent);
  if (known === undefined) return { status: 'unknown', reason: 'No active plugin knows this type of agent.' };
  if (!agents.isHere(agent)) return { status: 'unknown', reason: 'It belongs to another machine.' };
  if (!existsSync(known.place.dir)) return { status: 'failing', reason: 'Its settings folder has vanished.' };
  if (known.definition.facets.mcpConfig === undefined) return { status: 'healthy' };
  try {
    const { installed, works } = entry.status(agent.name);
    if (!installed) return { status: 'unknown', reason: 'Coffer is not in its MCP settings yet.', installed };
    if (!works)
      return { status: 'failing', reason: 'Its entry for Coffer names a program that is not there.', installed };
    return { status: 'healthy', installed };
  } catch (e) {
    if (!isCofferError(e)) throw e;
    return { status: 'failing', reason: e.message };
  }
}
