import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunning } from '../src/daemon/process.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const COFFER = join(ROOT, 'cli', 'bin', 'coffer.js');
export const EXAMPLE = join(ROOT, 'examples', 'kind-bookmark');

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

/** A vault of its own and the real `coffer` on it. */
export interface Home {
  readonly dir: string;
  readonly env: Record<string, string>;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** As {@link Home.run}; throws unless it exits 0. */
  ok(args: readonly string[], options?: RunOptions): Promise<string>;
  // any: tests look into answers of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json(args: readonly string[], options?: RunOptions): Promise<any>;
  /** `daemon.json` as it is now. */
  record(): { pid: number; port: number; token: string };
  /** Stops the daemon and removes the vault; throws when a daemon that was seen lives on. */
  done(): Promise<void>;
}

export function createHome(more: Record<string, string> = {}): Home {
  const dir = mkdtempSync(join(tmpdir(), 'coffer-cli-'));
  const inherited = Object.entries(process.env).filter(
    ([k, v]) => v !== undefined && !/^(COFFER_|NODE_OPTIONS$|NO_COLOR$|FORCE_COLOR$)/.test(k),
  );
  const env = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    COFFER_HOME: dir,
    COFFER_PORT: '0',
    ...more,
  };
  const seen = new Set<number>();
  const record = (): { pid: number; port: number; token: string } =>
    JSON.parse(readFileSync(join(dir, 'daemon.json'), 'utf8')) as { pid: number; port: number; token: string };
  const remember = (): void => {
    try {
      if (
        /\bmain\.js\b|coffer\.js daemon start/.test(
          readFileSync(`/proc/${record().pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
        )
      )
        seen.add(record().pid);
    } catch {
      // no daemon, or a file that names none
    }
  };
  const home: Home = {
    dir,
    env,
    record,
    async run(args, { input = '', env: extra = {}, cwd = dir } = {}) {
      const child = spawn(process.execPath, [COFFER, ...args], { env: { ...env, ...extra }, cwd, stdio: 'pipe' });
      const ran = { out: '', err: '' };
      child.stdout.on('data', (c: Buffer) => (ran.out += c.toString()));
      child.stderr.on('data', (c: Buffer) => (ran.err += c.toString()));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const [code] = (await once(child, 'close')) as [number | null];
      remember();
      return { code, ...ran };
    },
    async ok(args, options) {
      const ran = await home.run(args, options);
      if (ran.code !== 0) throw new Error(`coffer ${args.join(' ')} exited with ${ran.code}: ${ran.err}${ran.out}`);
      return ran.out;
    },
    json: async (args, options) => JSON.parse(await home.ok([...args, '--json'], options)) as unknown,
    async done() {
      remember();
      const stopped = await home.run(['daemon', 'stop']);
      rmSync(dir, { recursive: true, force: true });
      const left = [...seen].filter(isRunning);
      for (const pid of left) process.kill(pid, 'SIGKILL');
      if (stopped.code !== 0 || left.length > 0)
        throw new Error(`the daemon was left behind: ${left.join(', ')} ${stopped.err}`);
    },
  };
  return home;
}

/** Waits until a condition holds; throws after 10 s. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`this did not come true within 10 s: ${what}`);
}
