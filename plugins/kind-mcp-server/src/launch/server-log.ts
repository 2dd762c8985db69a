import { appendFile, mkdir, rename, stat, readFile } from 'node:fs/promises';
import path from 'node:path';

const CAP_BYTES = 5 * 2 ** 20;
/** A server that writes faster than the disk takes it loses lines, not the daemon its memory. */
const QUEUE_BYTES = 2 ** 20;

/** `logs/upstream-<server>.log` and one older file. Several processes of a server write through one of these. */
export class ServerLog {
  readonly file: string;
  #queue = '';
  #writing: Promise<void> | undefined;
  #size: number | undefined;
  #lost = 0;

  constructor(folder: string, server: string) {
    this.file = path.join(folder, `upstream-${server}.log`);
  }

  write(line: string): void {
    if (this.#queue.length > QUEUE_BYTES) this.#lost++;
    else this.#queue += line + '\n';
    this.#writing ??= this.#drain();
  }

  /** Resolves when all that was written so far is in the file. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** The last lines, oldest first. */
  async tail(lines: number): Promise<string[]> {
    await this.flush();
    const texts = await Promise.all([`${this.file}.1`, this.file].map((f) => readFile(f, 'utf8').catch(() => '')));
    return texts.join('').split('\n').slice(0, -1).slice(-lines);
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue !== '') {
        if (this.#lost > 0) this.#queue += `[${this.#lost} lines lost: they came faster than they could be written]\n`;
        this.#lost = 0;
        const text = this.#queue;
        this.#queue = '';
        await this.#append(text);
      }
    } catch {
      // A full or read-only disk must not stop a server from being used.
      this.#queue = '';
    } finally {
      this.#writing = undefined;
    }
  }

  async #append(text: string): Promise<void> {
    if (this.#size === undefined) {
      await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
      this.#size = await stat(this.file).then(
        (s) => s.size,
        () => 0,
      );
    }
    const bytes = Buffer.byteLength(text);
    if (this.#size > 0 && this.#size + bytes > CAP_BYTES) {
      await rename(this.file, `${this.file}.1`);
      this.#size = 0;
    }
    await appendFile(this.file, text, { mode: 0o600 });
    this.#size += bytes;
  }
}
