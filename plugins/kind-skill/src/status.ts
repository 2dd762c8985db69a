import type { ResourceStatus, Resource } from '@coffer/kernel';
import { driftOf } from './delivery/judge.js';
import type { Reconciler } from './delivery/reconciler.js';
import type { Skills } from './skills.js';
import { worded } from './validate.js';

/** Is it as it should be? Its folder first, then the agents that should have it. Looks, changes nothing. */
export async function statusOf(skill: Resource, skills: Skills, reconciler: Reconciler): Promise<ResourceStatus> {
  const { problem, file_count, size_bytes } = await skills.look(skill.name);
  const facts = { file_count, size_bytes };
  if (problem !== undefined) return { status: 'failing', reason: worded(problem), problem, ...facts };
  const drift = (await reconciler.deliveries(skill.name)).flatMap((d) => driftOf(d) ?? []);
  const [first] = drift;
  if (first === undefined) return { status: 'healthy', ...facts };
  const more = drift.length > 1 ? ` (and ${drift.length - 1} more)` : '';
  return {
    status: 'failing',
    reason: `${first.agent_name}: ${first.target_path} ${first.reason}${more}`,
    drift,
    ...facts,
  };
}
