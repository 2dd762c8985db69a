/**
 * Two rules that the newer era loosened would make an older client refuse a whole answer: structured content that is no object, and
 * an output schema that describes none. What an older server sends follows the old rules and passes as it is.
 */
import { isObj, type Obj } from '../../json.js';
import { Payload } from '../payload.js';

const lists = new WeakMap<Payload, Payload>();

export function forLegacy(method: string, result: Payload): Payload {
  if (method === 'tools/list') {
    // A rendered list is served many times: looked through once.
    let known = lists.get(result);
    if (known === undefined) lists.set(result, (known = withoutLooseSchemas(result)));
    return known;
  }
  if (method !== 'tools/call' || !result.mayHold('"structuredContent"')) return result;
  const { value } = result;
  if (!('structuredContent' in value) || isObj(value['structuredContent'])) return result;
  // The same is in the text, as the specification asks of servers.
  const { structuredContent: _dropped, ...rest } = value;
  return Payload.of(rest);
}

function withoutLooseSchemas(result: Payload): Payload {
  const tools = result.value['tools'] as Obj[];
  const loose = (t: Obj): boolean => isObj(t['outputSchema']) && t['outputSchema']['type'] !== 'object';
  if (!tools.some(loose)) return result;
  return Payload.of({
    ...result.value,
    tools: tools.map((t) => {
      if (!loose(t)) return t;
      const { outputSchema: _dropped, ...rest } = t;
      return rest;
    }),
  });
}
