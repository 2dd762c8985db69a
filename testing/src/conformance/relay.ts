import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RelayOptions {
  readonly url: string;
  /** Added to each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the gateway puts in front of tool and prompt names. */
  readonly namePrefix?: string;
  /** How the gateway writes a server's URI, up to and including what stands in front of the URI itself. */
  readonly uriPrefix?: string;
  /** The URI is percent-encoded behind its prefix. */
  readonly uriEncoded?: boolean;
}

export interface Relay {
  readonly url: string;
  stop(): Promise<void>;
}

// the parts of a message the relay rewrites
interface Message {
  method?: string;
  params?: {
    name?: string;
    uri?: string;
    ref?: { name?: string; uri?: string };
    notifications?: { resourceSubscriptions?: string[] };
  };
}

/**
 * Lets the conformance suite, which knows bare names and sends no token, test a gateway that prefixes names and wants one. Puts the
 * prefix on what goes in and takes it off what comes out. Status, other headers, streams and sessions stay the gateway's own.
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const target = new URL(options.url);
  let ownHost = '';
  const server = http.createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (chunk: Buffer) => parts.push(chunk));
    req.on('end', () => forward(req, res, Buffer.concat(parts).toString('utf8')));
  });

  function forward(req: IncomingMessage, res: ServerResponse, body: string): void {
    const sent = body && inbound(body, options);
    const headers: http.OutgoingHttpHeaders = { ...req.headers, ...options.headers };
    // a foreign Host must reach the gateway as it is: that it is refused is one of the checks
    if (headers.host === ownHost) headers.host = target.host;
    if (headers.origin === `http://${ownHost}`) headers.origin = target.origin;
    delete headers['transfer-encoding'];
    if (typeof headers['mcp-name'] === 'string') headers['mcp-name'] = nameHeader(headers, options);
    if (sent) headers['content-length'] = Buffer.byteLength(sent);
    const out = http.request(target, { method: req.method, headers }, (answer) => back(answer, res, options));
    out.on('error', () => {
      if (!res.headersSent) res.writeHead(502);
      res.end();
    });
    res.on('close', () => out.destroy());
    out.end(sent || undefined);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // listen() on a TCP port gives an AddressInfo
  ownHost = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${ownHost}${target.pathname}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The newer era repeats the name in a header, which must agree with the body. */
function nameHeader(headers: http.OutgoingHttpHeaders, { namePrefix = '', uriPrefix = '' }: RelayOptions): string {
  const given = String(headers['mcp-name']);
  const base64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(given)?.[1];
  const method = String(headers['mcp-method']);
  // the id of a task is the gateway's own already
  const prefix = method === 'resources/read' ? uriPrefix : method.startsWith('tasks/') ? '' : namePrefix;
  // what is no base64 form, or a damaged one, stays as it is: that it is refused is one of the checks
  if (base64 === undefined) return given.startsWith('=?base64?') ? given : prefix + given;
  return `=?base64?${Buffer.from(prefix + Buffer.from(base64, 'base64').toString('utf8')).toString('base64')}?=`;
}

function back(answer: IncomingMessage, res: ServerResponse, options: RelayOptions): void {
  const stream = answer.headers['content-type']?.startsWith('text/event-stream');
  const headers = { ...answer.headers };
  delete headers['content-length'];
  res.writeHead(answer.statusCode ?? 502, headers);
  res.flushHeaders();
  let held = '';
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    held += chunk;
    const end = stream ? held.lastIndexOf('\n\n') : -1;
    if (end < 0) return;
    res.write(outbound(held.slice(0, end + 2), options));
    held = held.slice(end + 2);
  });
  answer.on('end', () => res.end(outbound(held, options)));
  answer.on('error', () => res.destroy());
}

/** Puts the prefixes on. What is not JSON passes as it is: that too is for the gateway to judge. */
export function inbound(body: string, { namePrefix = '', uriPrefix = '', uriEncoded }: RelayOptions): string {
  const uri = (u: string): string => uriPrefix + (uriPrefix && uriEncoded ? encodeURIComponent(u) : u);
  let message: Message;
  try {
    message = JSON.parse(body);
  } catch {
    return body;
  }
  const { method, params } = message;
  if (!params) return body;
  if ((method === 'tools/call' || method === 'prompts/get') && params.name) params.name = namePrefix + params.name;
  if (method?.startsWith('resources/') && params.uri) params.uri = uri(params.uri);
  const watched = params.notifications?.resourceSubscriptions;
  if (watched) watched.forEach((u, i) => (watched[i] = uri(u)));
  if (method === 'completion/complete' && params.ref?.name) params.ref.name = namePrefix + params.ref.name;
  if (method === 'completion/complete' && params.ref?.uri) params.ref.uri = uri(params.ref.uri);
  return JSON.stringify(message);
}

/** Takes the prefixes off, in text, so that everything else stays byte for byte. */
export function outbound(text: string, { namePrefix, uriPrefix, uriEncoded }: RelayOptions): string {
  const escape = (s: string): string => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  let out = text;
  if (namePrefix) out = out.replace(new RegExp(`"name":"${escape(namePrefix)}`, 'g'), '"name":"');
  if (uriPrefix) {
    const found = new RegExp(`"(uri|uriTemplate)":"${escape(uriPrefix)}([^"]*)"`, 'g');
    out = out.replace(
      found,
      (_, key: string, value: string) => `"${key}":"${uriEncoded ? decodeURIComponent(value) : value}"`,
    );
  }
  return out;
}
