/**
 * Every hook of the house, typed: the contract with third parties. `docs/hooks.md` is generated from this file.
 * A bail tap returns undefined ("go on") or a result; an asynchronous tap may return a promise.
 */
import { Hook, HookMap } from './hook.js';
import type { AgentRegistry } from './agents/types.js';
import type { CallInfo, GatewaySession, Invocation, Listing, Refusal, SourceCollector } from './gateway/types.js';
import type { RouteCollector } from './http/route.js';
import type { RetentionCollector } from './journal/types.js';
import type { Resource, ResourceDraft, ResourceStatus, Undo } from './resources/types.js';
import type { Hidden, Viewpoint } from './scope/types.js';
import type { TreeCollector } from './vault/types.js';

export interface Hooks {
  readonly daemon: {
    readonly starting: Hook<[]>;
    readonly ready: Hook<[]>;
    readonly stopping: Hook<[]>;
  };
  readonly resource: {
    readonly validating: HookMap<[draft: ResourceDraft, before: Resource | undefined]>;
    readonly creating: HookMap<[draft: ResourceDraft]>;
    readonly updating: HookMap<[draft: ResourceDraft, before: Resource]>;
    readonly enabling: HookMap<[resource: Resource]>;
    readonly disabling: HookMap<[resource: Resource]>;
    readonly deleting: HookMap<[resource: Resource]>;
    readonly created: HookMap<[resource: Resource]>;
    readonly updated: HookMap<[resource: Resource, before: Resource]>;
    readonly enabled: HookMap<[resource: Resource]>;
    readonly disabled: HookMap<[resource: Resource]>;
    readonly deleted: HookMap<[resource: Resource, undo: Undo]>;
    readonly status: HookMap<[resource: Resource], ResourceStatus>;
  };
  readonly scope: {
    readonly visible: Hook<[resource: Resource, viewpoint: Viewpoint], Hidden | undefined>;
  };
  readonly gateway: {
    readonly sources: Hook<[session: GatewaySession, sources: SourceCollector]>;
    readonly listed: Hook<[listing: Listing, session: GatewaySession], Listing>;
    readonly admit: Hook<[call: CallInfo], Refusal | undefined>;
    readonly invoked: Hook<[invocation: Invocation]>;
    readonly sessionOpened: Hook<[session: GatewaySession]>;
    readonly sessionClosed: Hook<[session: GatewaySession]>;
  };
  readonly agents: { readonly register: Hook<[registry: AgentRegistry]> };
  readonly http: { readonly routes: Hook<[routes: RouteCollector]> };
  readonly backup: { readonly trees: Hook<[trees: TreeCollector]> };
  readonly retention: { readonly tables: Hook<[tables: RetentionCollector]> };
}

/** A fresh set of hooks; a kernel has one. */
export function createHooks(): Hooks {
  const before = (verb: string, then: string) =>
    ({
      name: `resource.${verb}`,
      mode: 'series',
      onError: 'refuse',
      when: `Before a resource is ${then}; nothing is written yet.`,
      who: 'the kind',
    }) as const;
  const after = (verb: string) =>
    ({
      name: `resource.${verb}`,
      mode: 'series',
      onError: 'isolate',
      when: `After a resource was ${verb} and its audit row written.`,
      who: 'the kind, watchers',
    }) as const;
  return {
    daemon: {
      starting: new Hook(
        {
          name: 'daemon.starting',
          mode: 'series',
          onError: 'fail',
          when: 'Before the port is opened.',
          who: 'plugins with workers',
        },
        [],
      ),
      ready: new Hook(
        {
          name: 'daemon.ready',
          mode: 'parallel',
          onError: 'fail',
          when: 'When HTTP is served.',
          who: 'plugins with workers',
        },
        [],
      ),
      stopping: new Hook(
        {
          name: 'daemon.stopping',
          mode: 'series',
          onError: 'fail',
          when: 'Before sessions and effects end.',
          who: 'plugins with workers',
        },
        [],
      ),
    },
    resource: {
      validating: new HookMap(
        {
          name: 'resource.validating',
          mode: 'series',
          onError: 'refuse',
          when: 'After the schema accepted a config, before anything is written.',
          who: 'rules beyond the schema',
        },
        ['draft', 'before'],
      ),
      creating: new HookMap(before('creating', 'created'), ['draft']),
      updating: new HookMap(before('updating', 'updated'), ['draft', 'before']),
      enabling: new HookMap(before('enabling', 'enabled'), ['resource']),
      disabling: new HookMap(before('disabling', 'disabled'), ['resource']),
      deleting: new HookMap(before('deleting', 'deleted'), ['resource']),
      created: new HookMap(after('created'), ['resource']),
      updated: new HookMap(after('updated'), ['resource', 'before']),
      enabled: new HookMap(after('enabled'), ['resource']),
      disabled: new HookMap(after('disabled'), ['resource']),
      deleted: new HookMap(after('deleted'), ['resource', 'undo']),
      status: new HookMap<[Resource], ResourceStatus>(
        {
          name: 'resource.status',
          mode: 'series-bail',
          onError: 'closed',
          when: 'When the health of a resource is asked for; must have no side effect.',
          who: 'the kind',
        },
        ['resource'],
        () => ({ status: 'unknown', reason: 'The plugin of this kind failed to tell; see coffer plugin list' }),
      ),
    },
    scope: {
      visible: new Hook<[Resource, Viewpoint], Hidden | undefined>(
        {
          name: 'scope.visible',
          mode: 'bail',
          onError: 'closed',
          when: 'Whenever a resource is about to be used or shown to an agent.',
          who: 'axes',
        },
        ['resource', 'viewpoint'],
        () => ({ axis: 'error' }),
      ),
    },
    gateway: {
      sources: new Hook(
        {
          name: 'gateway.sources',
          mode: 'series',
          onError: 'isolate',
          when: 'When a session first needs its servers, and after a change.',
          who: 'whoever offers capabilities',
        },
        ['session', 'sources'],
      ),
      listed: new Hook<[Listing, GatewaySession], Listing>(
        {
          name: 'gateway.listed',
          mode: 'waterfall',
          onError: 'closed',
          when: 'For each list of each server before a client sees it.',
          who: 'curation, scope, third parties',
        },
        ['listing', 'session'],
        (listing) => ({ ...listing, items: [] }),
      ),
      admit: new Hook<[CallInfo], Refusal | undefined>(
        {
          name: 'gateway.admit',
          mode: 'bail',
          onError: 'closed',
          when: 'Before a call reaches any server.',
          who: 'curation, scope, policy',
        },
        ['call'],
        () => ({
          name: 'DISABLED',
          message: 'Refused: the plugin that guards this capability failed; see coffer plugin list',
        }),
      ),
      invoked: new Hook(
        {
          name: 'gateway.invoked',
          mode: 'sync',
          onError: 'isolate',
          when: 'After a call ended, however it ended.',
          who: 'invocation log, live events, metrics',
        },
        ['invocation'],
      ),
      sessionOpened: new Hook(
        {
          name: 'gateway.sessionOpened',
          mode: 'parallel',
          onError: 'isolate',
          when: 'When a client first speaks.',
          who: 'supervisors',
        },
        ['session'],
      ),
      sessionClosed: new Hook(
        {
          name: 'gateway.sessionClosed',
          mode: 'parallel',
          onError: 'isolate',
          when: 'When a client is gone, after its servers were closed.',
          who: 'supervisors',
        },
        ['session'],
      ),
    },
    agents: {
      register: new Hook(
        {
          name: 'agents.register',
          mode: 'sync',
          onError: 'fail',
          when: 'Once, before the daemon starts.',
          who: 'agent plugins',
        },
        ['registry'],
      ),
    },
    http: {
      routes: new Hook(
        {
          name: 'http.routes',
          mode: 'sync',
          onError: 'fail',
          when: 'When routes are mounted.',
          who: 'plugins with routes',
        },
        ['routes'],
      ),
    },
    backup: {
      trees: new Hook(
        {
          name: 'backup.trees',
          mode: 'sync',
          onError: 'fail',
          when: 'At backup and restore.',
          who: 'plugins with files in the vault',
        },
        ['trees'],
      ),
    },
    retention: {
      tables: new Hook(
        {
          name: 'retention.tables',
          mode: 'sync',
          onError: 'fail',
          when: 'At the start of the daemon.',
          who: 'plugins with logs',
        },
        ['tables'],
      ),
    },
  };
}

/** Every hook there is, for the generated table and for `coffer plugin list --verbose`. */
export function allHooks(hooks: Hooks): Array<Hook<never, never> | HookMap<never, never>> {
  return Object.values(hooks).flatMap((area) =>
    Object.values(area as Record<string, Hook<never, never> | HookMap<never, never>>),
  );
}
