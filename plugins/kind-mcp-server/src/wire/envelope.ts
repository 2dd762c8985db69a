/** What each request of the newer era says of its client, since there is nothing else that could. */
import { isObj, type Exchange, type Obj } from '@coffer/kernel';

export const MODERN = '2026-07-28';
export const META = 'io.modelcontextprotocol/';
const TASKS = 'io.modelcontextprotocol/tasks';

/**
 * Params with the envelope in `_meta`: the client's own entries stay, but not its progress token and not what is between it and
 * Coffer. `starter` speaks for requests of nobody.
 */
export function enveloped(
  params: Obj,
  token: number | undefined,
  x: Exchange | undefined,
  starter: Exchange,
  version: string,
): Obj {
  const who = x ?? starter;
  const meta: Obj = {};
  if (isObj(params._meta))
    for (const key of Object.keys(params._meta))
      if (key !== 'progressToken' && !key.startsWith('coffer/') && !key.startsWith(META)) meta[key] = params._meta[key];
  meta[`${META}protocolVersion`] = MODERN;
  meta[`${META}clientInfo`] = who.peer.info ?? { name: 'coffer', version };
  meta[`${META}clientCapabilities`] = declaredNow(who.capabilities);
  if (x?.wants.log !== undefined) meta[`${META}logLevel`] = x.wants.log;
  if (token !== undefined) meta.progressToken = token;
  return { ...params, _meta: meta };
}

/** The capabilities of a request: this era knows no notice of changed roots, and tasks do not cross. */
function declaredNow(capabilities: Obj): Obj {
  const { tasks: _, ...now } = capabilities;
  if (isObj(now.roots) && 'listChanged' in now.roots) {
    const { listChanged: __, ...roots } = now.roots;
    now.roots = roots;
  }
  if (isObj(now.extensions) && TASKS in now.extensions) {
    const { [TASKS]: ___, ...extensions } = now.extensions;
    now.extensions = extensions;
  }
  return now;
}
