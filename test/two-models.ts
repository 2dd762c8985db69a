/** A plugin that stands for two agents which take a model, as an agent plugin would: settings in one JSON file each. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RealDaemon } from '@coffer/testing';

export interface TwoModels {
  settings(agent: 'claude-code' | 'codex'): string;
  done(): void;
}

export async function addTwoModels(daemon: RealDaemon): Promise<TwoModels> {
  const dir = mkdtempSync(path.join(tmpdir(), 'coffer-models-'));
  const file = (agent: string): string => path.join(dir, `${agent}.json`);
  const plugin = path.join(dir, 'two-models');
  mkdirSync(plugin);
  writeFileSync(file('claude-code'), '{\n  "mine": true\n}\n');
  writeFileSync(
    path.join(plugin, 'package.json'),
    JSON.stringify({ name: 'two-models', version: '1.0.0', type: 'module', coffer: { plugin: './index.js' } }),
  );
  writeFileSync(
    path.join(plugin, 'index.js'),
    `import { definePlugin } from '@coffer/kernel';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const target = (agent, type, label, protocol, file) => {
  const change = (c) => {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const { llm, ...mine } = before === '' ? {} : JSON.parse(before);
    return { path: file, before, after: JSON.stringify(c === null ? mine : { ...mine, llm: c }, null, 2) + '\\n' };
  };
  return {
    agent, type, label, protocols: [protocol],
    preview: async (c) => [change(c)],
    apply: async (c) => { const made = change(c); writeFileSync(made.path, made.after); return [made]; },
  };
};
export default definePlugin({
  name: 'two-models',
  apiVersion: 1,
  requires: ['kind-llm-connection'],
  register(kernel) {
    const targets = [
      target('claude-code', 'claude_code', 'Claude Code', 'anthropic', ${JSON.stringify(file('claude-code'))}),
      target('codex', 'codex', 'Codex', 'openai', ${JSON.stringify(file('codex'))}),
    ];
    kernel.use({ name: 'model-targets' }).add(() => targets);
  },
});
`,
  );
  const { status, body } = await daemon.rest('POST', '/plugins', { spec: plugin });
  if (status !== 201 || body.state !== 'active') throw new Error(JSON.stringify(body));
  return {
    settings: (agent) => (existsSync(file(agent)) ? readFileSync(file(agent), 'utf8') : ''),
    done: () => rmSync(dir, { recursive: true, force: true }),
  };
}
