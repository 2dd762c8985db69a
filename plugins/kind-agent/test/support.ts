/** What the tests of this plugin share: a person's folder with agents in it, and a vault that looks after them. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import claudeCode from '@coffer/agent-claude-code';
import codex from '@coffer/agent-codex';
import type { Obj, Plugin } from '@coffer/kernel';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import kindLlm from '@coffer/kind-llm-connection';
import kindMcpServer from '@coffer/kind-mcp-server';
import kindMemory from '@coffer/kind-memory';
import kindSkill from '@coffer/kind-skill';
import retrieval from '@coffer/retrieval';
import kindAgent from '../src/plugin.js';

export * from './fixtures.js';

export const ALL: readonly Plugin[] = [
  kindAgent,
  claudeCode,
  codex,
  kindMcpServer,
  kindSkill,
  retrieval,
  kindMemory,
  kindLlm,
];

export interface Bench {
  /** The person's folder. */
  readonly home: string;
  k: TestKernel;
  /** A path below the person's folder. */
  at(...parts: string[]): string;
  read(...parts: string[]): string;
  write(text: string, ...parts: string[]): void;
  /** Every file below the person's folder and its text, the vault's own left out. */
  files(): Record<string, string>;
  /** REST; throws unless it answers with a status below 400. */
  ok(method: string, at: string, body?: unknown): Promise<Obj>;
  /** REST that must fail: its error. */
  fails(
    method: string,
    at: string,
    body?: unknown,
  ): Promise<{ status: number; code: string; message: string; details: Obj }>;
  /** As the log has them, oldest first. */
  audit(event_type: string): Promise<Obj[]>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function bench(plugins: readonly Plugin[] = ALL): Promise<Bench> {
  const home = mkdtempSync(path.join(tmpdir(), 'coffer-agent-'));
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  const vault = path.join(home, '.coffer');
  const start = (): Promise<TestKernel> => createTestKernel({ home: vault, plugins });
  const b: Bench = {
    home,
    // set below, before anybody can see it
    k: undefined as unknown as TestKernel,
    at: (...parts) => path.join(home, ...parts),
    read: (...parts) => readFileSync(b.at(...parts), 'utf8'),
    write(text, ...parts) {
      mkdirSync(path.dirname(b.at(...parts)), { recursive: true });
      writeFileSync(b.at(...parts), text);
    },
    files: () => filesBelow(home, vault),
    async ok(method, at, body) {
      const answer = await b.k.rest(method, at, body);
      if (answer.status >= 400) throw new Error(`${method} ${at}: ${JSON.stringify(answer.body)}`);
      return answer.body as Obj;
    },
    async fails(method, at, body) {
      const answer = await b.k.rest(method, at, body);
      if (answer.status < 400) throw new Error(`${method} ${at} did not fail: ${JSON.stringify(answer.body)}`);
      return {
        status: answer.status,
        ...(answer.body as { error: { code: string; message: string; details: Obj } }).error,
      };
    },
    async audit(event_type) {
      const { body } = await b.k.rest('GET', `/audit?event_type=${event_type}`);
      return (body.entries as Obj[]).reverse();
    },
    async restart() {
      await b.k.stop({ keep: true });
      b.k = await start();
    },
    async stop() {
      await b.k.stop({ keep: true });
      if (before === undefined) delete process.env['HOME'];
      else process.env['HOME'] = before;
      rmSync(home, { recursive: true, force: true });
    },
  };
  b.k = await start();
  return b;
}

export function filesBelow(root: string, ...left: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (dir: string): void => {
    for (const e of readdirSync(dir, { withFileTypes: true })) {
      const at = path.join(dir, e.name);
      if (left.includes(at)) continue;
      if (e.isDirectory()) walk(at);
      // Links to files count as what they lead to, links to folders not at all.
      else if (existsSync(at) && statSync(at).isFile()) found[path.relative(root, at)] = readFileSync(at, 'utf8');
    }
  };
  walk(root);
  return found;
}
