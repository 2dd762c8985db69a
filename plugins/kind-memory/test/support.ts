import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import retrieval from '../../retrieval/src/plugin.js';
import plugin from '../src/plugin.js';

/** A folder with a repository in it, made by hand: no git is needed to read one. */
export function repository(options: { origin?: string; branch?: string } = {}): { root: string; remove(): void } {
  const root = mkdtempSync(path.join(os.tmpdir(), 'coffer-repo-'));
  const git = path.join(root, '.git');
  mkdirSync(git);
  writeFileSync(path.join(git, 'HEAD'), `ref: refs/heads/${options.branch ?? 'main'}\n`);
  const remote = options.origin === undefined ? '' : `[remote "origin"]\n\turl = ${options.origin}\n`;
  writeFileSync(path.join(git, 'config'), `[core]\n\tbare = false\n${remote}`);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface MemoryBench {
  k: TestKernel;
  /** Calls a tool as an agent in a folder; the structured result, or `{error}`. */
  // any: tests look into results of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  tool(name: string, args: object, cwd?: string, agent?: string): Promise<any>;
}

export async function openMemory(home?: string): Promise<MemoryBench> {
  const k = await createTestKernel({ plugins: [retrieval, plugin], ...(home !== undefined && { home }) });
  let clients = 0;
  const names = new Map<string, string>();
  return {
    k,
    async tool(name, args, cwd, agent = 'tester') {
      const who = `${agent}@${cwd ?? ''}`;
      if (!names.has(who)) names.set(who, `client-${clients++}`);
      const outcome = await k.services.gateway.call(
        'tools/call',
        { name: `coffer__${name}`, arguments: args },
        { client: names.get(who) ?? '', agent, ...(cwd !== undefined && { cwd }) },
      );
      if (outcome.kind !== 'result') return { error: JSON.stringify(outcome) };
      const { structuredContent, content, isError } = outcome.result.value;
      return isError === true ? { error: content[0].text } : structuredContent;
    },
  };
}
