import type { Obj, Resource } from '@coffer/kernel';
import { configOf } from './config.js';
import type { Reconciler } from './delivery/reconciler.js';
import type { Skills } from './skills.js';

/** A skill as REST answers it: the row, and what its folder says now. */
export async function viewOf(skill: Resource, skills: Skills, reconciler: Reconciler): Promise<Obj> {
  const { name, ref, enabled, scope, created_at, updated_at } = skill;
  const { source, content_hash, last_synced_at, description } = configOf(skill);
  const { front, problem, file_count, size_bytes } = await skills.look(name);
  return {
    name,
    ref,
    description: front?.description ?? description,
    enabled,
    scope,
    source,
    content_hash,
    edited: (await skills.hashNow(name)) !== content_hash,
    last_synced_at,
    license: front?.license ?? null,
    allowed_tools: front?.allowed_tools ?? [],
    file_count,
    size_bytes,
    valid: problem === undefined,
    problem: problem ?? null,
    path: skills.folder(name),
    created_at,
    updated_at,
    deliveries: await reconciler.deliveries(name),
  };
}
