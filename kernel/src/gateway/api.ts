/** REST of the gateway: who is connected, and a call as a client would make it. */
import { CofferError, type ErrorCode } from '../errors.js';
import type { Route } from '../http/route.js';
import { anyObject, list, nullableText, object, strict, text } from '../http/schemas.js';
import type { Standings } from './standings.js';
import type { FaultName } from './seam.js';
import type { Gateway } from './types.js';

const CODES: Readonly<Partial<Record<FaultName, ErrorCode>>> = {
  DISABLED: 'TOOL_DISABLED',
  UNKNOWN_TOOL: 'CAPABILITY_NOT_FOUND',
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
      response: anyObject,
      errors: ['TOOL_DISABLED', 'CAPABILITY_NOT_FOUND', 'UPSTREAM_ERROR', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'],
      handle: async ({ body, signal }) => {
        const agent = body['agent'] as string | undefined;
        const outcome = await gateway.call(
          'tools/call',
          { name: body['name'] as string, arguments: (body['arguments'] ?? {}) as object },
          { signal, ...(agent === undefined ? {} : { agent }) },
        );
        if (outcome.kind === 'result') return outcome.result.value;
        if (outcome.kind === 'fault')
          throw new CofferError(CODES[outcome.fault.name] ?? 'INTERNAL_ERROR', outcome.fault.message);
        if (outcome.kind === 'error')
          throw new CofferError(
            'UPSTREAM_ERROR',
            `The server answered with error ${outcome.error.code}: ${outcome.error.message}`,
            {
              rpc: outcome.error,
            },
          );
        throw new CofferError('BAD_REQUEST', 'This tool asks questions; call it from a client that can answer.');
      },
    },
  ];
}
