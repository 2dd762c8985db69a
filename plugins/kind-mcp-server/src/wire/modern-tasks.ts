/** What a connection of the newer era has to do with tasks. */
import type { Exchange, Obj, Outcome } from '@coffer/kernel';
import type { OpenTasks } from './open-tasks.js';

/** Keeps in view what runs on after its call. */
export function follow(tasks: OpenTasks, method: string, params: Obj, o: Outcome): void {
  if (o.kind === 'task') tasks.began(o.task);
  else if (method === 'tasks/get' && o.kind === 'result') tasks.seen(o.result.value);
  else if (method === 'tasks/cancel' && o.kind === 'result') tasks.over(params.taskId);
}

/** A handle where none may be given is no answer. */
export function allowed(server: string, o: Outcome, method: string, x: Exchange): Outcome {
  if (o.kind !== 'task' || (method === 'tools/call' && x.tasks === 'offered')) return o;
  return {
    kind: 'error',
    error: { code: -32603, message: `${server} made a task of a request that cannot be one` },
  };
}

/** The wish for a task is a field of the older era; here the server decides. */
export function withoutTask(params: Obj, x: Exchange): Obj {
  if (x.tasks !== 'asked' || !('task' in params)) return params;
  const { task: _, ...rest } = params;
  return rest;
}
