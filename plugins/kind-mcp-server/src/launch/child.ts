import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { CofferError } from '@coffer/kernel';
import type { Environment } from './environment.js';
import { endGroup, groupEnds } from './group.js';
import { commandLine, removePid, writePid } from './pids.js';
import type { Redact } from './redact.js';
import type { ServerLog } from './server-log.js';

/** Lines of stderr that an error may quote. */
const LAST_LINES = 20;
const QUOTED = 3;
const QUOTED_CHARS = 400;
const LONGEST_LINE = 64 * 1024;

export interface ChildSpec {
  server: string;
  /** Absolute. */
  command: string;
  args: readonly string[];
  cwd: string;
  env: Environment;
  redact: Redact;
  log: ServerLog;
  pidFolder: string;
}

/** A server's process, leader of a process group of its own. */
export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended, in words: `exit code 1`, `SIGKILL`. */
  readonly exited: Promise<string>;
  /** Its last lines on stderr, for an error; may be empty. */
  lastWords(): string;
  /** Writes its command line down again: it may have become another program since. */
  record(): void;
  /** Closes stdin, 2 s, SIGTERM to the group, 2 s, SIGKILL. Resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/** Starts a server's process. Throws UPSTREAM_UNAVAILABLE when the system refuses. */
export async function startChild(spec: ChildSpec): Promise<Child> {
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (e: NodeJS.ErrnoException) =>
      reject(
        new CofferError(
          'UPSTREAM_UNAVAILABLE',
          `${spec.server} could not be started (${e.code ?? e.name}). Check its command and working directory.`,
        ),
      ),
    );
  });
  return watchOver(spec, child);
}

function watchOver(spec: ChildSpec, child: ChildProcess): Child {
  // 'spawn' was emitted and all three streams are pipes
  const [pid, stdin, stdout, stderr] = [
    child.pid as number,
    child.stdin as Writable,
    child.stdout as Readable,
    child.stderr as Readable,
  ];
  const spawnedAt = new Date().toISOString();
  const last = keepLines(spec, stderr);
  // A dead child makes a write fail; without a listener that ends the daemon.
  stdin.on('error', () => undefined);
  stdout.on('error', () => undefined);
  child.on('error', () => undefined);
  const record = (): void => {
    const line = commandLine(pid) ?? [spec.command, ...spec.args];
    try {
      writePid(spec.pidFolder, { server: spec.server, pid, command_line: line, spawned_at: spawnedAt });
    } catch {
      spec.log.write('[coffer] the pid file could not be written; an orphan of this server would not be found');
    }
  };
  let gone = false;
  const exited = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => {
      gone = true;
      resolve(signal ?? `exit code ${code}`);
    }),
  );
  record();

  const stop = async (): Promise<void> => {
    stdin.end();
    const closed = await within(exited, 2000);
    // What it started itself may live on in its group.
    if (!closed || !(await groupEnds(pid, 0))) await endGroup(pid);
    await within(exited, 1000);
    removePid(spec.pidFolder, spec.server, pid);
    stdout.destroy();
    stderr.destroy();
    await spec.log.flush();
  };
  let stopping: Promise<void> | undefined;
  return {
    pid,
    stdin,
    stdout,
    exited,
    record: () => {
      if (!gone) record();
    },
    lastWords: () => quote(last),
    stop: () => (stopping ??= stop()),
  };
}

/** Keeps stderr in the server's log and its last lines at hand. */
function keepLines(spec: ChildSpec, stderr: Readable): string[] {
  const last: string[] = [];
  let rest = '';
  const keep = (line: string): void => {
    const safe = spec.redact(line);
    spec.log.write(safe);
    if (safe.trim() === '') return;
    last.push(safe);
    if (last.length > LAST_LINES) last.shift();
  };
  stderr.setEncoding('utf8');
  stderr.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) keep(line.replace(/\r$/, ''));
    if (rest.length > LONGEST_LINE) {
      keep(rest);
      rest = '';
    }
  });
  stderr.on('end', () => rest !== '' && keep(rest));
  stderr.on('error', () => undefined);
  return last;
}

function quote(last: readonly string[]): string {
  const said = last.slice(-QUOTED).join(' | ').slice(-QUOTED_CHARS);
  return said === '' ? '' : `Its last words: ${said}`;
}

/** Did it come in time? */
async function within(what: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)));
  const came = await Promise.race([what.then(() => true), late]);
  clearTimeout(timer);
  return came;
}
