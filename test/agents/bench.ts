/** Real agents in conversations: a kernel with chat and one agent's plugin, in a home that is not the tester's. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Plugin } from '@coffer/kernel';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import { realAgents, until } from '@coffer/testing';
import chat from '../../plugins/chat/src/plugin.js';
import kindAgent from '../../plugins/kind-agent/src/plugin.js';

export interface AgentBench {
  k: TestKernel;
  home: string;
  cwd: string;
  begin(config?: object): Promise<string>;
  send(id: string, text: string): Promise<void>;
  /** Sends, and waits for the end of the answer. */
  ask(id: string, text: string): Promise<Answer>;
  messages(id: string): Promise<Answer[]>;
  rest: TestKernel['rest'];
  /** Runs with variables that the agent sees; they are taken back at the end. */
  setEnv(more: Record<string, string>): void;
  /** Processes that were started in this home and live. */
  processes(): string[];
  close(): Promise<void>;
}

export interface Answer {
  role: string;
  status: string;
  stop_reason: string | null;
  model_id: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  error: { code: string; message: string } | null;
  // any: tests look into blocks of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  content: any[];
  /** All text of it. */
  text: string;
}

export async function openAgents(plugin: Plugin, key: string): Promise<AgentBench> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'coffer-agents-'));
  const [home, cwd, bin] = ['home', 'work', 'bin'].map((name) => path.join(base, name)) as [string, string, string];
  for (const dir of [home, cwd, bin]) mkdirSync(dir);
  realAgents(bin);
  // The login shell is asked for its PATH: the tester's profile must not answer.
  writeFileSync(path.join(home, '.profile'), '');
  const kept = new Map<string, string | undefined>();
  const setEnv = (more: Record<string, string>): void => {
    for (const [name, value] of Object.entries(more)) {
      if (!kept.has(name)) kept.set(name, process.env[name]);
      process.env[name] = value;
    }
  };
  setEnv({ HOME: home, PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin` });
  const k = await createTestKernel({ plugins: [chat, kindAgent, plugin] });
  const rest: TestKernel['rest'] = (method, at, body) => k.rest(method, `/chat${at}`, body);
  const messages = async (id: string): Promise<Answer[]> => {
    const { body } = await rest('GET', `/conversations/${id}/messages`);
    return (body.messages as Answer[]).map((m) => ({
      ...m,
      text: m.content
        .filter((b) => b.type === 'text')
        .map((b) => b.text as string)
        .join(''),
    }));
  };
  const send = async (id: string, text: string): Promise<void> => {
    const { status, body } = await rest('POST', `/conversations/${id}/messages`, { text });
    if (status !== 202) throw new Error(JSON.stringify(body));
  };
  return {
    k,
    home,
    cwd,
    rest,
    messages,
    send,
    setEnv,
    async begin(config = { cwd }) {
      const { status, body } = await rest('POST', '/conversations', { agent_key: key, agent_config: config });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id as string;
    },
    async ask(id, text) {
      const n = (await messages(id)).length;
      await send(id, text);
      await until(
        'the end of the answer',
        async () => {
          const all = await messages(id);
          return all.length === n + 2 && all.at(-1)?.status !== 'streaming';
        },
        40_000,
      );
      return (await messages(id)).at(-1) as Answer;
    },
    processes: () => processesIn(base),
    async close() {
      await k.stop();
      for (const [name, value] of kept)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** By their environment, which names the home. */
export function processesIn(base: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${base}`)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
      } catch {
        return [];
      }
    });
}
