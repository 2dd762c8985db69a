import type { JsonSchema, Obj } from '../json.js';
import type { Scope } from '../scope/types.js';

/** A thing the user manages, identified by `<kind>:<name>`; kind and name never change. */
export interface Resource {
  readonly ref: string;
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
  readonly config: Obj;
  readonly enabled: boolean;
  readonly scope: Scope;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** What is about to be written. Taps of `-ing` hooks may not change it; they accept or throw. */
export interface ResourceDraft {
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
  readonly config: Obj;
}

export interface ResourceStatus {
  readonly status: 'healthy' | 'failing' | 'unknown';
  readonly reason?: string;
  readonly [more: string]: unknown;
}

export type ScopeAxis = 'machine' | 'agent' | (string & {});

/** A kind is data first: this is enough for storage, REST, CLI, audit, scope, backup and a page in the UI. */
export interface KindDefinition {
  /** Lower case with underscores, for example `mcp_server`. */
  kind: string;
  label: { one: string; many: string };
  /** JSON Schema (draft 2020-12) of `config`; defaults in it are filled in. */
  schema: JsonSchema;
  /** Default: none, then only a null scope is accepted. */
  scopeAxes?: readonly ScopeAxis[];
  /** `own`: the generic POST and PATCH are refused with GENERIC_CREATE_NOT_ALLOWED. Default `generic`. */
  creation?: 'generic' | 'own';
  /**
   * `restorable`: for some minutes a deletion can be taken back, so nobody is asked before it. A kind says so when its taps of
   * `resource.deleted` put back, through `undo`, whatever they drop, or drop nothing. Default `final`.
   */
  deletion?: 'restorable' | 'final';
  /** Names of the credentials a config cites; each must exist before the resource is written. */
  credentialRefs?: (config: Obj) => readonly string[];
  /** A copy of a config without what may be secret, for the audit log. Default: the config as it is. */
  redact?: (config: Obj) => Obj;
  /** Throws CofferError when a name does not fit. */
  nameRule?: (name: string) => void;
}

/** For taps of `resource.deleted`. */
export interface Undo {
  /** What to do when the deletion is taken back: after the resource is there again, before `resource.created`. */
  putBack(step: () => void | Promise<void>): void;
}

/** Who caused a change. */
export type Actor = 'cli' | 'api' | 'ui' | 'system' | 'agent';
export const ACTORS: readonly Actor[] = ['cli', 'api', 'ui', 'system', 'agent'];

export interface ListOptions {
  kind?: string;
  /** Only what this viewpoint may see: enabled, in scope of machine and agent. */
  visibleTo?: import('../scope/types.js').Viewpoint;
}

/** The resource service as plugins see it. */
export interface Resources {
  list(kind?: string, options?: Omit<ListOptions, 'kind'>): Resource[];
  /** Throws RESOURCE_NOT_FOUND. */
  get(kind: string, name: string): Resource;
  find(kind: string, name: string): Resource | undefined;
  create(
    input: { kind: string; name: string; description?: string | null; config: Obj },
    actor: Actor,
  ): Promise<Resource>;
  update(
    kind: string,
    name: string,
    change: { description?: string | null; config?: Obj; expectedUpdatedAt?: string },
    actor: Actor,
  ): Promise<Resource>;
  setEnabled(kind: string, name: string, enabled: boolean, actor: Actor): Promise<Resource>;
  setScope(kind: string, name: string, scope: unknown, actor: Actor): Promise<Resource>;
  remove(kind: string, name: string, actor: Actor): Promise<void>;
  /** Takes the last deletion of that name back: config, description, scope and switch are as they were. Throws RESOURCE_NOT_FOUND when it is too late. */
  restore(kind: string, name: string, actor: Actor): Promise<Resource>;
  status(resource: Resource): Promise<ResourceStatus>;
}
