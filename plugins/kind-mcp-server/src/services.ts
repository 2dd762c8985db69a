/** What other plugins may ask of this one. */
import { isDeepStrictEqual } from 'node:util';
import { isObj, serviceToken, type Obj, type Resource } from '@coffer/kernel';
import { configOf, type ServerConfig } from './config.js';
import { convertServer, type ImportedSecret, type ImportedServer } from './convert-server.js';
import { secretOf } from './import-values.js';
import { childEnvironment } from './launch/environment.js';
import { looksSecret, namesSecret } from './secrets.js';

export type { ImportedSecret, ImportedServer };

/** The service `mcp-import`: entries of other programs' configurations as servers of Coffer. It writes nothing and reads no file. */
export interface McpImport {
  /** What an entry becomes here, its secrets named and not told; or why it cannot be taken, in words. */
  convert(name: string, entry: unknown): ImportedServer | string;
  /** The plaintext of one of those secrets; undefined when the entry only names a variable, and that is not set. */
  secret(entry: unknown, secret: ImportedSecret): string | undefined;
  /** Is a value under this name likely a secret, by its name or by its looks? */
  looksSecret(key: string, value: string): boolean;
  /** The server of the vault that runs the same program, or reaches the same address, as this config. */
  equal(config: Obj): Resource | undefined;
}
export const McpImport = serviceToken<McpImport>('mcp-import');

export function importService(servers: () => readonly Resource[]): McpImport {
  return {
    convert: (name, entry) => convertServer(name, entry, childEnvironment(process.env, process.env.PATH ?? '', {})),
    secret: (entry, secret) => secretOf(isObj(entry) ? entry : undefined, secret, process.env),
    looksSecret: (key, value) => looksSecret(value) || (value !== '' && namesSecret(key)),
    equal(config) {
      const wanted = reached(configOf({ config }));
      return servers().find((s) => isDeepStrictEqual(reached(configOf(s)), wanted));
    },
  };
}

function reached({ transport }: ServerConfig): unknown {
  return transport.type === 'http' ? transport.url : [transport.command, ...transport.args];
}
