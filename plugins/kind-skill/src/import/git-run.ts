/** The machine's own git, run without a shell, without questions, hooks, submodules or redirects. */
import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CofferError, type Clock } from '@coffer/kernel';
import { withoutSecrets, type GitAddress } from './git-address.js';

export interface GitLimits {
  /** Of the whole import. */
  deadlineMs: number;
  /** Bytes of the repository on disk. */
  repository: number;
}
export const GIT_LIMITS: GitLimits = { deadlineMs: 180_000, repository: 200 * 1_048_576 };
const WATCH_MS = 250;
const KILL_MS = 2000;

export interface GitOptions {
  input?: string;
  /** Bytes of output that are read; more is refused. */
  most: number;
  /** Watched while it runs. */
  watch?: string;
}

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'credential.interactive=false',
  'protocol.ext.allow=never',
  'http.followRedirects=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'maintenance.auto=false',
  'gc.auto=0',
];

export class GitRunner {
  readonly #end: number;

  /** `address` is asked for at `pinned`, when it was looked up: git must not look it up again and find another place. */
  constructor(
    private readonly clock: Clock,
    private readonly address: GitAddress,
    private readonly pinned: string | undefined,
    private readonly limits: GitLimits,
    private readonly signal: AbortSignal,
  ) {
    this.#end = clock.now() + limits.deadlineMs;
  }

  /** Its output. Throws SKILL_SOURCE_FAILED with git's own words, less what is secret, and SKILL_SOURCE_REFUSED above a limit. */
  run(args: readonly string[], { input = '', most, watch }: GitOptions): Promise<Buffer> {
    const settings = [...SETTINGS, ...(this.pinned === undefined ? [] : [`http.curloptResolve=${this.pinned}`])];
    const child = spawn('git', [...settings.flatMap((s) => ['-c', s]), ...args], {
      env: this.#environment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that its helpers end with it.
      detached: process.platform !== 'win32',
    });
    return new Promise((resolve, reject) => {
      const out: Buffer[] = [];
      let got = 0;
      let said = '';
      let reason: CofferError | undefined;
      const kill = (why: CofferError): void => {
        if (reason !== undefined) return;
        reason = why;
        signalGroup(child.pid, 'SIGTERM');
        this.clock.setTimeout(() => child.exitCode === null && signalGroup(child.pid, 'SIGKILL'), KILL_MS);
      };
      const late = this.clock.setTimeout(
        () => kill(failed(`git did not finish within ${this.limits.deadlineMs / 1000} s`)),
        Math.max(1, this.#end - this.clock.now()),
      );
      const gone = (): void => kill(failed('the import was cancelled'));
      if (this.signal.aborted) gone();
      this.signal.addEventListener('abort', gone);
      const watcher =
        watch === undefined
          ? undefined
          : this.clock.setInterval(() => {
              void sizeOf(watch).then((n) => n > this.limits.repository && kill(this.#tooLarge()));
            }, WATCH_MS);
      child.stdout.on('data', (c: Buffer) => {
        got += c.length;
        if (got > most) kill(refused('The repository holds more than an import takes.'));
        else out.push(c);
      });
      child.stderr.on('data', (c: Buffer) => (said = (said + c.toString()).slice(-4000)));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const settle = (): void => {
        late.clear();
        watcher?.clear();
        this.signal.removeEventListener('abort', gone);
      };
      child.on('error', (e) => {
        settle();
        const { code } = e as NodeJS.ErrnoException;
        reject(failed(code === 'ENOENT' ? 'git is not installed on this machine' : `git cannot be started (${code})`));
      });
      child.on('close', (code) => {
        settle();
        if (reason !== undefined) reject(reason);
        else if (code === 0)
          // It may have been quicker than the watcher.
          void (watch === undefined ? Promise.resolve(0) : sizeOf(watch)).then((n) =>
            n > this.limits.repository ? reject(this.#tooLarge()) : resolve(Buffer.concat(out)),
          );
        else reject(failed(`git says: ${this.#words(said)}`));
      });
    });
  }

  /** What the daemon was told about git or about itself is not for this one; secrets of the address go here, not on the command line. */
  #environment(): NodeJS.ProcessEnv {
    const env = Object.fromEntries(Object.entries(process.env).filter(([k]) => !/^(GIT_|COFFER_|SSH_ASKPASS)/.test(k)));
    const { full, shown } = this.address;
    return {
      ...env,
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      GCM_INTERACTIVE: 'never',
      SSH_ASKPASS_REQUIRE: 'never',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=20',
      GIT_ALLOW_PROTOCOL: this.address.protocol,
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_NO_LAZY_FETCH: '1',
      ...(full !== shown && {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.${full}.insteadOf`,
        GIT_CONFIG_VALUE_0: shown,
      }),
    };
  }

  #tooLarge(): CofferError {
    return refused(`The repository is larger than ${Math.ceil(this.limits.repository / 1_048_576)} MB.`);
  }

  #words(said: string): string {
    const lines = withoutSecrets(said, this.address)
      .split('\n')
      .map((l) => l.trim())
      .filter((l) => l !== '');
    const telling = lines.find((l) => /^(fatal|error|remote):/.test(l)) ?? lines.at(-1) ?? 'nothing';
    return telling.slice(0, 300);
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // it ended by itself
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const e of entries)
    if (e.isFile())
      sum += await stat(path.join(e.parentPath, e.name)).then(
        (s) => s.size,
        () => 0,
      );
  return sum;
}

export function failed(why: string): CofferError {
  return new CofferError('SKILL_SOURCE_FAILED', `The repository could not be fetched: ${why}.`);
}
export function refused(why: string): CofferError {
  return new CofferError('SKILL_SOURCE_REFUSED', `${why} Nothing of it was taken.`);
}
