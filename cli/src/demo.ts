/** Two harmless MCP servers for an empty vault, and a first call through the whole road. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Obj } from '@coffer/kernel';
import type { Api } from './api.js';
import { Failure } from './failure.js';
import { home } from './home.js';
import { shimScript, version } from './product.js';

const HELLO = 'Hello from Coffer';

interface DemoServer {
  name: string;
  description: string;
  config: Obj;
}

/** The servers, run from the product's own packages; undefined when it was installed without them. */
export function demoServers(): DemoServer[] | undefined {
  const everything = program('@modelcontextprotocol/server-everything');
  const files = program('@modelcontextprotocol/server-filesystem');
  if (everything === undefined || files === undefined) return undefined;
  const stdio = (args: string[]): Obj => ({ transport: { type: 'stdio', command: process.execPath, args } });
  return [
    { name: 'everything', description: 'Demo: one of everything that MCP has', config: stdio([everything, 'stdio']) },
    { name: 'files', description: 'Demo: files of one folder in the vault', config: stdio([files, demoFolder()]) },
  ];
}

const demoFolder = (): string => join(home(), 'workspace', 'demo');

function program(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
    const script = typeof bin === 'string' ? bin : Object.values(bin)[0];
    return script === undefined ? undefined : join(dirname(manifest), script);
  } catch {
    return undefined;
  }
}

export async function registerDemo(api: Api, servers: readonly DemoServer[]): Promise<void> {
  mkdirSync(demoFolder(), { recursive: true, mode: 0o700 });
  const note = join(demoFolder(), 'hello.txt');
  if (!existsSync(note)) writeFileSync(note, `${HELLO}. This folder is what the demo server "files" may see.\n`);
  for (const { name, description, config } of servers) {
    try {
      await api.post('/resources', { kind: 'mcp_server', name, description, config }, 150_000);
    } catch (e) {
      // Another `coffer up` at the same moment was faster.
      if (!(e instanceof Failure && e.code === 'RESOURCE_ALREADY_EXISTS')) throw e;
    }
  }
}

export interface Shown {
  /** Names by server; `coffer` are the built-ins. */
  tools: Record<string, string[]>;
  called: string;
  result: string;
}

/** Does what a client does: starts the shim, lists the tools, calls one. */
export async function showRoad(): Promise<Shown> {
  const shim = shimScript();
  if (!existsSync(shim)) throw new Failure('DEMO_FAILED', `${shim} is missing. Build it with: npm run build`);
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
  ]);
  const client = new Client({ name: 'coffer-up', version: version() });
  const env = Object.fromEntries(Object.entries(process.env).filter((e): e is [string, string] => e[1] !== undefined));
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [shim, '--agent', 'coffer-up'],
        env,
        stderr: 'ignore',
      }),
    );
    const tools: Record<string, string[]> = {};
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      for (const { name } of page.tools) {
        const [server = '', ...rest] = name.split('__');
        (tools[server] ??= []).push(rest.join('__'));
      }
      cursor = page.nextCursor;
    }
    const called = 'everything__echo';
    const { content, isError } = await client.callTool({ name: called, arguments: { message: HELLO } });
    const first = (content as { type: string; text?: string }[])[0];
    if (isError === true || first?.text === undefined) throw new Error('the tool answered with an error');
    return { tools, called, result: first.text };
  } catch (e) {
    throw new Failure(
      'DEMO_FAILED',
      `the demo servers are registered, but a call through coffer-mcp-shim failed: ${e instanceof Error ? e.message : String(e)}. See: coffer doctor`,
    );
  } finally {
    await client.close();
  }
}
