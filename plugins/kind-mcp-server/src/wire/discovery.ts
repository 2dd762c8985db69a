import { CofferError, isObj, type Facts, type Obj, type Outcome } from '@coffer/kernel';
import { META, MODERN } from './envelope.js';

/** What the answer to a discovery tells of a server. Throws UPSTREAM_UNAVAILABLE or UPSTREAM_TIMEOUT when it is none of this era. */
export function discovered(server: string, outcome: Outcome): Facts {
  const facts = outcome.kind === 'result' ? factsOf(outcome.result.value) : undefined;
  if (facts !== undefined) return facts;
  throw new CofferError(
    outcome.kind === 'fault' && outcome.fault.name === 'TIMEOUT' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE',
    outcome.kind === 'fault' ? outcome.fault.message : `${server} does not speak MCP ${MODERN}`,
  );
}

function factsOf(told: Obj): Facts | undefined {
  const { supportedVersions, capabilities, instructions, _meta, serverInfo } = told as Record<string, unknown>;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(MODERN) || !isObj(capabilities))
    return undefined;
  const info: unknown = isObj(_meta) ? _meta[`${META}serverInfo`] : serverInfo;
  return {
    protocolVersion: MODERN,
    capabilities,
    ...(isObj(info) && { info }),
    ...(typeof instructions === 'string' && { instructions }),
  };
}
