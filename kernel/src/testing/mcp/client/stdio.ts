import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Obj } from '../../../json.js';
import { lineReader } from '../rpc.js';
import { RawClient, type ClientOptions } from './base.js';

export interface StdioTarget {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Milliseconds between closing stdin, SIGTERM and SIGKILL, as MCP asks of a client. */
const PATIENCE_MS = 2000;

export class StdioClient extends RawClient {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly exited: Promise<unknown>;
  /** Everything the server wrote to stderr. */
  stderr = '';

  constructor(target: StdioTarget, options: ClientOptions = {}) {
    super(options);
    this.child = spawn(target.command, target.args ?? [], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...target.env },
      cwd: target.cwd,
    });
    this.exited = once(this.child, 'exit').catch(() => {});
    this.child.stdout.on(
      'data',
      lineReader((line) => this.line(line)),
    );
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.child.stdin.on('error', () => {});
    this.child.on('error', (e) => this.failAll(e));
    this.child.on('close', (code) => this.failAll(new Error(`the server ended with code ${code}`)));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The exit code once the process is gone. */
  async exitCode(): Promise<number | null> {
    await this.exited;
    return this.child.exitCode;
  }

  /** Sends a line that need not be JSON. */
  writeLine(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  protected write(message: Obj): void {
    this.writeLine(JSON.stringify(message));
  }

  private line(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.strays.push(line);
      return;
    }
    this.receive(message);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined) return;
    this.child.stdin.end();
    const timers = [
      setTimeout(() => this.child.kill('SIGTERM'), PATIENCE_MS),
      setTimeout(() => this.child.kill('SIGKILL'), 2 * PATIENCE_MS),
    ];
    await this.exited;
    timers.forEach(clearTimeout);
  }
}

/** Starts a server and shakes hands with it. */
export async function openStdio(target: StdioTarget, options?: ClientOptions): Promise<StdioClient> {
  const client = new StdioClient(target, options);
  try {
    await client.initialize();
  } catch (e) {
    await client.close();
    throw e;
  }
  return client;
}
