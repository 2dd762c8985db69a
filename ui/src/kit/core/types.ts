/** What REST answers, as far as the UI reads it. */
export type Json = Readonly<Record<string, unknown>>;
export type Scope = null | Readonly<Record<string, '*' | readonly string[]>>;

export interface Status {
  status: string;
  reason?: string;
  checked_at?: string;
  [more: string]: unknown;
}
export interface Resource {
  ref: string;
  kind: string;
  name: string;
  description: string | null;
  config: Json;
  enabled: boolean;
  scope: Scope;
  created_at: string;
  updated_at: string;
  status: Status;
}
export interface Kind {
  kind: string;
  label: { one: string; many: string };
  plugin: string;
  scope_axes: string[];
  creation: string;
  deletion: 'restorable' | 'final';
  schema: Schema;
}
/** A JSON Schema, as far as forms read it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  'x-coffer'?: { widget?: string };
  [more: string]: unknown;
}
export type Words = Readonly<Record<string, string>>;
export interface PluginUi {
  module: string;
  /** By language, the address of a module that brings translations. */
  words?: Words;
  nav?: {
    id: string;
    label: Words;
    icon?: string;
    group?: 'top' | 'connect' | 'provide' | 'oversee';
    order?: number;
    route: string;
    kind?: string;
  }[];
  routes?: { path: string; element: string }[];
  slots?: { slot: string; kind?: string; id: string; label: Words; element: string; order?: number }[];
  palette?: { id: string; label: Words; route: string; keys?: string }[];
  search?: { id: string; label: Words }[];
}
export interface Plugin {
  name: string;
  version: string;
  description: string;
  source: string;
  state: 'active' | 'degraded' | 'failed' | 'disabled';
  note: string;
  start_ms: number | null;
  kinds: string[];
  tools: string[];
  routes: string[];
  services: string[];
  taps: { hook: string; stage: string; calls: number; errors: number; ms: number; active: boolean }[];
  effects: string[];
  errors: { where: string; error: string; at: string; count: number }[];
  ui: PluginUi | null;
}
export interface Session {
  id: string;
  agent: string | null;
  cwd: string | null;
  client: { name?: string; version?: string } | null;
  protocol_version: string | null;
  opened_at: string;
  inside: boolean;
  upstreams: { server: string; state: string }[];
}
export interface Machine {
  id: string;
  display_name: string;
  this_machine: boolean;
}
export interface Credential {
  ref: string;
  updated_at: string;
  locked: boolean;
  cited_by: string[];
}
export interface Invocation {
  id: number;
  timestamp: string;
  server: string;
  capability_type: string;
  capability_key: string;
  duration_ms: number;
  status: 'ok' | 'error' | 'timeout' | 'denied' | 'cancelled';
  error_message: string | null;
  agent: string | null;
}
export interface AuditEntry {
  id: number;
  timestamp: string;
  event_type: string;
  resource_kind: string | null;
  resource_name: string | null;
  actor: string;
  details: Json | null;
}
