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
  meta[`${META}clientCapabilities`] = declaredNow(who.capabilities, x?.tasks === 'offered', asksForTasks(params));
  if (x?.wants.log !== undefined) meta[`${META}logLevel`] = x.wants.log;
  if (token !== undefined) meta.progressToken = token;
  return { ...params, _meta: meta };
}

/** A request to be told of tasks. */
function asksForTasks(params: Obj): boolean {
  return isObj(params.notifications) && params.notifications.taskIds !== undefined;
}

/**
 * The capabilities of a request: this era knows no notice of changed roots. Tasks are declared for a client that takes them as this
 * era has them, and where Coffer itself listens for such clients.
 */
function declaredNow(capabilities: Obj, offered: boolean, listening: boolean): Obj {
  const { tasks: _, ...now } = capabilities;
  if (isObj(now.roots) && 'listChanged' in now.roots) {
    const { listChanged: __, ...roots } = now.roots;
    now.roots = roots;
  }
  if (listening) now.extensions = { ...(isObj(now.extensions) && now.extensions), [TASKS]: {} };
  else if (!offered && isObj(now.extensions) && TASKS in now.extensions) {
    const { [TASKS]: ___, ...extensions } = now.extensions;
    now.extensions = extensions;
  }
  return now;
}
