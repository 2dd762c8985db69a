/** Requests about tasks that a client began: sent to the server that has the task, admitted anew as its tool is. */
import type { Hooks } from '../hooks.js';
import { isObj, type Obj } from '../json.js';
import { fault, RoutedExchange } from './exchange.js';
import { Payload } from './payload.js';
import type { Exchange, Outcome } from './seam.js';
import type { OpenSource, Standing } from './standings.js';
import { namedAnswer, namedTask, splitTask } from './tasks.js';

/** Pages of one server's list of tasks that are followed. */
const PAGES = 100;

export interface TaskCalls {
  /** One of {@link TASK_METHODS}. */
  call(s: Standing, method: string, params: Obj, x: Exchange): Promise<Outcome>;
  /** The tasks of all servers that run for this client. One that does not run has none. */
  list(s: Standing, params: Obj, x: Exchange): Promise<Outcome>;
}

export function createTaskCalls({ hooks }: { hooks: Hooks }): TaskCalls {
  /** Undefined: the owner has not switched the tool off since. */
  const refusal = (s: Standing, method: string, name: string, open: OpenSource): Outcome | undefined => {
    const key = s.tasks.get(name);
    if (key === undefined) return undefined;
    const { name: server, ref } = open.offer;
    const refused = hooks.gateway.admit.call({ session: s.session, method, server, ref, type: 'tool', key });
    return refused === undefined ? undefined : { kind: 'fault', fault: refused };
  };

  const ofServer = async ({ offer, source }: OpenSource, x: Exchange): Promise<Obj[]> => {
    if (source === undefined || source.state() !== 'ready' || source.known()?.capabilities['tasks']?.list === undefined)
      return [];
    const routed = new RoutedExchange(x, offer.name);
    const tasks: Obj[] = [];
    let cursor: unknown;
    for (let page = 0; page < PAGES; page++) {
      const o = await source.call('tasks/list', cursor === undefined ? {} : { cursor }, routed);
      if (o.kind !== 'result') break;
      const { tasks: some, nextCursor } = o.result.value;
      if (Array.isArray(some)) for (const t of some) if (isObj(t)) tasks.push(namedTask(offer.name, t));
      if (typeof nextCursor !== 'string' || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    return tasks;
  };

  return {
    async call(s, method, params, x) {
      const name: unknown = params['taskId'];
      if (typeof name !== 'string') return fault('INVALID_PARAMS', `${method} needs a taskId`);
      const target = splitTask(name);
      const open = target === undefined ? undefined : s.sources.get(target.server);
      if (target === undefined || open?.source === undefined)
        return fault('INVALID_PARAMS', `Unknown task: ${name}. It was begun elsewhere, or its server is gone.`);
      // What is under way may always be stopped.
      const refused = method === 'tasks/cancel' ? undefined : refusal(s, method, name, open);
      if (refused !== undefined) return refused;
      const routed = new RoutedExchange(x, target.server);
      return namedAnswer(target.server, await open.source.call(method, { ...params, taskId: target.key }, routed));
    },
    async list(s, params, x) {
      if (params['cursor'] !== undefined) return fault('INVALID_PARAMS', 'Invalid cursor: lists come whole');
      const tasks = await Promise.all([...s.sources.values()].map((open) => ofServer(open, x)));
      return { kind: 'result', result: Payload.of({ tasks: tasks.flat() }) };
    },
  };
}
