/** What the tests of this plugin share: a vault with two agents, folders that go, and clients. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definePlugin, type Obj } from '@coffer/kernel';
import { createTestKernel, HttpClient, type TestKernel, type TestKernelOptions } from '@coffer/kernel/testing';
import kindSkill from '../src/plugin.js';
import { SkillTargets, type SkillTarget } from '../src/delivery/targets.js';

export const AGENTS = ['claude-code', 'codex'] as const;

export interface Bench {
  readonly dir: string;
  k: TestKernel;
  /** As the two agents would give them; a test may change it and say `changed`. */
  targets: SkillTarget[];
  changed(): Promise<void>;
  leave(folder: string): Promise<void>;
  /** The folder where an agent looks for skills. */
  of(agent: string, ...more: string[]): string;
  master(...more: string[]): string;
  /** Writes a skill into a folder; the folder's last name is the skill's. */
  skill(
    folder: string,
    more?: { name?: string; description?: string; files?: Record<string, string | Buffer>; head?: string },
  ): string;
  /** Imports what is in a folder. */
  add(folder: string, more?: { names?: string[]; replace?: string[] }): Promise<Obj>;
  view(name: string): Promise<Obj>;
  restart(): Promise<void>;
  client(agent?: string): Promise<HttpClient>;
  stop(): Promise<void>;
}

export const headOf = (name: string, description = `What ${name} is for.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it well.\n`;

export async function bench(options: TestKernelOptions = {}): Promise<Bench> {
  const dir = mkdtempSync(path.join(tmpdir(), 'coffer-skill-'));
  const home = path.join(dir, 'home');
  const clients: HttpClient[] = [];
  let service: SkillTargets | undefined;
  const of = (agent: string, ...more: string[]): string => path.join(dir, agent, 'skills', ...more);
  for (const agent of AGENTS) mkdirSync(path.join(dir, agent));
  const double = definePlugin({
    name: 'two-agents',
    apiVersion: 1,
    requires: ['kind-skill'],
    register(kernel) {
      service = kernel.use(SkillTargets);
      service.add(() => b.targets);
    },
  });
  const start = (): Promise<TestKernel> => createTestKernel({ ...options, home, plugins: [kindSkill, double] });
  const b: Bench = {
    dir,
    // set below, before anybody can see it
    k: undefined as unknown as TestKernel,
    targets: AGENTS.map((agent) => ({
      agent,
      folder: of(agent),
      ...(agent === 'codex' && { extraFolders: [path.join(dir, 'agents', 'skills')] }),
    })),
    changed: () => service?.changed() ?? Promise.resolve(),
    leave: (folder) => service?.leave(folder) ?? Promise.resolve(),
    of,
    master: (...more) => path.join(home, 'skills', ...more),
    skill(folder, { name = path.basename(folder), description, files = {}, head } = {}) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'SKILL.md'), head ?? headOf(name, description));
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), content);
      }
      return folder;
    },
    async add(folder, more = {}) {
      const stage = await b.k.rest('POST', '/skill-imports', { type: 'folder', path: folder });
      if (stage.status !== 201) throw new Error(JSON.stringify(stage.body));
      const names = more.names ?? (stage.body.skills as Obj[]).map((s) => s['name'] as string);
      const done = await b.k.rest('POST', `/skill-imports/${stage.body.id}/confirm`, {
        names,
        replace: more.replace ?? [],
      });
      if (done.status !== 200) throw new Error(JSON.stringify(done.body));
      return done.body as Obj;
    },
    view: async (name) => (await b.k.rest('GET', `/skills/${name}`)).body as Obj,
    async restart() {
      await b.k.stop({ keep: true });
      b.k = await start();
    },
    async client(agent) {
      const c = new HttpClient(`${b.k.url}/mcp`, {
        headers: { 'X-Coffer-Token': b.k.token },
        ...(agent !== undefined && { meta: { 'coffer/agent': agent } }),
      });
      clients.push(c);
      await c.initialize();
      return c;
    },
    async stop() {
      for (const c of clients) await c.close();
      await b.k.stop({ keep: true });
      rmSync(dir, { recursive: true, force: true });
    },
  };
  b.k = await start();
  return b;
}

export const toolNames = async (c: HttpClient): Promise<string[]> =>
  ((await c.request('tools/list'))['tools'] as Obj[]).map((t) => t['name'] as string);

export async function call(c: HttpClient, name: string, args: Obj = {}): Promise<Obj> {
  return c.request('tools/call', { name: `coffer__${name}`, arguments: args });
}

export const linkOf = (at: string): string | undefined =>
  existsSync(at) || isLink(at) ? (isLink(at) ? readlinkSync(at) : '(no link)') : undefined;

export function isLink(at: string): boolean {
  try {
    return lstatSync(at).isSymbolicLink();
  } catch {
    return false;
  }
}

/** git as the tests use it: no configuration of the machine's. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@example.com',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@example.com',
    },
  }).trim();
}
