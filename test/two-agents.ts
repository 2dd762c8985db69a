/** A plugin that stands for two agents, as an agent plugin would: where their skills lie, and no more. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RealDaemon } from '@coffer/testing';

export interface TwoAgents {
  readonly dir: string;
  /** Where an agent looks for skills. */
  of(agent: 'claude-code' | 'codex', ...more: string[]): string;
  /** Writes a skill; the last name of the folder is the skill's. */
  skill(folder: string, description?: string, files?: Record<string, string>): string;
  done(): void;
}

export async function addTwoAgents(daemon: RealDaemon): Promise<TwoAgents> {
  const dir = mkdtempSync(path.join(tmpdir(), 'coffer-agents-'));
  const of = (agent: string, ...more: string[]): string => path.join(dir, agent, 'skills', ...more);
  const targets = ['claude-code', 'codex'].map((agent) => ({ agent, folder: of(agent) }));
  for (const { folder } of targets) mkdirSync(folder, { recursive: true });
  const plugin = path.join(dir, 'two-agents');
  mkdirSync(plugin);
  writeFileSync(
    path.join(plugin, 'package.json'),
    JSON.stringify({ name: 'two-agents', version: '1.0.0', type: 'module', coffer: { plugin: './index.js' } }),
  );
  writeFileSync(
    path.join(plugin, 'index.js'),
    `import { definePlugin } from '@coffer/kernel';
export default definePlugin({
  name: 'two-agents',
  apiVersion: 1,
  requires: ['kind-skill'],
  register(kernel) {
    const skills = kernel.use({ name: 'skill-targets' });
    skills.add(() => ${JSON.stringify(targets)});
  },
});
`,
  );
  const { status, body } = await daemon.rest('POST', '/plugins', { spec: plugin });
  if (status !== 201 || body.state !== 'active') throw new Error(JSON.stringify(body));
  return {
    dir,
    of,
    skill(folder, description = `What ${path.basename(folder)} is for.`, files = {}) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        path.join(folder, 'SKILL.md'),
        `---\nname: ${path.basename(folder)}\ndescription: ${description}\n---\nDo it well.\n`,
      );
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), content);
      }
      return folder;
    },
    done: () => rmSync(dir, { recursive: true, force: true }),
  };
}
