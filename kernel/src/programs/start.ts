/** A program with everything it starts, so that both can be ended; and recorded, so that the next daemon ends what this one left. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a program has to end by itself once nobody speaks to it any more, in milliseconds: most do at once, with their files in order. */
const CLOSE_MS = 500;
/** From the polite signal to the certain one, in milliseconds. */
const GRACE_MS = 2000;
const LOOK_MS = 20;

export interface StartedProgram {
  readonly child: ChildProcessWithoutNullStreams;
  /** Ends it and whatever it started: end of its input, half a second, SIGTERM, two seconds, SIGKILL. Resolves when all of them are gone. May be called again. */
  end(): Promise<void>;
  /** Never rejects; `code` is null for a program that was ended by a signal or could not be started. */
  readonly exited: Promise<{ code: number | null; error?: Error }>;
}

export interface StartOptions {
  cwd: string;
  env: Record<string, string>;
  /** Folder of the records, `paths.upstreamPids`. */
  records: string;
  /** Begins the name of the record. */
  label: string;
}

/** Starts a program without a shell, in a process group of its own. Its pipes may break; that ends nobody but the program. */
export function startProgram(command: string, args: readonly string[], options: StartOptions): StartedProgram {
  const { cwd, env, records, label } = options;
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: 'pipe',
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  // A program that ends while it is written to (EPIPE) is told of by its exit.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined);
  const record = child.pid === undefined ? undefined : remember(records, label, child.pid);
  const exited = new Promise<{ code: number | null; error?: Error }>((resolve) => {
    child.on('error', (error) => resolve({ code: null, error }));
    child.on('exit', (code) => resolve({ code }));
  });
  let ending: Promise<void> | undefined;
  return {
    child,
    exited,
    end: () =>
      (ending ??= (async () => {
        child.stdin.end();
        if (child.pid !== undefined) await endAll(child.pid);
        if (record !== undefined) rmSync(record, { force: true });
      })()),
  };
}

/** In the form that the sweep of orphans at the start of the daemon reads. */
function remember(folder: string, label: string, pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    const file = path.join(folder, `${label}-${pid}.json`);
    const row = { server: label, pid, command_line: line, spawned_at: new Date().toISOString() };
    writeFileSync(file, JSON.stringify(row), { mode: 0o600 });
    return file;
  } catch {
    // Without /proc nothing is recorded: such programs end by themselves when their standard input does.
    return undefined;
  }
}

async function endAll(pid: number): Promise<void> {
  if (await gone(pid, CLOSE_MS)) return;
  signal(pid, 'SIGTERM');
  if (await gone(pid)) return;
  signal(pid, 'SIGKILL');
  await gone(pid);
}

function lives(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    // Windows has no groups; taskkill knows the tree.
    spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // Gone already.
  }
}

async function gone(pid: number, ms = GRACE_MS): Promise<boolean> {
  for (let waited = 0; lives(pid); waited += LOOK_MS) {
    if (waited >= ms) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return true;
}
