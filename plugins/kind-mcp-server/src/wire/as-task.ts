/**
 * A tool that runs only as a task, called by a client that knows no tasks of this era: it is run as one here and waited for, inside
 * the call. The server asks its questions while the result is fetched.
 */
import { isObj, Payload, type Clock, type Exchange, type Obj, type Outcome } from '@coffer/kernel';
import { cancelled } from './calls.js';
import { isTask } from './open-tasks.js';
import { later } from './later.js';

/** Between two looks, in milliseconds: what the server suggests, within these bounds. */
const LOOK = { least: 50, usual: 1000, most: 30_000 };
const RELATED = 'io.modelcontextprotocol/related-task';
/** The result is there, or the server waits for an answer that only the request for the result brings it. */
const FETCH = new Set(['completed', 'failed', 'cancelled', 'input_required']);

export interface TaskHost {
  readonly clock: Clock;
  send(method: string, params: Obj, x: Exchange): Promise<Outcome>;
  /** Says it to the server, for a client that has gone. */
  cancel(taskId: string): void;
}

export async function asTask(host: TaskHost, params: Obj, x: Exchange): Promise<Outcome> {
  const begun = await host.send('tools/call', { ...params, task: {} }, x);
  if (begun.kind !== 'result' || !isTask(begun.result.value.task)) return begun;
  let task = begun.result.value.task;
  const taskId = String(task.taskId);
  const stop = (): void => host.cancel(taskId);
  x.signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      if (x.signal.aborted) return { kind: 'fault', fault: cancelled(x) };
      if (FETCH.has(String(task.status))) {
        const result = await host.send('tasks/result', { taskId }, x);
        // An answered question sets it working again, and that may take longer than a request: looked after as before.
        if (result.kind !== 'fault' || result.fault.name !== 'TIMEOUT') return own(result);
      } else await later(host.clock, pause(task), x.signal);
      if (x.signal.aborted) return { kind: 'fault', fault: cancelled(x) };
      const now = await host.send('tasks/get', { taskId }, x);
      if (now.kind !== 'result') return now;
      task = now.result.value;
    }
  } finally {
    x.signal.removeEventListener('abort', stop);
  }
}

function pause({ pollInterval }: Obj): number {
  const ms: unknown = pollInterval;
  return typeof ms === 'number' ? Math.min(Math.max(ms, LOOK.least), LOOK.most) : LOOK.usual;
}

/** The client never heard of the task. */
function own(o: Outcome): Outcome {
  if (o.kind !== 'result' || !o.result.mayHold(RELATED)) return o;
  const { _meta, ...rest } = o.result.value;
  if (!isObj(_meta)) return o;
  const { [RELATED]: _, ...meta } = _meta;
  return { ...o, result: Payload.of(Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest) };
}
