/** The life of a resource: schema, rules, credentials, hooks, then one transaction with its audit row. Nothing is half-written. */
import { CofferError } from '../errors.js';
import { iso } from '../clock.js';
import { missing } from '../credentials/store.js';
import { parseScope } from '../scope/scope.js';
import type { HookMap } from '../hook.js';
import type { Hooks } from '../hooks.js';
import type { Audit } from '../journal/types.js';
import type { Obj } from '../json.js';
import type { Clock, LiveEvent } from '../plugin/contract.js';
import type { Hidden, Viewpoint } from '../scope/types.js';
import type { Db } from '../vault/database.js';
import type { DefinedKind, Kinds } from './kinds.js';
import type { ResourceStore } from './store.js';
import type { Actor, Resource, ResourceDraft, Resources } from './types.js';
import { check } from './validate.js';

/** Names go into URIs, file names and tool names: docs/gateway.md. */
export const NAME_PATTERN = '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$';

interface Deps {
  db: Db;
  store: ResourceStore;
  kinds: Kinds;
  hooks: Hooks;
  audit: Audit;
  clock: Clock;
  hasCredential: (ref: string) => boolean;
  hidden: (resource: Resource, viewpoint: Viewpoint) => Hidden | undefined;
  emit: (e: LiveEvent) => void;
  /** Something the gateway depends on may have changed. */
  changed: () => void;
}

export function createResources(deps: Deps): Resources {
  const { db, store, kinds, hooks, audit, clock } = deps;

  // One change to a resource at a time: an asynchronous hook must not let a second one slip in between check and write.
  const queues = new Map<string, Promise<unknown>>();
  const inTurn = <T>(ref: string, work: () => Promise<T>): Promise<T> => {
    const before = queues.get(ref) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (queues.get(ref) === settled) queues.delete(ref);
      });
    queues.set(ref, settled);
    return mine;
  };

  const get = (kind: string, name: string): Resource => {
    const found = store.find(kind, name);
    if (found === undefined)
      throw new CofferError('RESOURCE_NOT_FOUND', `There is no ${kind} of that name. See: coffer resource list`, {
        kind,
        name,
      });
    return found;
  };
  const checked = (kind: DefinedKind, config: unknown): Obj => {
    const copy = structuredClone(config) as Obj;
    check(kind.validate, copy, 'CONFIG_INVALID', `The config of this ${kind.label.one}`);
    for (const ref of kind.credentialRefs?.(copy) ?? []) if (!deps.hasCredential(ref)) throw missing(ref);
    return copy;
  };
  const shown = (kind: DefinedKind | undefined, config: Obj): Obj =>
    kind === undefined ? {} : (kind.redact?.(config) ?? config);

  const write = (resource: Resource, event: string, actor: Actor, details: Obj): void => {
    db.transaction(() => {
      store.put(resource);
      audit.write({ event_type: event, resource_kind: resource.kind, resource_name: resource.name, actor, details });
    })();
    store.remember(resource);
  };
  const after = async <A extends [Resource, ...unknown[]]>(
    map: HookMap<A>,
    verb: string,
    ...args: A
  ): Promise<void> => {
    deps.changed();
    await map.for(args[0].kind).promise(...args);
    deps.emit({ type: 'resource', action: verb, ref: args[0].ref, kind: args[0].kind, name: args[0].name });
  };

  return {
    list(kind, options = {}) {
      const all = store.all().filter((r) => kind === undefined || r.kind === kind);
      const from = options.visibleTo;
      return from === undefined ? all : all.filter((r) => r.enabled && deps.hidden(r, from) === undefined);
    },
    get,
    find: (kind, name) => store.find(kind, name),

    create: (input, actor) =>
      inTurn(`${input.kind}:${input.name}`, async () => {
        const kind = kinds.require(input.kind);
        if (!new RegExp(NAME_PATTERN).test(input.name)) {
          throw new CofferError(
            'CONFIG_INVALID',
            'A name is 1 to 64 letters, digits, dots, dashes or underscores and starts with a letter or digit.',
            { pointer: '/name' },
          );
        }
        kind.nameRule?.(input.name);
        if (store.find(kind.kind, input.name) !== undefined) {
          throw new CofferError(
            'RESOURCE_ALREADY_EXISTS',
            `The name ${input.name} is taken: ${kind.label.one} ${input.name} exists already. Choose another name, or change it: coffer resource update ${kind.kind}:${input.name}`,
            { kind: kind.kind, name: input.name },
          );
        }
        const config = checked(kind, input.config);
        const draft: ResourceDraft = {
          kind: kind.kind,
          name: input.name,
          description: input.description ?? null,
          config,
        };
        await hooks.resource.validating.for(kind.kind).promise(draft, undefined);
        await hooks.resource.creating.for(kind.kind).promise(draft);
        const now = iso(clock);
        const resource: Resource = {
          ref: `${kind.kind}:${input.name}`,
          ...draft,
          enabled: true,
          scope: null,
          created_at: now,
          updated_at: now,
        };
        write(resource, 'resource_created', actor, { config: shown(kind, config), description: draft.description });
        await after(hooks.resource.created, 'created', resource);
        return get(kind.kind, input.name);
      }),

    update: (kindName, name, change, actor) =>
      inTurn(`${kindName}:${name}`, async () => {
        const kind = kinds.require(kindName);
        const before = get(kindName, name);
        if (change.expectedUpdatedAt !== undefined && change.expectedUpdatedAt !== before.updated_at) {
          throw new CofferError(
            'RESOURCE_STALE',
            `${before.ref} was changed by someone else in the meantime. Read it again and repeat your change.`,
            { updated_at: before.updated_at },
          );
        }
        const config = change.config === undefined ? before.config : checked(kind, change.config);
        const draft: ResourceDraft = {
          kind: kindName,
          name,
          description: change.description === undefined ? before.description : change.description,
          config,
        };
        await hooks.resource.validating.for(kindName).promise(draft, before);
        await hooks.resource.updating.for(kindName).promise(draft, before);
        const resource: Resource = { ...before, ...draft, updated_at: later(clock, before) };
        write(resource, 'resource_updated', actor, {
          before: { config: shown(kind, before.config), description: before.description },
          after: { config: shown(kind, config), description: draft.description },
        });
        await after(hooks.resource.updated, 'updated', resource, before);
        return get(kindName, name);
      }),

    setEnabled: (kind, name, enabled, actor) =>
      inTurn(`${kind}:${name}`, async () => {
        const before = get(kind, name);
        if (before.enabled === enabled) return before;
        await (enabled ? hooks.resource.enabling : hooks.resource.disabling).for(kind).promise(before);
        const resource: Resource = { ...before, enabled, updated_at: later(clock, before) };
        write(resource, enabled ? 'resource_enabled' : 'resource_disabled', actor, {});
        await after(
          enabled ? hooks.resource.enabled : hooks.resource.disabled,
          enabled ? 'enabled' : 'disabled',
          resource,
        );
        return resource;
      }),

    setScope: (kind, name, value, actor) =>
      inTurn(`${kind}:${name}`, async () => {
        const scope = parseScope(value, kinds.require(kind));
        const before = get(kind, name);
        const resource: Resource = { ...before, scope, updated_at: later(clock, before) };
        write(resource, 'resource_updated', actor, { before: { scope: before.scope }, after: { scope } });
        await after(hooks.resource.updated, 'updated', resource, before);
        return resource;
      }),

    remove: (kind, name, actor) =>
      inTurn(`${kind}:${name}`, async () => {
        const before = get(kind, name);
        await hooks.resource.deleting.for(kind).promise(before);
        db.transaction(() => {
          store.remove(kind, name);
          const snapshot = { kind, name, config: shown(kinds.get(kind), before.config), enabled: before.enabled };
          audit.write({
            event_type: 'resource_deleted',
            resource_kind: kind,
            resource_name: name,
            actor,
            details: { snapshot },
          });
        })();
        store.forget(before.ref);
        await after(hooks.resource.deleted, 'deleted', before);
      }),

    async status(resource) {
      if (kinds.get(resource.kind) === undefined)
        return { status: 'unknown', reason: `unknown kind: no active plugin defines ${resource.kind}` };
      return (await hooks.resource.status.for(resource.kind).promise(resource)) ?? { status: 'unknown' };
    },
  };
}

/** `updated_at` serves as the version of a resource, so two changes within a millisecond must differ. */
function later(clock: Clock, before: Resource): string {
  return new Date(Math.max(clock.now(), Date.parse(before.updated_at) + 1)).toISOString();
}
