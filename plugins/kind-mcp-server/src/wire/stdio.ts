import type { Child } from '../launch/child.js';
import { oneLine, withoutReturn } from './bytes.js';
import type { Receiver, Transport } from './connection.js';
import { lineSplitter } from './lines.js';
import { text } from './message.js';

/** What comes after the end of a process may still be in the pipe; longer than this nobody waits for it. */
const DRAIN_MS = 250;
/** How a message starts that follows a line of noise without a line break. */
const STARTS = ['{"jsonrpc"', '{"result"', '{"method"', '{"id"'];

/** One server process, a JSON text a line. `noise` hears of lines that are none. */
export class Stdio implements Transport {
  readonly ties = false;
  #child: Child | undefined;

  constructor(
    private readonly server: string,
    private readonly launch: () => Promise<Child>,
    private readonly maxMessageBytes: number,
    private readonly noise: (line: string) => void,
  ) {}

  async open(receiver: Receiver): Promise<void> {
    const child = await this.launch();
    this.#child = child;
    const end = (why: string): void => {
      receiver.down(why);
      void child.stop();
    };
    const line = lineSplitter(
      this.maxMessageBytes,
      (chunks) => this.#line(chunks, receiver),
      () =>
        end(
          `${this.server} sent a message over ${this.maxMessageBytes / 2 ** 20} MiB (max_message_mib); it is started again by the next call`,
        ),
    );
    child.stdout.on('data', line);
    const drained = new Promise<void>((resolve) => child.stdout.once('end', resolve));
    child.stdin.on(
      'error',
      () => void later(drained).then(() => end(`${this.server} closed its input. ${child.lastWords()}`.trim())),
    );
    void child.exited.then(async (how) => {
      await Promise.race([drained, later()]);
      end(`${this.server} ended (${how}). ${child.lastWords()}`.trim());
    });
    void drained.then(() =>
      later(child.exited).then(() => end(`${this.server} closed its output. ${child.lastWords()}`.trim())),
    );
  }

  send(message: string): void {
    this.#child?.stdin.write(message + '\n');
  }

  agreed(): void {
    // By now the program has become what it is: launchers replace themselves or change their title.
    this.#child?.record();
  }

  drop(): void {}
  forget(): void {}

  async close(): Promise<void> {
    await this.#child?.stop();
  }

  #line(chunks: Buffer[], receiver: Receiver): void {
    const whole = oneLine(withoutReturn(chunks)) as Buffer[];
    if (whole.length === 0 || receiver.message(whole)) return;
    const said = text(whole);
    if (said.trim() === '') return;
    const at = STARTS.map((s) => said.indexOf(s)).filter((i) => i > 0);
    const from = at.length > 0 ? Math.min(...at) : -1;
    const found = from > 0 && receiver.message([Buffer.from(said.slice(from))]);
    this.noise(found ? said.slice(0, from) : said);
  }
}

/** Resolves a moment after `first`, or after it has not come in time. */
function later(first?: Promise<unknown>): Promise<void> {
  const wait = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
  return first === undefined ? wait : Promise.race([first.then(() => undefined), wait]);
}
