/** REST of the gateway: who is connected, and what a client would ask, asked from here. */
import { CofferError, type ErrorCode } from '../errors.js';
import type { Obj } from '../json.js';
import type { Route } from '../http/route.js';
import { anyObject, list, nullableText, object, strict, text } from '../http/schemas.js';
import type { Standings } from './standings.js';
import type { FaultName } from './seam.js';
import type { Gateway } from './types.js';

const CODES: Readonly<Partial<Record<FaultName, ErrorCode>>> = {
  DISABLED: 'TOOL_DISABLED',
  UNKNOWN_TOOL: 'CAPABILITY_NOT_FOUND',
  UNKNOWN_PROMPT: 'CAPABILITY_NOT_FOUND',
  UNKNOWN_RESOURCE: 'CAPABILITY_NOT_FOUND',
  INVALID_PARAMS: 'BAD_REQUEST',
  TIMEOUT: 'UPSTREAM_TIMEOUT',
  UNAVAILABLE: 'UPSTREAM_UNAVAILABLE',
};

export function gatewayRoutes(gateway: Gateway, standings: Standings): Route[] {
  return [
    {
      method: 'GET',
      path: '/gateway/sessions',
      summary: 'Clients that are connected, with the state of their servers',
      response: object({
        sessions: list(
          object({
            id: text,
            agent: nullableText,
            cwd: nullableText,
            client: { type: ['object', 'null'] },
            protocol_version: nullableText,
            opened_at: text,
            inside: { type: 'boolean', description: 'Calls made over REST or by a plugin, not by a client' },
            upstreams: list(object({ server: text, state: text })),
            missing: list(object({ server: text, reason: text })),
          }),
        ),
      }),
      handle: () => ({
        sessions: [...standings.all.values()].map((s) => ({
          id: s.session.id,
          agent: s.session.agent,
          cwd: s.session.cwd,
          client: s.session.client,
          protocol_version: s.session.protocolVersion,
          opened_at: s.session.openedAt,
          inside: s.peer.inside === true,
          upstreams: [...s.sources.values()].flatMap((o) =>
            o.source === undefined ? [] : [{ server: o.offer.name, state: o.source.state() }],
          ),
          missing: [...gateway.missing(s.session.id)],
        })),
      }),
    },
    {
      method: 'POST',
      path: '/gateway/call',
      summary: 'Call a tool by its full name; gated and logged like any call. Answers the raw tool result.',
      body: strict({ name: text, arguments: anyObject, agent: text }, ['arguments', 'agent']),
      ...raw,
      handle: ({ body: { agent, name, arguments: args = {} }, signal }) =>
        ask(gateway, 'tools/call', { name, arguments: args }, agent, signal),
    },
    {
      method: 'POST',
      path: '/gateway/read',
      summary:
        'Read a resource by its full URI; gated and logged like any read. Answers the raw result, with `contents`.',
      body: strict({ uri: text, agent: text }, ['agent']),
      ...raw,
      handle: ({ body: { agent, uri }, signal }) => ask(gateway, 'resources/read', { uri }, agent, signal),
    },
    {
      method: 'POST',
      path: '/gateway/prompt',
      summary: 'Get a prompt by its full name; gated and logged like any. Answers the raw result, with `messages`.',
      body: strict(
        { name: text, arguments: { type: 'object', additionalProperties: { type: 'string' } }, agent: text },
        ['arguments', 'agent'],
      ),
      ...raw,
      handle: ({ body: { agent, name, arguments: args = {} }, signal }) =>
        ask(gateway, 'prompts/get', { name, arguments: args }, agent, signal),
    },
  ];
}

/** What the three ways to ask a server have in common. */
const raw: Pick<Route, 'response' | 'errors'> = {
  response: anyObject,
  errors: ['TOOL_DISABLED', 'CAPABILITY_NOT_FOUND', 'UPSTREAM_ERROR', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'],
};

/** Asks as a client would, and gives the result as its server gave it. Anything else is thrown under REST's names. */
async function ask(gateway: Gateway, method: string, params: Obj, agent: unknown, signal: AbortSignal): Promise<Obj> {
  const outcome = await gateway.call(method, params, { signal, ...(typeof agent === 'string' && { agent }) });
  if (outcome.kind === 'result') return outcome.result.value;
  if (outcome.kind === 'fault')
    throw new CofferError(CODES[outcome.fault.name] ?? 'INTERNAL_ERROR', outcome.fault.message);
  if (outcome.kind === 'error')
    throw new CofferError(
      'UPSTREAM_ERROR',
      `The server answered with error ${outcome.error.code}: ${outcome.error.message}`,
      { rpc: outcome.error },
    );
  throw new CofferError('BAD_REQUEST', 'It asks questions first; ask for it from a client that can answer.');
}
