import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type FixtureName = 'scripted' | 'hostile' | 'modern';

/**
 * How to start a fixture as its own process, from source or from the build, whichever this module runs from. The command is
 * absolute, so it works from any working directory.
 */
export function fixtureCommand(name: FixtureName, args: readonly string[] = []): { command: string; args: string[] } {
  const source = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(`./${name}.${source ? 'ts' : 'js'}`, import.meta.url));
  const loader = source ? ['--import', import.meta.resolve('tsx')] : [];
  return { command: process.execPath, args: [...loader, file, ...args] };
}

/** A fixture that listens on a loopback port. */
export interface RunningFixture {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Starts a fixture with `--http 0` or `--sse 0` among its arguments and waits until it listens. */
export async function startFixture(name: FixtureName, args: readonly string[]): Promise<RunningFixture> {
  const { command, args: argv } = fixtureCommand(name, args);
  const child = spawn(command, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const m = /^listening (\S+)$/m.exec(seen);
      if (m?.[1]) resolve(m[1]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the ${name} fixture ended with code ${code} before it listened`)));
  });
  return {
    url,
    // a child that printed a line has a pid
    pid: child.pid as number,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}
