/** The core of the gateway: it routes an Exchange to a source and its Outcome back, the same JSON values. It knows no era. */
import type { Hooks } from '../hooks.js';
import { isObj, type Obj } from '../json.js';
import type { Clock, Logger } from '../plugin/contract.js';
import type { BuiltIns } from './built-ins.js';
import { CALL_TOOL } from './built-ins.js';
import { fault, RoutedExchange } from './exchange.js';
import { createLists, LIST_METHODS, type Lists } from './lists.js';
import { BUILT_IN, matchesTemplate, splitName, splitUri, type Target } from './names.js';
import type { Core, Exchange, Facts, Fault, Outcome, Peer } from './seam.js';
import { createStandings, type OpenSource, type Standing, type Standings } from './standings.js';
import type { CallInfo, CapabilityType, InvocationStatus } from './types.js';
import { createWatching } from './watching.js';

export interface CoreParts {
  hooks: Hooks;
  clock: Clock;
  log: Logger;
  machine: string;
  version: string;
  builtIns: BuiltIns;
}

export interface GatewayCore extends Core {
  readonly standings: Standings;
  readonly lists: Lists;
  /** Offers, preferences or scope have changed. */
  changed(options?: { forget?: string }): void;
}

/** Methods that go to one server, and what they call there. */
const ROUTED: Readonly<Record<string, CapabilityType>> = { 'tools/call': 'tool', 'prompts/get': 'prompt', 'resources/read': 'resource' };

type Found = { open: OpenSource; key: string } | { fault: Fault };

export function createCore({ hooks, clock, log, machine, version, builtIns }: CoreParts): GatewayCore {
  const lists = createLists({ hooks, clock, log, builtIns: (s) => builtIns.list(s.session.lean), announce: (s, kind) => watching.announce(s, kind) });
  const watching = createWatching({
    clock,
    invalidate: (s, server, kind) => lists.invalidate(s, server, kind),
    resolve: async (s, uri, x) => {
      const found = await findUri(s, uri, x);
      if ('fault' in found) return { error: { code: found.fault.name === 'INVALID_PARAMS' ? -32602 : -32002, message: found.fault.message, data: { uri } } };
      return { server: found.open.offer.name, key: found.key };
    },
  });
  const standings = createStandings({
    hooks,
    clock,
    log,
    machine,
    opened: (s, open) => watching.apply(s, open),
    dropped: (s, server) => lists.drop(s, server),
  });

  const unknown = (type: CapabilityType, wire: string): Fault =>
    type === 'tool' ? { name: 'UNKNOWN_TOOL', message: `Unknown tool: ${wire}` } : type === 'prompt' ? { name: 'UNKNOWN_PROMPT', message: `Unknown prompt: ${wire}` } : { name: 'UNKNOWN_RESOURCE', message: `Resource not found: ${wire}`, data: { uri: wire } };
  const off = (wire: string): Fault => ({ name: 'DISABLED', message: `${wire} is disabled. Enable it in Coffer to use it.` });

  const open = (s: Standing, type: CapabilityType, wire: string, target: Target | undefined): Found => {
    const found = target === undefined ? undefined : s.sources.get(target.server);
    if (target === undefined || found === undefined) return { fault: unknown(type, wire) };
    return found.source === undefined ? { fault: off(wire) } : { open: found, key: target.key };
  };

  /** `coffer://…`, or an upstream's raw URI when exactly one visible server has it (decision 26). */
  const findUri = async (s: Standing, uri: string, x: Exchange): Promise<Found> => {
    const target = splitUri(uri);
    if (target !== undefined) return open(s, 'resource', uri, target);
    const owners: OpenSource[] = [];
    for (const o of s.sources.values()) {
      if (o.source === undefined) continue;
      const [resources, templates] = await Promise.all([lists.of(s, o, 'resources', x), lists.of(s, o, 'resourceTemplates', x)]);
      const listed = (resources ?? []).some((r) => r['uri'] === uri);
      const fits = listed || (templates ?? []).some((t) => typeof t['uriTemplate'] === 'string' && matchesTemplate(t['uriTemplate'], uri));
      if (fits) owners.push(o);
    }
    const [only] = owners;
    if (owners.length > 1) {
      return { fault: { name: 'INVALID_PARAMS', message: `Several servers have this resource: ${owners.map((o) => o.offer.name).join(', ')}. Use coffer://<server>/<uri>.`, data: { servers: owners.map((o) => o.offer.name) } } };
    }
    return only === undefined ? { fault: unknown('resource', uri) } : { open: only, key: uri };
  };

  const info = (s: Standing, method: string, type: CapabilityType, found: { open: OpenSource; key: string }): CallInfo => ({
    session: s.session,
    method,
    server: found.open.offer.name,
    ref: found.open.offer.ref,
    type,
    key: found.key,
  });

  const journal = (call: Omit<CallInfo, 'method'>, from: number, started: string, rounds: number, status: InvocationStatus, error: string | null): void => {
    hooks.gateway.invoked.call({
      timestamp: started,
      server: call.server,
      ref: call.ref,
      type: call.type,
      key: call.key,
      durationMs: performance.now() - from,
      status,
      error,
      sessionId: call.session.id,
      agent: call.session.agent,
      rounds,
    });
  };

  /** Runs one call that has a target: admitted, sent, journalled. */
  const run = async (s: Standing, call: CallInfo, x: Exchange, send: (x: Exchange) => Promise<Outcome>): Promise<Outcome> => {
    const from = performance.now();
    const started = new Date(clock.now()).toISOString();
    const refusal = hooks.gateway.admit.call(call);
    if (refusal !== undefined) {
      journal(call, from, started, 0, 'denied', refusal.message);
      return { kind: 'fault', fault: refusal };
    }
    const routed = new RoutedExchange(x, call.server);
    s.calls++;
    let outcome: Outcome;
    try {
      outcome = await send(routed);
    } catch (e) {
      log.error('a source threw where it should have answered', { server: call.server, stack: e instanceof Error ? e.stack : String(e) });
      outcome = fault('INTERNAL', `${call.server} could not be called: something failed inside Coffer. The daemon log has the trace.`);
    }
    s.calls--;
    if (outcome.kind !== 'input') {
      const [status, error] = verdict(outcome);
      journal(call, from, started, routed.rounds_, status, error);
    }
    return outcome;
  };

  const callBuiltIn = (s: Standing, key: string, params: Obj, x: Exchange): Promise<Outcome> => {
    if (key === CALL_TOOL && s.session.lean) {
      const args = params['arguments'] as unknown;
      const name = isObj(args) ? (args['name'] as unknown) : undefined;
      if (typeof name !== 'string' || name === `${BUILT_IN}__${CALL_TOOL}`) return Promise.resolve(fault('INVALID_PARAMS', 'coffer__call_tool needs the name of another tool'));
      const { arguments: _inner, ...rest } = params;
      return core.call('tools/call', { ...rest, name, ...((args as Obj)['arguments'] === undefined ? {} : { arguments: (args as Obj)['arguments'] }) }, x);
    }
    if (!builtIns.has(key)) return Promise.resolve({ kind: 'fault', fault: unknown('tool', `${BUILT_IN}__${key}`) });
    const call: CallInfo = { session: s.session, method: 'tools/call', server: BUILT_IN, ref: `builtin:${key}`, type: 'tool', key };
    return run(s, call, x, (routed) => builtIns.call(key, params, s.session, routed));
  };

  const routed = async (s: Standing, method: string, type: CapabilityType, params: Obj, x: Exchange): Promise<Outcome> => {
    const field = type === 'resource' ? 'uri' : 'name';
    const wire = params[field] as unknown;
    if (typeof wire !== 'string') return fault('INVALID_PARAMS', `${method} needs a ${field}`);
    const target = type === 'resource' ? undefined : splitName(wire);
    if (type === 'tool' && target?.server === BUILT_IN) return callBuiltIn(s, target.key, params, x);
    const found = type === 'resource' ? await findUri(s, wire, x) : open(s, type, wire, target);
    if ('fault' in found) return { kind: 'fault', fault: found.fault };
    const { source } = found.open;
    return run(s, info(s, method, type, found), x, (r) => (source as NonNullable<typeof source>).call(method, { ...params, [field]: found.key }, r));
  };

  const complete = async (s: Standing, params: Obj, x: Exchange): Promise<Outcome> => {
    const ref = params['ref'] as unknown;
    if (!isObj(ref)) return fault('INVALID_PARAMS', 'completion/complete needs a ref');
    const prompt = ref['type'] === 'ref/prompt';
    const wire: unknown = prompt ? ref['name'] : ref['uri'];
    if (typeof wire !== 'string') return fault('INVALID_PARAMS', 'completion/complete needs the name or uri of its ref');
    const found = prompt ? open(s, 'prompt', wire, splitName(wire)) : await findUri(s, wire, x);
    if ('fault' in found) return { kind: 'fault', fault: found.fault };
    const refusal = hooks.gateway.admit.call(info(s, 'completion/complete', prompt ? 'prompt' : 'resource', found));
    if (refusal !== undefined) return { kind: 'fault', fault: refusal };
    const { source } = found.open;
    return (source as NonNullable<typeof source>).call('completion/complete', { ...params, ref: { ...ref, [prompt ? 'name' : 'uri']: found.key } }, new RoutedExchange(x, found.open.offer.name));
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
      const parts = known.flatMap(({ name, facts }) => (facts.instructions === undefined || facts.instructions === '' ? [] : [`## ${name}\n\n${facts.instructions}`]));
      return {
        // What Coffer itself promises, whichever servers are running: see docs/protocol.
        capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true, subscribe: true }, logging: {}, completions: {} },
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
      const type = ROUTED[method];
      if (type !== undefined) return routed(s, method, type, params, x);
      const list = LIST_METHODS[method];
      if (list !== undefined) {
        if (params['cursor'] !== undefined) return fault('INVALID_PARAMS', 'Invalid cursor: lists come whole');
        return { kind: 'result', result: (await lists.get(s, list, x)).payload };
      }
      if (method === 'completion/complete') return complete(s, params, x);
      return fault('METHOD_NOT_FOUND', `Method not found: ${method}`);
    },
    admit(method, params, x) {
      const type = ROUTED[method];
      const s = standings.all.get(x.peer.key);
      if (type === undefined || s === undefined) return undefined;
      const wire = String(params[type === 'resource' ? 'uri' : 'name']);
      const target = type === 'resource' ? splitUri(wire) : splitName(wire);
      if (target?.server === BUILT_IN) return undefined;
      const found = open(s, type, wire, target);
      return 'fault' in found ? found.fault : hooks.gateway.admit.call(info(s, method, type, found));
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
          if (options.forget !== undefined) for (const o of s.sources.values()) if (o.offer.ref === options.forget) for (const kind of ['tools', 'prompts', 'resources'] as const) lists.invalidate(s, o.offer.name, kind);
          for (const kind of lists.rerender(s)) watching.announce(s, kind);
        })().catch((e: unknown) => log.error('a session could not follow a change', { session: s.session.id, error: String(e) }));
      }
    },
  };
  return core;
}

function verdict(o: Outcome): [InvocationStatus, string | null] {
  switch (o.kind) {
    case 'result':
      // A cheap look first: a big result is not parsed for this alone.
      return o.result.mayHold('"isError":') && o.result.value['isError'] === true ? ['error', 'the tool answered with an error'] : ['ok', null];
    case 'error':
      return ['error', `JSON-RPC error ${o.error.code}`];
    case 'fault':
      return [o.fault.name === 'TIMEOUT' ? 'timeout' : o.fault.name === 'DISABLED' ? 'denied' : o.fault.name === 'CANCELLED' ? 'cancelled' : 'error', o.fault.message];
    case 'input':
      return ['ok', null];
  }
}

function instructionsOf(lean: boolean): string {
  const find = 'When you do not see the tool you need, or there are many, ask coffer__search_tools for it.';
  return lean
    ? 'Coffer joins several MCP servers. Only its own tools are listed here: find others with coffer__search_tools and call them with coffer__call_tool.'
    : `Coffer joins several MCP servers. A tool's name is <server>__<tool>. ${find}`;
}
