import { Cli, type Command } from 'clipanion';
import { describe, usage } from './failure.js';
import { loadGroup } from './groups.js';
import { version } from './product.js';
import { red } from './text.js';

/** Runs one command line and ends the process with its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // `coffer … | head` closes the pipe: what was wanted was printed.
  process.stdout.on('error', (e: NodeJS.ErrnoException) => process.exit(e.code === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => process.exit(1));
  process.on('SIGINT', () => {
    if (process.stderr.isTTY) process.stderr.write('\n');
    process.exit(130);
  });
  process.on('SIGTERM', () => process.exit(143));
  let code: number;
  try {
    code = await run(leadingFlagsLast(argv));
  } catch (e) {
    const { line, exit, extra } = describe(e);
    const verbose = argv.includes('--verbose') || argv.includes('-v');
    const at = line.indexOf(':');
    process.stderr.write(`${red(line.slice(0, at), process.stderr)}${line.slice(at)}\n${verbose ? `${extra.join('\n')}\n` : ''}`);
    code = exit;
  }
  // Not process.exit at once: a pipe may still hold output. Not waiting either: kept-alive sockets do not matter any more.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

async function run(argv: readonly string[]): Promise<number> {
  const [group = '--help', ...rest] = argv;
  if (group === '--version' || group === '-V') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (group === '--help' || group === '-h' || group === 'help') {
    const { overview } = await import('./help.js');
    process.stdout.write(overview());
    return 0;
  }
  const classes = await loadGroup(group);
  if (classes === undefined) throw usage(`there is no command ${JSON.stringify(group.slice(0, 40))}. coffer --help lists what there is.`);
  const isCommand = classes.some((c) => c.paths?.some((p) => p.length === 1));
  if (!isCommand && (rest.length === 0 || ['--help', '-h'].includes(rest[0] ?? ''))) {
    const { groupPage } = await import('./help.js');
    process.stdout.write(groupPage(group, classes));
    return 0;
  }
  const cli = Cli.from([...classes], { binaryName: 'coffer' });
  let command: Command;
  try {
    command = cli.process([...argv], Cli.defaultContext);
  } catch (e) {
    throw usage(`${e instanceof Error ? e.message.replace(/\s*\n\s*/g, ' ').trim() : String(e)} See: coffer ${group} --help`);
  }
  // Clipanion's own help commands print through it; all else runs here, so that errors go to stderr.
  if (command.help || command.constructor.name === 'HelpCommand') return cli.run(command, Cli.defaultContext);
  return command.validateAndExecute();
}

/** `coffer --json resource list` means the same as `coffer resource list --json`. */
function leadingFlagsLast(argv: readonly string[]): string[] {
  const at = argv.findIndex((a) => !['--json', '--verbose', '-v'].includes(a));
  if (at <= 0) return [...argv];
  const rest = argv.slice(at);
  const words = rest.indexOf('--');
  const flags = argv.slice(0, at);
  return words < 0 ? [...rest, ...flags] : [...rest.slice(0, words), ...flags, ...rest.slice(words)];
}
