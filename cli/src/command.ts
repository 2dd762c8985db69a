import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { connect, type Api } from './api.js';

/** What every command has: `--json` and `--verbose`, a way to the daemon, and one way to print. */
export abstract class CofferCommand extends Command {
  json = Option.Boolean('--json', false, { description: 'Print JSON on stdout and nothing else' });
  verbose = Option.Boolean('-v,--verbose', false, { description: 'On failure also print details, trace id and stack' });

  /** The running daemon. Throws DAEMON_UNREACHABLE. */
  protected daemon(): Promise<Api> {
    return connect();
  }

  /** Prints the data for programs, or the text for people. */
  protected async print(data: Obj, text: string | (() => string | Promise<string>)): Promise<void> {
    const out = this.json ? JSON.stringify(data, null, 2) : typeof text === 'string' ? text : await text();
    if (out !== '') this.context.stdout.write(`${out}\n`);
  }
}

/** Rows under a header, or a sentence when there are none. */
export async function rows(
  head: readonly string[],
  body: readonly (readonly string[])[],
  none: string,
): Promise<string> {
  if (body.length === 0) return none;
  const { table } = await import('./table.js');
  return table(head, body);
}
