/** The core of the gateway: it routes an Exchange to a source and its Outcome back, the same JSON values. It knows no era. */
import type { Hooks } from '../hooks.js';
import { isObj, type Obj } from '../json.js';
import type { Clock, LiveEvent, Logger } from '../plugin/contract.js';
import type { BuiltIns } from './built-ins.js';
import { CALL_TOOL } from './built-ins.js';
import { fault, RoutedExchange } from './exchange.js';
import { createLists, LIST_METHODS, type Lists } from './lists.js';
import { BUILT_IN, splitName, splitUri } from './names.js';
import { callInfo, createRouting } from './routing.js';
import { createRunner } from './running.js';
import type { Core, Exchange, Facts, Outcome, Peer } from './seam.js';
import { createStandings, type Standing, type Standings } from './standings.js';
import { createTaskCalls } from './task-calls.js';
import { namedAnswer, rememberTask, TASK_METHODS, taskCapabilities } from './tasks.js';
import type { CallInfo, CapabilityType } from './types.js';
import { createWatching } from './watching.js';

export interface CoreParts {
  hooks: Hooks;
  clock: Clock;
  log: Logger;
  machine: string;
  version: string;
  builtIns: BuiltIns;
  emit: (event: LiveEvent) => void;
}

export interface GatewayCore extends Core {
  readonly standings: Standings;
  readonly lists: Lists;
  /** Offers, preferences or scope have changed. */
  changed(options?: { forget?: string }): void;
}

/** Methods that go to one server, and what they call there. */
const ROUTED: ReadonlyMap<string, CapabilityType> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
]);

export function createCore({ hooks, clock, log, machine, version, builtIns, emit }: CoreParts): GatewayCore {
  const lists = createLists({
    hooks,
    clock,
    log,
    builtIns: (s) => builtIns.list(s.session),
    announce: (s, kind) => watching.announce(s, kind),
  });
  const watching = createWatching({
    clock,
    invalidate: (s, server, kind) => lists.invalidate(s, server, kind),
    resolve: async (s, uri, x) => {
      const found = await findUri(s, uri, x);
      return 'fault' in found ? found : { server: found.open.offer.name, key: found.key };
    },
  });
  const { open, findUri, unknown } = createRouting(lists);
  const { run } = createRunner({ hooks, clock, log });
  const tasks = createTaskCalls({ hooks });
  const standings = createStandings({
    hooks,
    clock,
    log,
    machine,
    emit,
    opened: (s, open) => watching.apply(s, open),
    dropped: (s, server) => lists.drop(s, server),
  });

  const callBuiltIn = (s: Standing, key: string, params: Obj, x: Exchange): Promise<Outcome> => {
    if (key === CALL_TOOL && s.session.lean) {
      const args = params['arguments'] as unknown;
      const name = isObj(args) ? (args['name'] as unknown) : undefined;
      if (typeof name !== 'string' || name === `${BUILT_IN}__${CALL_TOOL}`)
        return Promise.resolve(fault('INVALID_PARAMS', 'coffer__call_tool needs the name of another tool'));
      const { arguments: _inner, ...rest } = params;
      return core.call(
        'tools/call',
        {
          ...rest,
          name,
          ...((args as Obj)['arguments'] === undefined ? {} : { arguments: (args as Obj)['arguments'] }),
        },
        x,
      );
    }
    if (!builtIns.has(key, s.session))
      return Promise.resolve({ kind: 'fault', fault: unknown('tool', `${BUILT_IN}__${key}`) });
    const call: CallInfo = {
      session: s.session,
      method: 'tools/call',
      server: BUILT_IN,
      ref: `builtin:${key}`,
      type: 'tool',
      key,
    };
    return run(s, call, x, (routed) => builtIns.call(key, params, s.session, routed));
  };

  const routed = async (
    s: Standing,
    method: string,
    type: CapabilityType,
    params: Obj,
    x: Exchange,
  ): Promise<Outcome> => {
    const field = type === 'resource' ? 'uri' : 'name';
    const wire = params[field] as unknown;
    if (typeof wire !== 'string') return fault('INVALID_PARAMS', `${method} needs a ${field}`);
    const target = type === 'resource' ? undefined : splitName(wire);
    if (type === 'tool' && target?.server === BUILT_IN) return callBuiltIn(s, target.key, params, x);
    const found = type === 'resource' ? await findUri(s, wire, x) : open(s, type, wire, target);
    if ('fault' in found) return { kind: 'fault', fault: found.fault };
    const { source, offer } = found.open;
    const outcome = await run(s, callInfo(s, method, type, found), x, (r) =>
      (source as NonNullable<typeof source>).call(method, { ...params, [field]: found.key }, r),
    );
    if (outcome.kind !== 'task') return outcome;
    const begun = namedAnswer(offer.name, outcome);
    if (begun.kind === 'task') rememberTask(s.tasks, begun.task['taskId'], found.key);
    return begun;
  };

  const complete = async (s: Standing, params: Obj, x: Exchange): Promise<Outcome> => {
    const ref = params['ref'] as unknown;
    if (!isObj(ref)) return fault('INVALID_PARAMS', 'completion/complete needs a ref');
    const prompt = ref['type'] === 'ref/prompt';
    const wire: unknown = prompt ? ref['name'] : ref['uri'];
    if (typeof wire !== 'string')
      return fault('INVALID_PARAMS', 'completion/complete needs the name or uri of its ref');
    const found = prompt ? open(s, 'prompt', wire, splitName(wire)) : await findUri(s, wire, x);
    if ('fault' in found) return { kind: 'fault', fault: found.fault };
    const refusal = hooks.gateway.admit.call(callInfo(s, 'completion/complete', prompt ? 'prompt' : 'resource', found));
    if (refusal !== undefined) return { kind: 'fault', fault: refusal };
    const { source } = found.open;
    return (source as NonNullable<typeof source>).call(
      'completion/complete',
      { ...params, ref: { ...ref, [prompt ? 'name' : 'uri']: found.key } },
      new RoutedExchange(x, found.open.offer.name),
    );
  };

  const standing = async (x: Exchange): Promise<Standing> => {
    const s = standings.of(x.peer);
    s.lastUsed = clock.now();
    await standings.ready(s);
    return s;
  };

  const core: GatewayCore = {
    standings,
    lists,
    async facts(x): Promise<Facts> {
      const s = await standing(x);
      const known = [...s.sources.values()].flatMap((o) => {
        const facts = o.source?.known();
        return facts === undefined ? [] : [{ name: o.offer.name, facts }];
      });
      const parts = known.flatMap(({ name, facts }) =>
        facts.instructions === undefined || facts.instructions === '' ? [] : [`## ${name}\n\n${facts.instructions}`],
      );
      return {
        // What Coffer itself promises, whichever servers are running: see docs/protocol.md.
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          logging: {},
          completions: {},
          ...taskCapabilities(known.map(({ facts }) => facts.capabilities)),
        },
        info: { name: BUILT_IN, title: 'Coffer', version },
        instructions: [instructionsOf(s.session.lean), ...parts].join('\n\n'),
      };
    },
    async call(method, params, x) {
      // The usual case needs no await: nothing has changed since this client's last call.
      const s = standings.of(x.peer);
      s.lastUsed = clock.now();
      const ready = standings.ready(s);
      if (ready !== undefined) await ready;
      const type = ROUTED.get(method);
      if (type !== undefined) return routed(s, method, type, params, x);
      const list = LIST_METHODS.get(method);
      if (list !== undefined) {
        if (params['cursor'] !== undefined) return fault('INVALID_PARAMS', 'Invalid cursor: lists come whole');
        return { kind: 'result', result: (await lists.get(s, list, x)).payload };
      }
      if (method === 'completion/complete') return complete(s, params, x);
      if (TASK_METHODS.has(method)) return tasks.call(s, method, params, x);
      if (method === 'tasks/list') return tasks.list(s, params, x);
      return fault('METHOD_NOT_FOUND', `Method not found: ${method}`);
    },
    admit(method, params, x) {
      const type = ROUTED.get(method);
      const s = standings.all.get(x.peer.key);
      if (type === undefined || s === undefined) return undefined;
      const wire = String(params[type === 'resource' ? 'uri' : 'name']);
      const target = type === 'resource' ? splitUri(wire) : splitName(wire);
      if (target?.server === BUILT_IN) return undefined;
      const found = open(s, type, wire, target);
      return 'fault' in found ? found.fault : hooks.gateway.admit.call(callInfo(s, method, type, found));
    },
    watch(x, want, sink) {
      const s = standings.of(x.peer);
      return watching.watch(s, x, want, sink);
    },
    rootsChanged(peer: Peer) {
      for (const o of standings.all.get(peer.key)?.sources.values() ?? []) o.source?.rootsChanged?.();
    },
    gone: (peer) => standings.gone(peer.key),
    changed(options = {}) {
      if (options.forget !== undefined) lists.forget(options.forget);
      standings.stale();
      for (const s of standings.all.values()) {
        if (s.epoch === 0) continue;
        void (async () => {
          await standings.ready(s);
          if (options.forget !== undefined)
            for (const o of s.sources.values())
              if (o.offer.ref === options.forget)
                for (const kind of ['tools', 'prompts', 'resources'] as const) lists.invalidate(s, o.offer.name, kind);
          for (const kind of lists.rerender(s)) watching.announce(s, kind);
        })().catch((e: unknown) =>
          log.error('a session could not follow a change', { session: s.session.id, error: String(e) }),
        );
      }
    },
  };
  return core;
}

function instructionsOf(lean: boolean): string {
  const find = 'When you do not see the tool you need, or there are many, ask coffer__search_tools for it.';
  return lean
    ? 'Coffer joins several MCP servers. Only its own tools are listed here: find others with coffer__search_tools and call them with coffer__call_tool.'
    : `Coffer joins several MCP servers. A tool's name is <server>__<tool>. ${find}`;
}
