import { Failure, usage } from './failure.js';

/** Is there a person who can answer? */
export const interactive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks yes or no; anything but yes is no. The question goes to stderr, so that stdout stays data. */
export async function yes(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const rl = createInterface({ input: process.stdin, output: process.stderr });
  // Readline swallows Ctrl-C of a terminal; it means what it means everywhere.
  rl.on('SIGINT', () => process.emit('SIGINT'));
  // Ctrl-D ends the input without an answer, and no answer is no.
  const ended = new Promise<string>((resolve) => rl.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test((await Promise.race([rl.question(`${question} [y/N] `), ended])).trim());
  } finally {
    rl.close();
  }
}

/** Before something that cannot be undone: goes on when forced or agreed to. Without a terminal it refuses unless forced. */
export async function confirm(question: string, agreed: boolean, flag = '--force'): Promise<void> {
  if (agreed) return;
  if (!interactive())
    throw new Failure(
      'NEEDS_CONFIRMATION',
      `this needs a yes, and there is no terminal to ask on. Repeat it with ${flag}.`,
    );
  if (!(await yes(question))) throw new Failure('DECLINED', 'nothing was changed.');
}

/** All of stdin as text. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const c of process.stdin) chunks.push(c as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A secret: typed without echo on a terminal, else all of stdin. One line break at the end does not count. */
export async function secret(prompt: string): Promise<string> {
  const value = interactive() ? await hidden(prompt) : (await readStdin()).replace(/\r?\n$/, '');
  if (value === '') throw usage('the value is empty. Type it at the prompt or give it on stdin.');
  return value;
}

function hidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // Echo off first: whoever sees the prompt may type at once.
  stdin.setRawMode(true);
  stderr.write(prompt);
  stdin.resume();
  let typed = '';
  return new Promise((resolve) => {
    const end = (): void => {
      stdin.setRawMode(false);
      stdin.pause();
      stdin.off('data', take);
      stderr.write('\n');
    };
    const take = (chunk: Buffer): void => {
      for (const c of chunk.toString('utf8')) {
        if (c === '\u0003') {
          end();
          process.emit('SIGINT');
          return;
        }
        if (c === '\r' || c === '\n' || c === '\u0004') {
          end();
          resolve(typed);
          return;
        }
        typed = c === '\u007f' || c === '\b' ? typed.slice(0, -1) : typed + c;
      }
    };
    stdin.on('data', take);
  });
}
