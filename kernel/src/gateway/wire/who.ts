/** Who speaks: from the headers of a shim or a configured client, or from what the message says. */
import type { IncomingMessage } from 'node:http';
import { isObj, type Obj } from '../../json.js';
import type { Peer } from '../seam.js';

/** A client without what the handshake or each request says of it. */
export type Speaker = Omit<Peer, 'info' | 'protocolVersion'>;

const NAMED = 'c:';
/** Key of a client that its shim, or its own header, gave a name. */
export const keyOfClient = (client: string): string => NAMED + client;
export const clientOfKey = (key: string): string | undefined =>
  key.startsWith(NAMED) ? key.slice(NAMED.length) : undefined;

/** The name a client gives itself, up to 128 characters; a shim mints one per process. */
export function clientOf(req: IncomingMessage): string | undefined {
  return text(req.headers['x-coffer-client'], 128);
}

/** What the message says wins over the headers. */
export function optionsOf(params: Obj, req: IncomingMessage): Omit<Speaker, 'key'> {
  const meta = isObj(params['_meta']) ? params['_meta'] : {};
  const agent = agentOf(params, req);
  const cwd = text(meta['coffer/cwd'], 4096) ?? decoded(req.headers['x-coffer-cwd']);
  const profile = text(meta['coffer/profile'], 128);
  const lean = meta['coffer/lean'] === true || req.headers['x-coffer-lean'] === '1';
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(profile === undefined ? {} : { profile }),
    ...(lean ? { lean } : {}),
  };
}

/** A client without a session is who its shim says it is; else all requests of one agent are one client. */
export function keyOf(params: Obj, req: IncomingMessage): string {
  const client = clientOf(req);
  return client === undefined ? `a:${agentOf(params, req) ?? ''}` : keyOfClient(client);
}

function agentOf(params: Obj, req: IncomingMessage): string | undefined {
  const meta: unknown = params['_meta'];
  return (isObj(meta) ? text(meta['coffer/agent'], 128) : undefined) ?? decoded(req.headers['x-coffer-agent']);
}

function text(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
}

function decoded(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  try {
    return text(decodeURIComponent(header), 4096);
  } catch {
    return undefined;
  }
}
