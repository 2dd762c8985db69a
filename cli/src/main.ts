import { Cli, type Command } from 'clipanion';
import { describe, usage } from './failure.js';
import { loadGroup } from './groups.js';
import { version } from './product.js';
import { red } from './text.js';
import type { Commands } from './toolkit.js';

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
    process.stderr.write(
      `${red(line.slice(0, at), process.stderr)}${line.slice(at)}\n${verbose ? `${extra.join('\n')}\n` : ''}`,
    );
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
  if (group === 'completion' && rest[0] === 'words') {
    const { wordsAfter } = await import('./words.js');
    const next = await wordsAfter(rest.slice(rest[1] === '--' ? 2 : 1));
    process.stdout.write(next.map((w) => `${w}\n`).join(''));
    return 0;
  }
  const classes = await loadGroup(group);
  if (classes === undefined)
    throw usage(`there is no command ${JSON.stringify(group.slice(0, 40))}. coffer --help lists what there is.`);
  const words = typedWords(argv);
  const asksHelp = beforeDashes(rest).some((a) => a === '--help' || a === '-h');
  const leadsOn =
    words.length === argv.length && !classes.some((c) => c.paths?.some((p) => p.length === 1 && p[0] === group));
  if (asksHelp || (rest.length === 0 && leadsOn)) {
    const { helpPage } = await import('./help.js');
    process.stdout.write(helpPage(words, classes));
    return 0;
  }
  const cli = Cli.from([...classes], { binaryName: 'coffer' });
  let command: Command;
  try {
    command = cli.process([...argv], Cli.defaultContext);
  } catch (e) {
    throw usage(`${complaint(e)} See: coffer ${known(classes, words).join(' ')} --help`);
  }
  // Not cli.run: it prints errors on stdout.
  return command.validateAndExecute();
}

/** What is wrong, without Clipanion's list of everything that would be right. */
function complaint(e: unknown): string {
  const [first = ''] = (e instanceof Error ? e.message : String(e)).trim().split('\n');
  return /^(Command not found|While running)/.test(first) ? 'there is no such command.' : first.replace(/:$/, '.');
}

/** The typed words that lead towards a command. */
function known(classes: Commands, typed: readonly string[]): string[] {
  const agree = (path: readonly string[]): number => path.findIndex((w, i) => w !== typed[i]);
  const lengths = classes.flatMap((c) => (c.paths ?? []).map((p) => (agree(p) < 0 ? p.length : agree(p))));
  return typed.slice(0, Math.max(1, ...lengths));
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--');
  return at < 0 ? argv : argv.slice(0, at);
}
const typedWords = (argv: readonly string[]): string[] => beforeDashes(argv).filter((a) => !a.startsWith('-'));

/** `coffer --json resource list` means the same as `coffer resource list --json`. */
function leadingFlagsLast(argv: readonly string[]): string[] {
  const at = argv.findIndex((a) => !['--json', '--verbose', '-v'].includes(a));
  if (at <= 0) return [...argv];
  const rest = argv.slice(at);
  const words = rest.indexOf('--');
  const flags = argv.slice(0, at);
  return words < 0 ? [...rest, ...flags] : [...rest.slice(0, words), ...flags, ...rest.slice(words)];
}
