import type { Exchange } from '@coffer/kernel';
import type { Connection } from './connection.js';

/** Reads a server's whole list of tools, for what the connection notes of it. False: the server does not tell. */
export async function learnTools(connection: Pick<Connection, 'ask'>, x: Exchange): Promise<boolean> {
  const seen = new Set<unknown>();
  let cursor: unknown;
  do {
    const page = await connection.ask('tools/list', cursor === undefined ? {} : { cursor }, x);
    if (!('result' in page) || seen.has(cursor)) return false;
    seen.add(cursor);
    cursor = page.result.nextCursor;
  } while (typeof cursor === 'string');
  return true;
}
