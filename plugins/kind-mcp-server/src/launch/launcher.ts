import os from 'node:os';
import path from 'node:path';
import { CofferError, type Credentials, type Paths } from '@coffer/kernel';
import type { HttpTransport, StdioTransport } from '../config.js';
import { startChild, type Child } from './child.js';
import { findCommand } from './command.js';
import { childEnvironment } from './environment.js';
import { redactor, type Redact } from './redact.js';
import { SearchPath } from './search-path.js';
import { ServerLog } from './server-log.js';

/** Everything between a stored config and a running process or a set of headers. */
export class Launcher {
  readonly searchPath: SearchPath;
  readonly #logs = new Map<string, ServerLog>();
  readonly #running = new Set<Child>();
  #stopped = false;

  constructor(
    private readonly paths: Pick<Paths, 'logs' | 'upstreamPids'>,
    private readonly credentials: Credentials,
    private readonly env: NodeJS.ProcessEnv = process.env,
  ) {
    this.searchPath = new SearchPath(env);
  }

  log(server: string): ServerLog {
    let log = this.#logs.get(server);
    if (log === undefined) this.#logs.set(server, (log = new ServerLog(this.paths.logs, server)));
    return log;
  }

  /** Takes the credentials of a server out of a text; one that cannot be read is nothing to hide. */
  redactor(refs: Readonly<Record<string, string>>): Redact {
    return redactor(
      Object.values(refs).flatMap((ref) => {
        try {
          return [this.credentials.reveal(ref)];
        } catch {
          return [];
        }
      }),
    );
  }

  /** Where a command is found, and where it was looked for. Starts no server. */
  async find(t: StdioTransport): Promise<{ file: string | undefined; searched: string }> {
    const own =
      process.platform === 'win32' ? Object.entries(t.env).find(([n]) => n.toUpperCase() === 'PATH')?.[1] : t.env.PATH;
    const searched = own ?? (await this.searchPath.get());
    const file = findCommand(t.command, {
      path: searched,
      cwd: this.#folder(t),
      home: this.#home(),
      ...(this.env.PATHEXT !== undefined && { extensions: this.env.PATHEXT }),
    });
    return { file, searched };
  }

  /** Throws CREDENTIAL_MISSING, CREDENTIAL_LOCKED or UPSTREAM_UNAVAILABLE (details: missing_runner). */
  async start(server: string, t: StdioTransport): Promise<Child> {
    const secrets = this.#reveal(t.credential_refs);
    const { file, searched } = await this.find(t);
    if (file === undefined)
      throw new CofferError(
        'UPSTREAM_UNAVAILABLE',
        `${server}: the command ${path.basename(t.command)} was not found. Searched: ${searched}`,
        {
          missing_runner: path.basename(t.command),
          searched,
        },
      );
    if (this.#stopped) throw new CofferError('UPSTREAM_UNAVAILABLE', `${server} is not started: Coffer is stopping`);
    const child = await startChild({
      server,
      command: file,
      args: t.args,
      cwd: this.#folder(t),
      env: childEnvironment(this.env, searched, { ...t.env, ...secrets }),
      redact: redactor(Object.values(secrets)),
      log: this.log(server),
      pidFolder: this.paths.upstreamPids,
    });
    this.#running.add(child);
    void child.exited.then(() => this.#running.delete(child));
    return child;
  }

  /** Ends every process, whoever started it, and starts none any more. */
  async stopAll(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#running].map((child) => child.stop()));
  }

  /** Headers of a remote server, secrets filled in. Throws CREDENTIAL_MISSING, CREDENTIAL_LOCKED, CONFIG_INVALID. */
  headers(server: string, t: HttpTransport): Record<string, string> {
    const out: Record<string, string> = { ...t.headers };
    for (const [name, value] of Object.entries(this.#reveal(t.credential_refs))) out[name] = value.trim();
    for (const [name, value] of Object.entries(out)) {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
        throw new CofferError(
          'CONFIG_INVALID',
          `${server}: the header ${name} cannot be sent, its name or value holds characters that HTTP does not allow`,
        );
    }
    return out;
  }

  #reveal(refs: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(refs).map(([key, ref]) => [key, this.credentials.reveal(ref)]));
  }

  #home(): string {
    return this.env.HOME ?? os.homedir();
  }

  #folder(t: StdioTransport): string {
    if (t.cwd === null || t.cwd === '') return this.#home();
    return t.cwd === '~' || t.cwd.startsWith('~/') ? path.join(this.#home(), t.cwd.slice(1)) : t.cwd;
  }
}
