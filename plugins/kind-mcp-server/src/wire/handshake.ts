import { CofferError, isObj, type Exchange, type Facts, type Obj, type Outcome } from '@coffer/kernel';
import type { Terms } from './connection.js';

/** The version asked for; a server answers with it or with an older one. */
export const NEWEST = '2025-11-25';
const SPOKEN = new Set([NEWEST, '2025-06-18', '2025-03-26', '2024-11-05']);
const SHOWN = 300;

export const handshake = {
  /** Who calls, in the client's own words: a server must never hear of a capability its client lacks. */
  introduce(x: Exchange, version: string): Obj {
    return { capabilities: declared(x), clientInfo: x.peer.info ?? { name: 'coffer', version } };
  },

  /** Throws UPSTREAM_UNAVAILABLE or UPSTREAM_TIMEOUT when this is no server to talk to. */
  accept(terms: Terms, outcome: Outcome): Facts {
    if (outcome.kind === 'fault')
      throw new CofferError(
        outcome.fault.name === 'TIMEOUT' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE',
        outcome.fault.message,
        isObj(outcome.fault.data) ? outcome.fault.data : {},
      );
    if (outcome.kind === 'error')
      throw new CofferError(
        'UPSTREAM_UNAVAILABLE',
        `${terms.server} refused the handshake: ${String(outcome.error.message).slice(0, SHOWN)}`,
        { rpc_code: outcome.error.code },
      );
    if (outcome.kind !== 'result')
      throw new CofferError('UPSTREAM_UNAVAILABLE', `${terms.server} did not finish the handshake`);
    const { protocolVersion, capabilities, serverInfo, instructions } = outcome.result.value;
    if (typeof protocolVersion !== 'string' || !SPOKEN.has(protocolVersion))
      throw new CofferError(
        'UPSTREAM_UNAVAILABLE',
        `${terms.server} speaks a version of MCP that Coffer does not; Coffer speaks ${[...SPOKEN].join(', ')}`,
        { unsupported_version: true },
      );
    return {
      protocolVersion,
      capabilities: isObj(capabilities) ? capabilities : {},
      ...(isObj(serverInfo) && { info: serverInfo }),
      ...(typeof instructions === 'string' && { instructions }),
    };
  },
};

/** What a server of this era is told its client can do. Tasks do not cross; a client of rounds cannot tell of changed roots. */
export function declared(x: Exchange): Obj {
  const { tasks: _, ...capabilities } = x.capabilities;
  if (x.rounds && isObj(capabilities.roots)) {
    const { listChanged: __, ...roots } = capabilities.roots;
    capabilities.roots = roots;
  }
  return capabilities;
}
