/**
 * Lists of all servers as one. Each server has a budget; what fails or is slow is left out, named, retried behind, and announced
 * when it comes back. Listing itself never notifies.
 */
import { isDeepStrictEqual } from 'node:util';
import { isCofferError, className } from '../errors.js';
import type { Hooks } from '../hooks.js';
import { isObj, type Obj } from '../json.js';
import type { Clock, Logger } from '../plugin/contract.js';
import { detached } from './exchange.js';
import { wireName, wireUri } from './names.js';
import { Payload } from './payload.js';
import type { Exchange, ListType, Source } from './seam.js';
import type { OpenSource, Standing } from './standings.js';
import type { ListedTool } from './types.js';

/** How long a list of a server is good, in milliseconds. */
export const TTL_MS = 60_000;
const BUDGET_MS = 5000;
const RETRY_MS = [2000, 5000, 15_000, 30_000, 60_000];

export const LIST_METHODS: ReadonlyMap<string, ListType> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);
export const KIND_OF = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resources',
} as const;
const TYPES_OF = { tools: ['tools'], prompts: ['prompts'], resources: ['resources', 'resourceTemplates'] } as const;
export type Kind = keyof typeof TYPES_OF;

export interface CachedList {
  items: readonly Obj[] | undefined;
  at: number;
  fetching: Promise<readonly Obj[]> | undefined;
  /** Rises when what is being fetched is out of date before it arrives. */
  version: number;
}

export interface Rendered {
  payload: Payload;
  /** For `tools`: the upstream tools among them. */
  tools: readonly ListedTool[];
  until: number;
}

export interface Lists {
  /** The whole list as a client sees it. */
  get(s: Standing, type: ListType, x: Exchange): Promise<Rendered>;
  /** One server's list in its own names, within the budget; undefined when it cannot be had now. */
  of(s: Standing, open: OpenSource, type: ListType, x: Exchange): Promise<readonly Obj[] | undefined>;
  /** A server said that its lists of this kind changed. */
  invalidate(s: Standing, server: string, kind: Kind): void;
  /** A server went, or was replaced. */
  drop(s: Standing, server: string): void;
  /** Forget what other sessions saw of a server. */
  forget(ref: string): void;
  /** Rendered lists may be out of date; tells for each kind whether a client would see another list now. */
  rerender(s: Standing): Kind[];
}

interface Parts {
  hooks: Hooks;
  clock: Clock;
  log: Logger;
  builtIns: (s: Standing) => readonly Obj[];
  /** A client's view of a kind of lists has changed. */
  announce: (s: Standing, kind: Kind) => void;
}

export function createLists({ hooks, clock, log, builtIns, announce }: Parts): Lists {
  /** What any session saw last, by list key and type: a new session is answered from it at once (docs/gateway.md). */
  const seen = new Map<string, { ref: string; items: readonly Obj[]; at: number }>();

  const cacheOf = (s: Standing, server: string, type: ListType): CachedList => {
    const key = `${server}/${type}`;
    let c = s.lists.get(key);
    if (c === undefined) s.lists.set(key, (c = { items: undefined, at: 0, fetching: undefined, version: 0 }));
    return c;
  };
  /** A server may say that its list is good for less. */
  const goodUntil = (at: number, source: Source | undefined, type: ListType): number =>
    at + Math.min(TTL_MS, source?.freshMs?.(type) ?? TTL_MS);

  /** `behind`: no client waits for this very list, so one that differs from what it has is announced. */
  const fetch = (
    s: Standing,
    open: OpenSource,
    type: ListType,
    x: Exchange,
    behind = false,
  ): Promise<readonly Obj[]> => {
    const { offer, source } = open;
    const c = cacheOf(s, offer.name, type);
    if (c.fetching !== undefined) return c.fetching;
    const version = c.version;
    const listKey = `${offer.listKey(x.capabilities)}/${type}`;
    const fetching = (async () => {
      const items = (await (source as NonNullable<typeof source>).list(type, detached(x, offer.name))).filter(isObj);
      const before = c.items;
      if (c.version === version) {
        c.items = items;
        c.at = clock.now();
        seen.set(listKey, { ref: offer.ref, items, at: c.at });
      }
      const wasMissing = s.missing.get(`${offer.name}/${type}`);
      wasMissing?.retry?.clear();
      s.missing.delete(`${offer.name}/${type}`);
      if (wasMissing !== undefined || (behind && before !== undefined && !isDeepStrictEqual(before, items))) {
        s.rendered.delete(type);
        if (!s.closed) announce(s, KIND_OF[type]);
      }
      return items;
    })();
    c.fetching = fetching;
    fetching
      .catch(() => undefined)
      .finally(() => {
        if (c.fetching === fetching) c.fetching = undefined;
      });
    return fetching;
  };

  const leaveOut = (s: Standing, open: OpenSource, type: ListType, x: Exchange, reason: string): undefined => {
    const { name } = open.offer;
    const key = `${name}/${type}`;
    const known = s.missing.get(key);
    if (known === undefined)
      log.warn('a server is left out of a list', { server: name, session: s.session.id, reason });
    const attempts = known?.attempts ?? 0;
    if (known?.retry === undefined && !s.closed) {
      const retry = clock.setTimeout(
        () => {
          const entry = s.missing.get(key);
          if (entry === undefined || s.closed || s.sources.get(name) !== open) return;
          s.missing.set(key, { reason: entry.reason, attempts: entry.attempts + 1 });
          fetch(s, open, type, x, true).catch((e: unknown) => leaveOut(s, open, type, x, why(e)));
        },
        RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 60_000,
      );
      s.missing.set(key, { reason, retry, attempts });
    } else if (known !== undefined) known.reason = reason;
    return undefined;
  };

  const of = async (
    s: Standing,
    open: OpenSource,
    type: ListType,
    x: Exchange,
  ): Promise<readonly Obj[] | undefined> => {
    if (open.source === undefined) return [];
    const c = cacheOf(s, open.offer.name, type);
    if (c.items !== undefined && clock.now() < goodUntil(c.at, open.source, type)) return c.items;
    if (c.items === undefined) {
      const other = seen.get(`${open.offer.listKey(x.capabilities)}/${type}`);
      if (other !== undefined && clock.now() < goodUntil(other.at, open.source, type)) {
        c.items = other.items;
        // Good for as long as the one who saw it; this session's own server starts behind and may correct it.
        c.at = other.at;
        fetch(s, open, type, x, true).catch((e: unknown) =>
          log.debug('own list not available yet', { server: open.offer.name, error: why(e) }),
        );
        return c.items;
      }
    }
    // Known to be away, and asked again behind in a moment: whoever lists meanwhile must not wait for it again.
    if (s.missing.get(`${open.offer.name}/${type}`)?.retry !== undefined) return undefined;
    const budget = open.offer.listBudgetMs ?? BUDGET_MS;
    const late = Symbol('late');
    let timer: { clear(): void } | undefined;
    try {
      const slow = new Promise<typeof late>((resolve) => (timer = clock.setTimeout(() => resolve(late), budget)));
      const got = await Promise.race([fetch(s, open, type, x), slow]);
      if (got === late) return leaveOut(s, open, type, x, `did not list its ${type} within ${budget / 1000} s`);
      return got;
    } catch (e) {
      return leaveOut(s, open, type, x, why(e));
    } finally {
      timer?.clear();
    }
  };

  const render = (
    s: Standing,
    type: ListType,
    lists: readonly (readonly [OpenSource, readonly Obj[]])[],
  ): { payload: Payload; tools: ListedTool[] } => {
    const items: Obj[] = [];
    const tools: ListedTool[] = [];
    for (const [{ offer }, list] of lists) {
      const listing = hooks.gateway.listed.call({ type, server: offer.name, ref: offer.ref, items: list }, s.session);
      for (const item of listing?.items ?? []) {
        const shown = onTheWire(type, offer.name, item);
        if (shown === undefined) continue;
        if (type === 'tools') tools.push({ name: shown['name'] as string, server: offer.name, tool: shown });
        items.push(shown);
      }
    }
    const visible = type !== 'tools' ? items : s.session.lean ? builtIns(s) : [...items, ...builtIns(s)];
    return { payload: Payload.of({ [type]: visible }), tools };
  };

  return {
    of,
    async get(s, type, x) {
      const known = s.rendered.get(type);
      if (known !== undefined && clock.now() < known.until) return known;
      const { sources } = s;
      const opens = [...sources.values()].filter((o) => o.source !== undefined);
      const lists = await Promise.all(opens.map(async (o) => [o, await of(s, o, type, x)] as const));
      const had = lists.flatMap(([o, items]) => (items === undefined ? [] : [[o, items] as const]));
      const made = render(s, type, had);
      // A partial list, or one whose servers changed while it was made, is made anew each time; a whole one is good until the first member of it is not.
      const until =
        had.length < lists.length || s.sources !== sources
          ? 0
          : Math.min(
              clock.now() + TTL_MS,
              ...opens.map((o) => goodUntil(cacheOf(s, o.offer.name, type).at, o.source, type)),
            );
      const rendered: Rendered = { ...made, until };
      s.rendered.set(type, rendered);
      return rendered;
    },
    invalidate(s, server, kind) {
      for (const type of TYPES_OF[kind]) {
        const c = cacheOf(s, server, type);
        c.version++;
        c.items = undefined;
        // A list made from what was fetched before must not be kept for the rest of its time.
        c.at = 0;
        c.fetching = undefined;
        // It lives: the next list asks it, without waiting for the retry.
        const missing = s.missing.get(`${server}/${type}`);
        missing?.retry?.clear();
        if (missing !== undefined) s.missing.set(`${server}/${type}`, { reason: missing.reason, attempts: 0 });
        s.rendered.delete(type);
        const ref = s.sources.get(server)?.offer.ref;
        for (const [key, entry] of seen) if (entry.ref === ref && key.endsWith(`/${type}`)) seen.delete(key);
      }
    },
    drop(s, server) {
      for (const key of [...s.lists.keys()]) if (key.startsWith(`${server}/`)) s.lists.delete(key);
      for (const [key, entry] of [...s.missing])
        if (key.startsWith(`${server}/`)) {
          entry.retry?.clear();
          s.missing.delete(key);
        }
    },
    forget(ref) {
      for (const [key, entry] of seen) if (entry.ref === ref) seen.delete(key);
    },
    rerender(s) {
      const changed = new Set<Kind>();
      for (const [name, before] of [...s.rendered]) {
        const type = name as ListType;
        s.rendered.delete(type);
        const opens = [...s.sources.values()].filter((o) => o.source !== undefined);
        const lists = opens.map((o) => [o, s.lists.get(`${o.offer.name}/${type}`)?.items] as const);
        const whole = lists.flatMap(([o, items]) => (items === undefined ? [] : [[o, items] as const]));
        const now = whole.length === lists.length ? render(s, type, whole) : undefined;
        if (now === undefined || !isDeepStrictEqual(now.payload.value, before.payload.value))
          changed.add(KIND_OF[type]);
        else s.rendered.set(type, before);
      }
      return [...changed];
    },
  };
}

function onTheWire(type: ListType, server: string, item: Obj): Obj | undefined {
  if (type === 'resources')
    return typeof item['uri'] === 'string' ? { ...item, uri: wireUri(server, item['uri']) } : undefined;
  if (type === 'resourceTemplates')
    return typeof item['uriTemplate'] === 'string'
      ? { ...item, uriTemplate: wireUri(server, item['uriTemplate']) }
      : undefined;
  return typeof item['name'] === 'string' ? { ...item, name: wireName(server, item['name']) } : undefined;
}

function why(e: unknown): string {
  return isCofferError(e) ? e.message : className(e);
}
