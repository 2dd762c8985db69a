/**
 * Tasks: calls that a server goes on with after it has answered with a handle. A task's id is the server's own; a client gets it
 * as `<server>:<id>`, so that what it asks later finds the way. The map of both eras is in docs/protocol.md.
 */
import { isObj, type Obj } from '../json.js';
import type { Target } from './names.js';
import { Payload } from './payload.js';
import type { Outcome } from './seam.js';

/** Methods about one task. */
export const TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']);
/** Where a message says which task it belongs to. */
const RELATED = 'io.modelcontextprotocol/related-task';
const EXTENSION = 'io.modelcontextprotocol/tasks';
/** Tasks of a client whose tool is remembered; the oldest are forgotten. */
const REMEMBERED = 1000;

export function taskName(server: string, id: string): string {
  return `${server}:${id}`;
}

/** Server names hold no colon, so a name has one reading. */
export function splitTask(name: string): Target | undefined {
  const at = name.indexOf(':');
  return at > 0 && at + 1 < name.length ? { server: name.slice(0, at), key: name.slice(at + 1) } : undefined;
}

/** A task as its client may see it. */
export function namedTask(server: string, task: Obj): Obj {
  return typeof task['taskId'] === 'string' ? { ...task, taskId: taskName(server, task['taskId']) } : task;
}

/** What a server answered about a task, with the id as the client has it. A task's result stays bytes where it names no task. */
export function namedAnswer(server: string, outcome: Outcome): Outcome {
  if (outcome.kind === 'task') return { ...outcome, task: namedTask(server, outcome.task) };
  if (outcome.kind !== 'result') return outcome;
  if (!outcome.result.mayHold('"taskId"')) return outcome;
  return {
    ...outcome,
    result: Payload.of(
      namedTask(
        server,
        related(outcome.result.value, (id) => taskName(server, id)),
      ),
    ),
  };
}

/** Params of a message to the client that may say which task they belong to. */
export function namedRelated(server: string, params: Obj): Obj {
  return related(params, (id) => taskName(server, id));
}

/** The same for what the client answers. */
export function bareRelated(server: string, result: Obj): Obj {
  return related(result, (name) => {
    const target = splitTask(name);
    return target?.server === server ? target.key : name;
  });
}

/** What any of the servers can do with tasks, in the words of each era; an edge passes on those of its own. */
export function taskCapabilities(all: readonly Obj[]): Obj {
  const session = all.some((c) => takesTaskCalls(c));
  const extension = all.some((c) => isObj(c['extensions']) && EXTENSION in c['extensions']);
  return {
    ...(session ? { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } : {}),
    ...(extension ? { extensions: { [EXTENSION]: {} } } : {}),
  };
}

function takesTaskCalls({ tasks }: Obj): boolean {
  return (
    isObj(tasks) &&
    isObj(tasks['requests']) &&
    isObj(tasks['requests']['tools']) &&
    'call' in tasks['requests']['tools']
  );
}

/** Remembers which tool a task belongs to, so that switching the tool off reaches what it began. */
export function rememberTask(tasks: Map<string, string>, name: unknown, tool: string): void {
  if (typeof name !== 'string') return;
  tasks.set(name, tool);
  if (tasks.size > REMEMBERED) for (const oldest of tasks.keys()) return void tasks.delete(oldest);
}

function related(params: Obj, rename: (id: string) => string): Obj {
  const meta: unknown = params['_meta'];
  if (!isObj(meta) || !isObj(meta[RELATED]) || typeof meta[RELATED]['taskId'] !== 'string') return params;
  return {
    ...params,
    _meta: { ...meta, [RELATED]: { ...meta[RELATED], taskId: rename(meta[RELATED]['taskId']) } },
  };
}
