/** Scope, machine x agent: pure rules. Unknown machines and agents are legal and simply never match. */
import { CofferError } from '../errors.js';
import { isObj } from '../json.js';
import type { KindDefinition, Resource, ScopeAxis } from '../resources/types.js';
import type { Hidden, Scope, Viewpoint } from './types.js';

/** The entry for a machine: the exact key, else `*`, else none. */
export function entryFor(scope: Scope, machine: string): '*' | readonly string[] | undefined {
  if (scope === null) return '*';
  return Object.hasOwn(scope, machine) ? scope[machine] : scope['*'];
}

export function machineInScope(scope: Scope, machine: string): boolean {
  const entry = entryFor(scope, machine);
  return entry === '*' || (entry !== undefined && entry.length > 0);
}

/** Without a name only what every agent sees. */
export function agentInScope(scope: Scope, viewpoint: Viewpoint): boolean {
  const entry = entryFor(scope, viewpoint.machine);
  if (entry === '*') return true;
  return entry !== undefined && viewpoint.agent !== null && entry.includes(viewpoint.agent);
}

/** The kernel's own axes, as the first tap of `scope.visible`. */
export function hiddenByScope(resource: Resource, viewpoint: Viewpoint): Hidden | undefined {
  if (!machineInScope(resource.scope, viewpoint.machine)) return { axis: 'machine' };
  if (!agentInScope(resource.scope, viewpoint)) return { axis: 'agent' };
  return undefined;
}

/** Checks what somebody wants to set. Throws SCOPE_INVALID. */
export function parseScope(value: unknown, kind: Pick<KindDefinition, 'kind' | 'scopeAxes'>): Scope {
  if (value === null) return null;
  const axes: readonly ScopeAxis[] = kind.scopeAxes ?? [];
  const bad = (why: string): CofferError =>
    new CofferError('SCOPE_INVALID', `This scope does not fit kind ${kind.kind}: ${why}`);
  if (axes.length === 0) throw bad('this kind has no scope; only null is accepted.');
  if (!isObj(value)) throw bad('it must be null or an object of machine ids (or *) to * or a list of agent names.');
  for (const [machine, entry] of Object.entries(value)) {
    if (machine === '') throw bad('a machine id is empty.');
    if (entry === '*') continue;
    if (!Array.isArray(entry) || !entry.every((a) => typeof a === 'string' && a !== ''))
      throw bad('each entry must be * or a list of agent names.');
    if (!axes.includes('agent')) throw bad('this kind is scoped by machine only; each entry must be *.');
  }
  return value;
}
