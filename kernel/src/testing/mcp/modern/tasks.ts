/** The extension for tasks, with the tools that the official suite wants: one that runs, fails, asks, or asks first and runs then. */
import { randomUUID } from 'node:crypto';
import type { Obj } from '../../../json.js';
import { errorMember, RpcFailure } from '../rpc.js';
import { META, type ModernCall, type ModernWorld } from './world.js';
import type { ModernTool } from './tools.js';

export const EXTENSION = `${META}tasks`;

/** What a task does; it may ask, and is told when it was cancelled. */
type Work = (task: Task) => Promise<Obj>;

class Task {
  readonly taskId = randomUUID();
  readonly #createdAt = new Date().toISOString();
  readonly #open = new Map<string, { request: Obj; answer: (response: Obj) => void }>();
  readonly stop = new AbortController();
  #end: Obj | undefined;

  constructor(
    private readonly world: ModernWorld,
    work: Work,
  ) {
    work(this).then(
      (result) => this.#finish({ status: 'completed', result }),
      (e: unknown) => this.#finish({ status: 'failed', error: errorMember(e) }),
    );
  }

  /** Everything there is to say of it now. */
  get state(): Obj {
    const now = this.#end ?? (this.#open.size > 0 ? this.#waiting : { status: 'working' });
    return {
      taskId: this.taskId,
      ...now,
      createdAt: this.#createdAt,
      lastUpdatedAt: new Date().toISOString(),
      ttlMs: 60_000,
      pollIntervalMs: 50,
    };
  }

  get #waiting(): Obj {
    const inputRequests = Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
    return { status: 'input_required', inputRequests };
  }

  ask(request: Obj): Promise<Obj> {
    return new Promise((resolve) => {
      this.#open.set(randomUUID(), { request, answer: resolve });
      this.#tell();
    });
  }

  update(responses: Obj): void {
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#open.get(key);
      this.#open.delete(key);
      question?.answer(response as Obj);
    }
    this.#tell();
  }

  cancel(): void {
    this.#finish({ status: 'cancelled' });
    this.stop.abort();
  }

  #finish(end: Obj): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#tell();
  }

  #tell(): void {
    for (const s of this.world.subscriptions)
      if ((s.filter.taskIds as string[] | undefined)?.includes(this.taskId)) s.tell('notifications/tasks', this.state);
  }
}

const tasks = new Map<string, Task>();

/** Answers a request about a task. Throws RpcFailure. */
export function aboutTask({ method, params, meta }: ModernCall): Obj {
  requireExtension(meta);
  const task = tasks.get(String(params.taskId));
  if (task === undefined) throw new RpcFailure(-32602, 'Failed to retrieve task: Task not found');
  if (method === 'tasks/get') return task.state;
  if (method === 'tasks/update') task.update(params.inputResponses ?? {});
  else task.cancel();
  return {};
}

export function offersTasks(meta: Obj): boolean {
  return meta[`${META}clientCapabilities`]?.extensions?.[EXTENSION] !== undefined;
}

function requireExtension(meta: Obj): void {
  if (!offersTasks(meta))
    throw new RpcFailure(-32021, 'Missing required client capability', {
      requiredCapabilities: { extensions: { [EXTENSION]: {} } },
    });
}

/** Runs as a task for a client that takes one. `required`: otherwise not at all; else its result is waited for. */
function job(name: string, run: (args: Obj, call: ModernCall) => Work, required = false): ModernTool {
  return {
    definition: { name, description: name, inputSchema: { type: 'object', properties: {} } },
    async run(args, call, world) {
      if (required) requireExtension(call.meta);
      const task = new Task(world, run(args, call));
      tasks.set(task.taskId, task);
      if (offersTasks(call.meta)) return { ...task.state, resultType: 'task' };
      while (task.state.status === 'working') await new Promise((resolve) => setTimeout(resolve, 20));
      if (task.state.result === undefined) throw new RpcFailure(-32603, 'It did not complete', task.state);
      return task.state.result as Obj;
    },
  };
}

const text = (s: string): Obj => ({ content: [{ type: 'text', text: s }] });
const form = (message: string, key: string, type: string): Obj => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [key]: { type } }, required: [key] },
  },
});

export const taskTools: ModernTool[] = [
  {
    definition: { name: 'greet', description: 'greet', inputSchema: { type: 'object', properties: {} } },
    run: (args) => text(`Hello, ${args.name}!`),
  },
  job('slow_compute', (args) => async (task) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Number(args.seconds ?? 0) * 1000);
      task.stop.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()));
    });
    return text(`computed ${args.label ?? ''}`);
  }),
  job('failing_job', () => () => Promise.resolve({ ...text('It failed'), isError: true }), true),
  job('protocol_error_job', () => () => Promise.reject(new RpcFailure(-32603, 'It broke'))),
  job('confirm_delete', (args) => async (task) => {
    const answer = await task.ask(form(`Delete ${args.filename}?`, 'confirm', 'boolean'));
    return text(`${args.filename}: ${JSON.stringify(answer)}`);
  }),
  job('multi_input', () => async (task) => {
    const answers = await Promise.all([
      task.ask(form('First?', 'a', 'string')),
      task.ask(form('Second?', 'b', 'string')),
    ]);
    return text(JSON.stringify(answers));
  }),
  {
    definition: { name: 'test_tool_with_task', description: 'asks, then runs', inputSchema: { type: 'object' } },
    run(_, call, world) {
      const given: unknown = call.params.inputResponses?.user_name;
      if (given === undefined)
        return { resultType: 'input_required', inputRequests: { user_name: form('Who?', 'name', 'string') } };
      return job('', () => () => Promise.resolve(text(JSON.stringify(given))), true).run({}, call, world);
    },
  },
];
