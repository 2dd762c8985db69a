export interface Options {
  agent?: string;
  lean: boolean;
}

/** What the command line asks for: to run, or to print something and leave at once. */
export type Command = { run: Options } | { print: string; code: 0 | 2 };

const USAGE = `Usage: coffer-mcp-shim [--agent NAME] [--lean]

A stdio MCP server that joins an MCP client to the Coffer daemon, and starts the daemon when it is not running.

  --agent NAME   name of the agent this client is; decides what it may see
  --lean         list only the built-in coffer__* tools; all others stay callable by name
  --version      print the version and leave
  --help         print this and leave

Environment: COFFER_HOME (default ~/.coffer), COFFER_NO_SPAWN=1 (never start a daemon),
COFFER_LOG_LEVEL=debug (write diagnostics to logs/shim.log).
`;

/** Reads the arguments after the script's name. A mistake is answered with the usage and exit code 2. */
export function parseArgs(args: readonly string[], version: string): Command {
  const options: Options = { lean: false };
  const wrong = (what: string): Command => ({ print: `coffer-mcp-shim: ${what}\n\n${USAGE}`, code: 2 });
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--help' || arg === '-h') return { print: USAGE, code: 0 };
    if (arg === '--version') return { print: `${version}\n`, code: 0 };
    if (arg === '--lean') options.lean = true;
    else if (arg === '--agent' || arg.startsWith('--agent=')) {
      const name = arg === '--agent' ? args[++i] : arg.slice('--agent='.length);
      if (!name || name.startsWith('--')) return wrong('--agent needs a name');
      options.agent = name;
    } else return wrong('unknown argument; it takes --agent NAME and --lean');
  }
  return { run: options };
}
