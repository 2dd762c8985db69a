/** A real daemon process with a vault of its own, and every door to it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const ROOT = path.resolve(fileURLToPath(new URL('../../', import.meta.url)));
const MAIN = path.join(ROOT, 'kernel/dist/main.js');
const SHIM = path.join(ROOT, 'shim/dist/coffer-mcp-shim.cjs');
const CLI = path.join(ROOT, 'cli/bin/coffer.js');

/** Servers that people have, from npm. */
export const servers = {
  everything: (mode = 'stdio'): string[] => [
    path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
    mode,
  ],
  filesystem: (folder: string): string[] => [
    path.join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'),
    folder,
  ],
  memory: (): string[] => [path.join(ROOT, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
};

export interface Answer {
  status: number;
  headers: Headers;
  // any: tests look into answers of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RealDaemon {
  readonly home: string;
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  readonly env: Record<string, string>;
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Registers an MCP server over stdio; throws unless that worked. */
  addStdio(
    name: string,
    args: readonly string[],
    more?: { command?: string; env?: object; config?: object },
  ): Promise<Answer>;
  cli(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Ran>;
  /** The official SDK's client behind the shim. */
  shim(options?: {
    args?: readonly string[];
    capabilities?: object;
    cwd?: string;
  }): Promise<Client & { shimPid: number }>;
  /** The official SDK's client over HTTP. */
  http(options?: { capabilities?: object }): Promise<Client>;
  /** Starts it again on the same vault. */
  restart(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Ends everything and removes the vault; throws when a process of it lives on. */
  stop(): Promise<void>;
  /** Everything the daemon has written: rows, logs, files. */
  files(): string[];
}

export interface RealDaemonOptions {
  env?: Record<string, string>;
  home?: string;
  /** The daemon's program, when it is not the one of this repository. */
  main?: string;
}

export async function startDaemon(options: RealDaemonOptions = {}): Promise<RealDaemon> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'coffer-real-'));
  const env: Record<string, string> = {
    ...(process.env as Record<string, string>),
    COFFER_HOME: home,
    COFFER_PORT: '0',
    COFFER_LOG_LEVEL: 'debug',
    ...options.env,
  };
  const clients: Client[] = [];
  let child: ChildProcess;
  let found: { pid: number; port: number; token: string };

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [options.main ?? MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr?.on('data', (d: Buffer) => (complaint += d.toString()));
    const file = path.join(home, 'daemon.json');
    for (let i = 0; i < 400; i++) {
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}: ${complaint}`);
      if (existsSync(file)) {
        found = JSON.parse(readFileSync(file, 'utf8')) as typeof found;
        if (found.pid === child.pid) {
          const res = await fetch(`http://127.0.0.1:${found.port}/api/v1/daemon/status`).catch(() => undefined);
          if (res?.status === 200 && ((await res.json()) as { status: string }).status === 'ready') return;
        }
      }
      await sleep(25);
    }
    throw new Error(`the daemon did not get ready: ${complaint}`);
  };
  /** As it is now: it can be rotated. */
  const token = (): string => {
    const file = path.join(home, 'daemon.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as typeof found).token : found.token;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  await start();

  const daemon: RealDaemon = {
    home,
    env,
    get pid() {
      return found.pid;
    },
    get port() {
      return found.port;
    },
    get token() {
      return token();
    },
    async rest(method, at, body, headers = {}) {
      const res = await fetch(`http://127.0.0.1:${found.port}/api/v1${at}`, {
        method,
        headers: { 'X-Coffer-Token': token(), 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await res.text();
      return {
        status: res.status,
        headers: res.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
    },
    async addStdio(name, args, { command = process.execPath, env: own = {}, config = {} } = {}) {
      const answer = await daemon.rest('POST', '/resources', {
        kind: 'mcp_server',
        name,
        config: { transport: { type: 'stdio', command, args, env: own }, ...config },
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer;
    },
    async cli(args, { input, env: more = {} } = {}) {
      const run = spawn(process.execPath, [CLI, ...args], { env: { ...env, ...more }, stdio: 'pipe' });
      const out = { stdout: '', stderr: '' };
      run.stdout.on('data', (d: Buffer) => (out.stdout += d.toString()));
      run.stderr.on('data', (d: Buffer) => (out.stderr += d.toString()));
      run.stdin.on('error', () => undefined);
      run.stdin.end(input);
      const [code] = (await once(run, 'close')) as [number | null];
      return { code, ...out };
    },
    async shim({ args = [], capabilities = {}, cwd } = {}) {
      const client = new Client({ name: 'test', version: '1' }, { capabilities });
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [SHIM, ...args],
        env,
        ...(cwd === undefined ? {} : { cwd }),
      });
      await client.connect(transport);
      clients.push(client);
      return Object.assign(client, { shimPid: transport.pid ?? 0 });
    },
    async http({ capabilities = {} } = {}) {
      const client = new Client({ name: 'test', version: '1' }, { capabilities });
      const url = new URL(`http://127.0.0.1:${found.port}/mcp`);
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'X-Coffer-Token': token() } } }),
      );
      clients.push(client);
      return client;
    },
    async restart() {
      await end('SIGTERM');
      await start();
    },
    kill: (signal = 'SIGKILL') => end(signal),
    async stop() {
      for (const c of clients) await c.close().catch(() => undefined);
      await end('SIGTERM');
      const left = strays(home);
      rmSync(home, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`processes were left behind: ${left.join('; ')}`);
    },
    files: () =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((e) => e.isFile())
        .map((e) => path.join(e.parentPath, e.name)),
  };
  return daemon;
}

/** Upstream processes whose pid files are still there and that live. */
function strays(home: string): string[] {
  const folder = path.join(home, 'upstream-pids');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((f) => {
    const { pid } = JSON.parse(readFileSync(path.join(folder, f), 'utf8')) as { pid: number };
    return alive(pid);
  });
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer is truthy. */
export async function until<T>(what: string, ask: () => T | Promise<T>, ms = 10_000): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + ms;
  for (;;) {
    const got = await ask();
    if (got) return got;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await sleep(20);
  }
}
