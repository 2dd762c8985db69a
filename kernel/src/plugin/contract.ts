import type { Database } from 'better-sqlite3';
import type { AgentDirectory } from '../agents/types.js';
import type { HookInfo, Stage, TapOf } from '../hook.js';
import type { Hooks } from '../hooks.js';
import type { Gateway, ToolDefinition } from '../gateway/types.js';
import type { Route } from '../http/route.js';
import type { Audit } from '../journal/types.js';
import type { Actor, KindDefinition, Resources } from '../resources/types.js';
import type { Scope, Viewpoint, Hidden } from '../scope/types.js';
import type { Resource } from '../resources/types.js';
import type { Programs } from '../product.js';
import type { Migration, Paths } from '../vault/types.js';

/** The version of the contract in this folder. A plugin written for another one is refused in plain words. */
export const API_VERSION = 1;
const PLUGIN = Symbol.for('coffer.plugin');

/** What a plugin exports. */
export interface PluginDefinition {
  /** Kebab-case, unique: `kind-bookmark`. */
  name: string;
  apiVersion: number;
  /** Names of plugins whose services this one uses; they are registered first. */
  requires?: readonly string[];
  /** Declares: kinds, taps, tools, routes, services. Synchronous, no I/O beyond its own tables. */
  register(kernel: Kernel): void;
  /** May do I/O. What runs on is started through `kernel.effect`. */
  start?(kernel: Kernel): void | Promise<void>;
}
export type Plugin = PluginDefinition & { readonly [PLUGIN]: true };

/** Brands a plugin, so that the host can tell it from any other export. */
export function definePlugin(definition: PluginDefinition): Plugin {
  return { ...definition, [PLUGIN]: true };
}
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && (value as { [PLUGIN]?: unknown })[PLUGIN] === true;
}

/** A name for a service that carries its type. The plugin that offers it exports the token. */
export interface ServiceToken<T> {
  readonly name: string;
  /** Never set; carries the type. */
  readonly type?: T;
}
export function serviceToken<T>(name: string): ServiceToken<T> {
  return { name };
}

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Time as the kernel sees it; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(fn: () => void, ms: number): { clear(): void };
  setInterval(fn: () => void, ms: number): { clear(): void };
}

export interface Credentials {
  has(ref: string): boolean;
  /** The plaintext, for use at once. Throws CREDENTIAL_MISSING, CREDENTIAL_LOCKED. Never keep, log or return it. */
  reveal(ref: string): string;
  /** Stores a value, encrypted; audited. Segments of letters, digits and `_.-`, joined by `/`. Throws MASTER_KEY_WRONG, KEYCHAIN_UNAVAILABLE. */
  set(ref: string, value: string, actor: Actor): void;
  /** Audited. Throws CREDENTIAL_IN_USE while a resource cites it. */
  remove(ref: string, actor: Actor): void;
}

/** Something that happened, for whoever watches live. `type` is for example `resource`, `invocation`, `session`; docs/plugins.md lists the kernel's own. */
export interface LiveEvent {
  type: string;
  [field: string]: unknown;
}

/** What a plugin gets: the narrow view of the kernel that bears its name. */
export interface Kernel {
  readonly plugin: string;
  readonly apiVersion: typeof API_VERSION;
  /** The version of the product. */
  readonly version: string;
  readonly hooks: Hooks;
  readonly log: Logger;
  readonly clock: Clock;
  readonly paths: Paths;
  readonly credentials: Credentials;
  readonly audit: Audit;
  readonly resources: Resources;
  readonly gateway: Gateway;
  /** For settings of other programs that start parts of this product. */
  readonly programs: Programs;
  /** Agents that plugins registered, to hold conversations with. */
  readonly agents: AgentDirectory;
  /** Id of this machine, minted once. */
  readonly machine: string;
  /** Validated environment knobs, see docs/configuration.md. */
  readonly env: Readonly<Record<string, string | undefined>>;

  /** Adds a function to a hook, under this plugin's name, the hook's error policy and a timer. Undone when the plugin stops. */
  tap<H extends { readonly info: HookInfo }>(hook: H, fn: TapOf<H>, options?: { stage?: Stage }): void;
  /** Starts something that runs on (timer, watcher, child, socket); the returned function ends it, in reverse order, on stop. */
  effect(label: string, start: () => () => void | Promise<void>): void;
  readonly kinds: { define(kind: KindDefinition): void };
  readonly tools: { define(tool: ToolDefinition): void };
  routes(routes: readonly Route[]): void;
  /** The vault's database with this plugin's migrations applied. Its tables bear the plugin's own prefix. */
  database(migrations: readonly Migration[]): Database;
  provide<T>(token: ServiceToken<T>, service: T): void;
  /** A service of a plugin named in `requires`. */
  use<T>(token: ServiceToken<T>): T;
  /**
   * A service that this plugin can do without; its provider need not be in `requires`. `use` gets it once the provider runs, at once or
   * later, again after the provider was switched off and on; what it returns is called when the provider or this plugin goes.
   */
  useIfThere<T>(token: ServiceToken<T>, use: (service: T) => (() => void) | void): void;
  /** Tells whoever watches `/events`. */
  emit(event: LiveEvent): void;
  /** The one answer to "may this be seen from there?": undefined when it may. */
  hidden(resource: Resource, viewpoint: Viewpoint): Hidden | undefined;
}

export type { Scope };
