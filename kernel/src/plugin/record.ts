import type { TapRecord } from '../hook.js';
import type { Plugin } from './contract.js';
import type { Found, Manifest } from './manifest.js';

export type PluginState = 'active' | 'degraded' | 'failed' | 'disabled';

/** Everything the host knows of one plugin: what it declared, what it started, what went wrong. */
export interface PluginRecord {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly source: Found['source'];
  readonly dir: string | null;
  readonly manifest: Manifest | null;
  definition: Plugin | null;
  state: PluginState;
  note: string;
  /** Time of register and start, in milliseconds. */
  startMs: number | null;
  taps: TapRecord[];
  effects: { label: string; dispose: () => void | Promise<void> }[];
  kinds: string[];
  tools: string[];
  routes: string[];
  agents: string[];
  services: string[];
  errors: { where: string; error: string; at: string; count: number }[];
  /** False while register runs no more: declaring is over. */
  registering: boolean;
}

/** Is what it declared in force? */
export function runs(r: PluginRecord): boolean {
  return r.state === 'active' || r.state === 'degraded';
}

export function newRecord(
  found: Pick<Found, 'name' | 'version' | 'description' | 'source'> & { dir?: string; manifest?: Manifest },
): PluginRecord {
  return {
    name: found.name,
    version: found.version,
    description: found.description,
    source: found.source,
    dir: found.dir ?? null,
    manifest: found.manifest ?? null,
    definition: null,
    state: 'disabled',
    note: '',
    startMs: null,
    taps: [],
    effects: [],
    kinds: [],
    tools: [],
    routes: [],
    agents: [],
    services: [],
    errors: [],
    registering: false,
  };
}

/** As REST and CLI show it. */
export interface PluginView {
  name: string;
  version: string;
  description: string;
  source: string;
  state: PluginState;
  note: string;
  start_ms: number | null;
  requires: readonly string[];
  kinds: string[];
  tools: string[];
  routes: string[];
  agents: string[];
  services: string[];
  taps: { hook: string; stage: string; calls: number; errors: number; ms: number; active: boolean }[];
  effects: string[];
  errors: { where: string; error: string; at: string; count: number }[];
}

export function viewOf(r: PluginRecord): PluginView {
  return {
    name: r.name,
    version: r.version,
    description: r.description,
    source: r.source,
    state: r.state,
    note: r.note,
    start_ms: r.startMs === null ? null : Math.round(r.startMs * 10) / 10,
    requires: r.definition?.requires ?? [],
    kinds: r.kinds,
    tools: r.tools,
    routes: r.routes,
    agents: r.agents,
    services: r.services,
    taps: r.taps.map((t) => ({
      hook: t.hook,
      stage: t.stage,
      calls: t.calls,
      errors: t.errors,
      ms: Math.round(t.ms * 100) / 100,
      active: t.active,
    })),
    effects: r.effects.map((e) => e.label),
    errors: r.errors,
  };
}
