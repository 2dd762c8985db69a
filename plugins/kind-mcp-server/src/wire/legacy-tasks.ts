/** What a connection of the older era has to do with tasks: it knows which it began, and runs what only runs as one. */
import { isObj, type Clock, type Exchange, type Facts, type Obj, type Outcome } from '@coffer/kernel';
import { asTask, type TaskHost } from './as-task.js';
import type { Connection } from './connection.js';
import { learnTools } from './learn-tools.js';
import { isTask, OpenTasks } from './open-tasks.js';

export interface LegacyTasksHost extends TaskHost, Pick<Connection, 'ask'> {
  readonly clock: Clock;
  facts(): Facts;
}

export class LegacyTasks {
  readonly open: OpenTasks;
  /** Tools that run only as tasks; undefined until a list was looked through. */
  #only: Set<string> | undefined;

  constructor(private readonly host: LegacyTasksHost) {
    this.open = new OpenTasks(host.clock);
  }

  /** A call as it is relayed, or as the task that its tool only runs as. Clients of this era's last version ask for those themselves. */
  send(method: string, params: Obj, x: Exchange): Promise<Outcome> {
    const plain =
      method !== 'tools/call' ||
      x.tasks === 'asked' ||
      params.task !== undefined ||
      this.host.facts().capabilities.tasks?.requests?.tools?.call === undefined;
    return plain ? this.host.send(method, params, x) : this.#looked(params, x);
  }

  async #looked(params: Obj, x: Exchange): Promise<Outcome> {
    if (this.#only === undefined) await learnTools(this.host, x);
    return this.#only?.has(String(params.name)) === true
      ? asTask(this.host, params, x)
      : this.host.send('tools/call', params, x);
  }

  /** An answer as it goes on to the client; `token`: the one its progress comes with. */
  answered(method: string, params: Obj, outcome: Outcome, x: Exchange, token: number): Outcome {
    if (method === 'tools/call') {
      if (params.task === undefined || outcome.kind !== 'result') return outcome;
      const { task, ...more } = outcome.result.value;
      // A server that knows no tasks has simply run it.
      if (!isTask(task)) return outcome;
      this.open.began(task, { x, token });
      return x.tasks === 'asked' ? { kind: 'task', task, more } : outcome;
    }
    if (method === 'tasks/result' && outcome.kind !== 'fault') this.open.over(params.taskId);
    else if (method.startsWith('tasks/') && outcome.kind === 'result') this.open.seen(outcome.result.value);
    return outcome;
  }

  /** A page of the server's tools. */
  listed({ tools }: Obj, first: boolean): void {
    if (!Array.isArray(tools)) return;
    if (first || this.#only === undefined) this.#only = new Set();
    for (const t of tools as unknown[])
      if (isObj(t) && t.execution?.taskSupport === 'required') this.#only.add(String(t.name));
  }

  /** The server's tools are others now. */
  changed(): void {
    this.#only = undefined;
  }
}
