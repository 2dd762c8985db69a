/** What the tests of this plugin share: a vault, an endpoint, and two agents whose settings are a file each. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CofferError, definePlugin, type Obj } from '@coffer/kernel';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import llm from '../src/plugin.js';
import { LlmConnections, ModelTargets, type ModelTarget, type ProjectedConnection } from '../src/services.js';
import { standIn, type StandIn } from './stand-in.js';

export const KEY = 'sk-test-a1b2c3d4e5f6';

export interface Bench {
  readonly dir: string;
  k: TestKernel;
  endpoint: StandIn;
  targets: ModelTarget[];
  llm: LlmConnections;
  /** Adds a connection and expects that it worked. */
  add(name: string, more?: Obj): Promise<Obj>;
  settings(agent: string): string;
  setSettings(agent: string, text: string): void;
  /** As the log has them, oldest first. */
  audit(event_type: string): Promise<Obj[]>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function bench(): Promise<Bench> {
  const dir = mkdtempSync(path.join(tmpdir(), 'coffer-llm-'));
  const home = path.join(dir, 'home');
  const endpoint = await standIn();
  const file = (agent: string): string => path.join(dir, `${agent}.json`);
  const read = (agent: string): string => (existsSync(file(agent)) ? readFileSync(file(agent), 'utf8') : '');
  const double = definePlugin({
    name: 'two-agents',
    apiVersion: 1,
    requires: ['kind-llm-connection'],
    register(kernel) {
      kernel.use(ModelTargets).add(() => b.targets);
      b.llm = kernel.use(LlmConnections);
    },
  });
  const start = (): Promise<TestKernel> => createTestKernel({ home, plugins: [llm, double] });
  const b: Bench = {
    dir,
    endpoint,
    // both are set before anybody can see them
    k: undefined as unknown as TestKernel,
    llm: undefined as unknown as LlmConnections,
    targets: [
      fileTarget('claude-code', 'claude_code', 'Claude Code', 'anthropic', file),
      fileTarget('codex', 'codex', 'Codex', 'openai', file),
    ],
    async add(name, more = {}) {
      const made = await b.k.rest('POST', '/llm-connections', {
        name,
        protocol: 'anthropic',
        base_url: endpoint.url,
        ...(more['credential_ref'] === undefined && more['protocol'] !== 'ollama' && { secret_value: KEY }),
        ...more,
      });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body as Obj;
    },
    settings: read,
    setSettings: (agent, text) => writeFileSync(file(agent), text),
    async audit(event_type) {
      const { body } = await b.k.rest('GET', `/audit?event_type=${event_type}`);
      return (body.entries as Obj[]).reverse();
    },
    async restart() {
      await b.k.stop({ keep: true });
      b.k = await start();
    },
    async stop() {
      await b.k.stop();
      await endpoint.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  b.k = await start();
  return b;
}

/** An agent whose settings are one JSON file; what it does not manage stays. */
function fileTarget(
  agent: string,
  type: string,
  label: string,
  protocol: 'anthropic' | 'openai',
  file: (agent: string) => string,
): ModelTarget {
  const change = (c: ProjectedConnection | null): { path: string; before: string; after: string } => {
    const before = existsSync(file(agent)) ? readFileSync(file(agent), 'utf8') : '';
    let json: Obj;
    try {
      json = before === '' ? {} : (JSON.parse(before) as Obj);
    } catch {
      throw new CofferError('CONFIG_INVALID', `${agent}.json is no JSON.`);
    }
    delete json['llm'];
    if (c !== null) json['llm'] = { ...c };
    return { path: file(agent), before, after: `${JSON.stringify(json, null, 2)}\n` };
  };
  return {
    agent,
    type,
    label,
    protocols: [protocol],
    preview: (c) => Promise.resolve().then(() => [change(c)]),
    apply: (c) =>
      Promise.resolve().then(() => {
        const made = change(c);
        writeFileSync(made.path, made.after);
        return [made];
      }),
  };
}
