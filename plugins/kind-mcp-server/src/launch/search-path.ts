import { execFile } from 'node:child_process';
import os from 'node:os';
import { findCommand, isPoor, mergePaths } from './command.js';

/** A login shell that asks something or hangs must not hold a server up for long. */
const SHELL_MS = 4000;
const MARK = '__coffer_path__';

/** The PATH that servers are looked for on: the daemon's, and the login shell's too when the daemon's is a poor one. */
export class SearchPath {
  #login: Promise<string | undefined> | undefined;
  /** The merged PATH, once known. */
  #known: string | undefined;

  constructor(private readonly env: NodeJS.ProcessEnv = process.env) {}

  async get(): Promise<string> {
    if (this.#known !== undefined) return this.#known;
    const own = this.#own();
    if (
      process.platform === 'win32' ||
      !isPoor(own, (c) => findCommand(c, { path: own, cwd: '/', home: '/' }) !== undefined)
    )
      return (this.#known = own);
    this.#login ??= this.#ask();
    const login = await this.#login;
    return (this.#known = login === undefined ? own : mergePaths(own, login));
  }

  /** After something was installed the shell is asked anew. */
  forget(): void {
    this.#known = undefined;
    this.#login = undefined;
  }

  #own(): string {
    const name = process.platform === 'win32' ? Object.keys(this.env).find((n) => n.toUpperCase() === 'PATH') : 'PATH';
    return this.env[name ?? 'PATH'] ?? '';
  }

  #ask(): Promise<string | undefined> {
    const shell = this.env.SHELL ?? os.userInfo().shell ?? '/bin/sh';
    return new Promise((resolve) => {
      const child = execFile(
        shell,
        ['-lc', `printf '${MARK}%s${MARK}' "$PATH"`],
        { env: withoutCoffer(this.env), timeout: SHELL_MS, killSignal: 'SIGKILL', maxBuffer: 1 << 20 },
        (error, stdout) => resolve(error === null ? stdout.split(MARK)[1] : undefined),
      );
      child.stdin?.end();
    });
  }
}

/** The shell is the owner's own program, but Coffer's variables are none of its business. */
function withoutCoffer(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COFFER_')));
}
