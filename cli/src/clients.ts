/** What to paste into an agent so that it reaches Coffer. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { home } from './home.js';
import { shimScript } from './product.js';

/** Is `coffer-mcp-shim` a command of the user's shell? What npm puts on the PATH for its own scripts does not count. */
export function shimOnPath(env = process.env): string | undefined {
  const names = process.platform === 'win32' ? ['coffer-mcp-shim.cmd', 'coffer-mcp-shim.exe'] : ['coffer-mcp-shim'];
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => dir !== '' && !/[\\/]node_modules[\\/]\.bin$/.test(dir) && !/node-gyp-bin$/.test(dir))
    .flatMap((dir) => names.map((n) => join(dir, n)))
    .find((file) => existsSync(file));
}

export interface Pasteable {
  claude_code: string;
  codex: string;
  codex_toml: string;
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export function pasteable(): Pasteable {
  const command = shimOnPath() === undefined ? [process.execPath, shimScript()] : ['coffer-mcp-shim'];
  // What this shell was told about the daemon, the client's own environment does not say.
  const env: [string, string][] = [];
  if (process.env.COFFER_HOME) env.push(['COFFER_HOME', home()]);
  if (process.env.COFFER_PORT) env.push(['COFFER_PORT', process.env.COFFER_PORT]);
  const line = (program: string, flag: string, agent: string): string =>
    [
      program,
      'mcp',
      'add',
      'coffer',
      ...env.flatMap(([name, value]) => [flag, `${name}=${value}`]),
      '--',
      ...command,
      '--agent',
      agent,
    ]
      .map(quoted)
      .join(' ');
  const [program = '', ...script] = command;
  const toml = [
    '[mcp_servers.coffer]',
    `command = ${JSON.stringify(program)}`,
    `args = ${JSON.stringify([...script, '--agent', 'codex'])}`,
  ];
  if (env.length > 0)
    toml.push(`env = { ${env.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')} }`);
  return {
    claude_code: line('claude', '-e', 'claude-code'),
    codex: line('codex', '--env', 'codex'),
    codex_toml: toml.join('\n'),
  };
}
