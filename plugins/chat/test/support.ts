/** An agent on strings: a provider that does in each turn what the test tells it. */
import { definePlugin, type AgentProvider, type Plugin, type Turn, type TurnEvent } from '@coffer/kernel';
import { createTestKernel, type TestKernel, type TestKernelOptions } from '@coffer/kernel/testing';
import chat from '../src/plugin.js';

export interface Stage {
  readonly turn: Turn;
  emit(...events: TurnEvent[]): void;
  /** Ends the iterable without a last word. */
  end(): void;
  throw(error: Error): void;
  disposed: boolean;
}

export interface Puppet extends AgentProvider {
  readonly stages: Stage[];
  readonly forgotten: string[];
  available: { available: boolean; reason?: string };
  /** Thrown by createAdapter while set. */
  broken: Error | undefined;
  /** While set, a turn that is stopped ends only when this resolves. */
  cleanup: Promise<void> | undefined;
  /** The stage of the nth turn, once it is there. */
  stage(n: number): Promise<Stage>;
}

export function createPuppet(key = 'puppet'): Puppet {
  const puppet: Puppet = {
    key,
    displayName: 'Puppet',
    configSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        cwd: { type: 'string', title: 'Folder', description: 'Where it works' },
        model: { type: 'string', title: 'Model', description: 'What it thinks with' },
        strings: { type: 'integer', title: 'Strings', minimum: 1, maximum: 9 },
      },
    },
    stages: [],
    forgotten: [],
    available: { available: true },
    broken: undefined,
    cleanup: undefined,
    availability: () => puppet.available,
    models: () => ['oak', 'ash'],
    forget: ({ id }) => void puppet.forgotten.push(id),
    createAdapter() {
      if (puppet.broken !== undefined) throw puppet.broken;
      let stage: Stage;
      return {
        async *runTurn(turn) {
          const waiting: (TurnEvent | Error | null)[] = [];
          let wake = (): void => undefined;
          const add = (...what: (TurnEvent | Error | null)[]): void => {
            waiting.push(...what);
            wake();
          };
          stage = {
            turn,
            emit: (...events) => add(...events),
            end: () => add(null),
            throw: (error) => add(error),
            disposed: false,
          };
          puppet.stages.push(stage);
          turn.signal.addEventListener('abort', () => wake());
          for (;;) {
            if (turn.signal.aborted) {
              await puppet.cleanup;
              return;
            }
            const next = waiting.shift();
            if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
            else if (next === null) return;
            else if (next instanceof Error) throw next;
            else yield next;
          }
        },
        dispose() {
          stage.disposed = true;
          return Promise.resolve();
        },
      };
    },
    async stage(n) {
      await until(() => puppet.stages.length > n);
      return puppet.stages[n] as Stage;
    },
  };
  return puppet;
}

/** A plugin that brings an agent, as any third party would. */
export function pluginOf(provider: AgentProvider): Plugin {
  return definePlugin({
    name: `agent-${provider.key}`,
    apiVersion: 1,
    register: (kernel) => kernel.tap(kernel.hooks.agents.register, (registry) => registry.add(provider)),
  });
}

export interface SseEvent {
  event: string;
  id: string | undefined;
  // any: tests look into events of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
}

export interface Screen {
  readonly events: SseEvent[];
  readonly ended: boolean;
  /** Waits for the nth event of a type, from 0. */
  seen(type: string, n?: number): Promise<SseEvent>;
  types(): string[];
  /** All text since the last start of a turn. */
  text(): string;
  close(): Promise<void>;
}

export interface ChatBench {
  k: TestKernel;
  puppet: Puppet;
  /** A new conversation; its id. */
  begin(config?: object): Promise<string>;
  rest: TestKernel['rest'];
  send(id: string, text: string): ReturnType<TestKernel['rest']>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  messages(id: string): Promise<any[]>;
  watch(id: string, lastId?: string): Promise<Screen>;
}

export async function openChat(options: TestKernelOptions & { puppet?: Puppet } = {}): Promise<ChatBench> {
  const puppet = options.puppet ?? createPuppet();
  const k = await createTestKernel({ ...options, plugins: [chat, pluginOf(puppet), ...(options.plugins ?? [])] });
  const rest: TestKernel['rest'] = (method, path, body, headers) => k.rest(method, `/chat${path}`, body, headers);
  return {
    k,
    puppet,
    rest,
    async begin(config = {}) {
      const { body } = await rest('POST', '/conversations', { agent_key: puppet.key, agent_config: config });
      return body.id as string;
    },
    send: (id, text) => rest('POST', `/conversations/${id}/messages`, { text }),
    messages: async (id) => (await rest('GET', `/conversations/${id}/messages`)).body.messages,
    watch: (id, lastId) => openScreen(k, id, lastId),
  };
}

export async function openScreen(k: Pick<TestKernel, 'url' | 'token'>, id: string, lastId?: string): Promise<Screen> {
  const gone = new AbortController();
  const res = await fetch(`${k.url}/api/v1/chat/conversations/${id}/events`, {
    headers: { 'X-Coffer-Token': k.token, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
    signal: gone.signal,
  });
  if (res.status !== 200) throw new Error(`events answered ${res.status}`);
  const events: SseEvent[] = [];
  let ended = false;
  const read = (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of res.body as ReadableStream<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const field = (name: string): string | undefined =>
          frame
            .split('\n')
            .find((l) => l.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        const data = field('data');
        if (data !== undefined) events.push({ event: field('event') ?? '', id: field('id'), data: JSON.parse(data) });
      }
    }
  })()
    .catch(() => undefined)
    .finally(() => (ended = true));
  const screen: Screen = {
    events,
    get ended() {
      return ended;
    },
    async seen(type, n = 0) {
      const all = (): SseEvent[] => events.filter((e) => e.event === type);
      await until(() => all().length > n, `event ${type} number ${n}; seen: ${screen.types().join(' ')}`);
      return all()[n] as SseEvent;
    },
    types: () => events.map((e) => e.event),
    text: () =>
      events
        .slice(events.findLastIndex((e) => e.event === 'turn_start'))
        .filter((e) => e.event === 'text_delta')
        .map((e) => e.data.text as string)
        .join(''),
    async close() {
      gone.abort();
      await read;
    },
  };
  return screen;
}

/** Waits for something that comes by itself; the test fails when it does not. */
export async function until(there: () => boolean | Promise<boolean>, what = 'what is waited for'): Promise<void> {
  const end = Date.now() + 5000;
  while (!(await there())) {
    if (Date.now() > end) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
