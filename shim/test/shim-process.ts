import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Json } from './fake-daemon.js';

export const BUNDLE = fileURLToPath(new URL('../dist/coffer-mcp-shim.cjs', import.meta.url));

export function buildBundle(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../build.mjs', import.meta.url))]);
}

/** Waits until something holds; fails after `limit` ms, naming it. */
export async function until<T>(what: string, look: () => T | undefined | false, limit = 15_000): Promise<T> {
  for (const end = Date.now() + limit; Date.now() < end;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error(`never happened: ${what}`);
}

/** A running shim and what it wrote. */
export class Shim {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = '';
  exit: number | null | undefined;
  #rest: Buffer[] = [];

  constructor(home: string, args: string[] = [], env: Record<string, string> = {}, script = BUNDLE) {
    this.child = spawn(process.execPath, [script, ...args], {
      env: { PATH: process.env.PATH, COFFER_HOME: home, COFFER_NO_SPAWN: '1', ...env },
    });
    this.child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.child.stdin.on('error', () => undefined);
    this.child.on('close', (code) => (this.exit = code));
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.lines.push(Buffer.concat([...this.#rest, chunk.subarray(from, at)]).toString());
      this.#rest = [];
      from = at + 1;
    }
    this.#rest.push(chunk.subarray(from));
  }

  get messages(): Json[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  write(...messages: unknown[]): void {
    this.child.stdin.write(messages.map((message) => JSON.stringify(message) + '\n').join(''));
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.write({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
  }

  /** The answer to the request with this id, type and all. */
  answer(id: unknown): Promise<Json> {
    return until(`an answer to ${JSON.stringify(id)}`, () =>
      this.messages.find((message) => message.id === id && message.method === undefined),
    );
  }

  notified(method: string): Promise<Json> {
    return until(`the message ${method}`, () => this.messages.find((message) => message.method === method));
  }

  async open(): Promise<Json> {
    this.request('open', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '0' },
    });
    const answer = await this.answer('open');
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  ended(): Promise<number | null> {
    return until('the exit of the shim', () => this.exit);
  }

  async kill(): Promise<void> {
    if (this.exit !== undefined) return;
    this.child.stdin.destroy();
    this.child.kill('SIGKILL');
    await until('the end of a killed shim', () => this.exit !== undefined);
  }
}
