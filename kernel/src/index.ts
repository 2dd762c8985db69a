/**
 * The public face of the kernel: all that a plugin may import.
 * @packageDocumentation
 */
export { definePlugin, isPlugin, serviceToken, API_VERSION } from './plugin/contract.js';
export type {
  Clock,
  Credentials,
  Kernel,
  LiveEvent,
  Logger,
  Plugin,
  PluginDefinition,
  ServiceToken,
} from './plugin/contract.js';
export { CofferError, ERRORS, className, isCofferError, type ErrorCode } from './errors.js';
export type { Hook, HookMap, HookInfo, Mode, OnError, Stage, TapOf, TapRecord } from './hook.js';
export type { Hooks } from './hooks.js';
export { isObj, type JsonSchema, type Obj } from './json.js';
export { writeAtomic } from './vault/files.js';
export { editForeign, readForeign, type ForeignChange, type ForeignEdit, type ForeignFile } from './vault/foreign.js';
export { findProgram, ownerEnvironment } from './programs/find.js';
export { startProgram, type StartedProgram, type StartOptions } from './programs/start.js';
export { Payload } from './gateway/payload.js';
export { LOG_LEVELS } from './gateway/seam.js';
export type * from './gateway/seam.js';
export type * from './gateway/types.js';
export type {
  Actor,
  KindDefinition,
  Resource,
  ResourceDraft,
  Undo,
  ResourceStatus,
  Resources,
  ScopeAxis,
} from './resources/types.js';
export type { Hidden, Scope, Viewpoint } from './scope/types.js';
export type { Route, RouteRequest, ServerEvent } from './http/route.js';
export type { Audit, AuditEvent, RetentionTable } from './journal/types.js';
export type { Programs } from './product.js';
export type { Migration, Paths } from './vault/types.js';
export type {
  AgentAdapter,
  AgentDirectory,
  AgentProvider,
  AgentRegistry,
  Turn,
  TurnEvent,
  TurnMessage,
} from './agents/types.js';
