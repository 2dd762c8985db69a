import path from 'node:path';
import type { Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';
import { shellWords } from './words.js';

/** What `mcp add` and `mcp update` take to say how a server is reached. */
export interface TransportFlags {
  stdio: string | undefined;
  command: readonly string[];
  http: string | undefined;
  env: readonly string[] | undefined;
  header: readonly string[] | undefined;
  credential: readonly string[] | undefined;
  cwd: string | undefined;
}

/** The transport that the flags describe; `before` is that of an existing server, whose values stay where no flag speaks. */
export function transportOf({ usage, input }: Toolkit, flags: TransportFlags, before?: Obj): Obj {
  const ways = [flags.stdio !== undefined, flags.command.length > 0, flags.http !== undefined].filter(Boolean).length;
  if (ways > 1 || (ways === 0 && before === undefined))
    throw usage('give exactly one of --stdio "command args", -- command args, or --http URL.');
  const line = flags.stdio === undefined ? flags.command : shellWords(flags.stdio);
  if (line === undefined) throw usage('--stdio has a quote that is not closed.');
  if (flags.stdio !== undefined && line.length === 0) throw usage('--stdio needs a command.');
  if (flags.http !== undefined && !/^https?:\/\//i.test(flags.http))
    throw usage('--http takes an address that starts with http:// or https://.');
  const [command, ...args] = line;
  const anew: Obj | undefined =
    flags.http !== undefined
      ? { type: 'http', url: flags.http }
      : command !== undefined
        ? { type: 'stdio', command, args }
        : undefined;
  // A server that moves to the other transport starts afresh: its variables are no headers.
  const transport: Obj = { ...(anew === undefined || anew.type === before?.type ? before : {}), ...anew };
  const isHttp = transport.type === 'http';
  if (isHttp && (flags.env !== undefined || flags.cwd !== undefined))
    throw usage('--env and --cwd are for local programs; a server at a URL takes --header.');
  if (!isHttp && flags.header !== undefined)
    throw usage('--header is for servers at a URL; a local program takes --env.');
  const merge = (key: string, values: readonly string[] | undefined, flag: string): void => {
    if (values !== undefined) transport[key] = { ...(transport[key] as Obj | undefined), ...input.pairs(values, flag) };
  };
  merge('env', flags.env, '--env');
  merge('headers', flags.header, '--header');
  merge('credential_refs', flags.credential, '--credential');
  // What is named from where you are would be looked for where the daemon is.
  if (flags.cwd !== undefined) transport.cwd = path.resolve(flags.cwd);
  else if (line.some((word) => /^\.{1,2}\//.test(word))) transport.cwd = process.cwd();
  return transport;
}
