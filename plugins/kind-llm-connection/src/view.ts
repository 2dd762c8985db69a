import type { Obj, Resource } from '@coffer/kernel';
import { configOf } from './config.js';
import type { Connections } from './connections.js';
import type { Tables } from './tables.js';
import { fits, type TargetList } from './targets.js';

type Parts = { connections: Connections; tables: Tables; targets: TargetList };

/** Agents of this machine that run on a connection. One that is gone runs on nothing. */
export function usersOf(name: string, { tables, targets }: Omit<Parts, 'connections'>): string[] {
  const there = new Set(targets.all().map((t) => t.agent));
  return tables.choices().flatMap((c) => (c.connection === name && there.has(c.agent) ? [c.agent] : []));
}

/** A connection as REST shows it: who runs on it, who could, and how it last answered. Never its key. */
export function connectionView(resource: Resource, { tables, targets }: Omit<Parts, 'connections'>): Obj {
  const { name, ref, description, enabled, created_at, updated_at } = resource;
  const config = configOf(resource);
  const all = targets.all();
  return {
    name,
    ref,
    description,
    enabled,
    protocol: config.protocol,
    base_url: config.base_url,
    credential_ref: config.credential_ref,
    compatible_agents: config.compatible_agents,
    wire_api: config.wire_api,
    used_by: usersOf(name, { tables, targets }),
    fits: all.filter((t) => fits(t, config)).map((t) => t.agent),
    internal_default: tables.engine()?.connection === name,
    last_test: tables.lastTest(name) ?? null,
    created_at,
    updated_at,
  };
}

/** Which agent runs on what, and what it could run on. */
export function agentViews({ connections, tables, targets }: Parts): Obj[] {
  const all = connections.list().filter((c) => c.enabled);
  return targets.all().map((target) => {
    const { agent, type, label, protocols } = target;
    const choice = tables.choice(agent);
    return {
      agent,
      type,
      label,
      protocols,
      connection: choice?.connection ?? null,
      model: choice?.model ?? null,
      fast_model: choice?.fast_model ?? null,
      since: choice?.since ?? null,
      choices: all.filter((c) => fits(target, configOf(c))).map((c) => c.name),
    };
  });
}
