/** The web UI's files, read once: only what was there at start is served, so no path can lead anywhere else. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CofferError } from '../errors.js';
import { SESSION_COOKIE } from './gate.js';
import type { Logins } from './logins.js';
import { readBody } from './body.js';
import { refuse } from './server.js';
import { isObj } from '../json.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

export function createUi(dir: string, logins: Logins): (req: IncomingMessage, res: ServerResponse) => void {
  const files = new Map<string, { body: Buffer; type: string; tag: string }>();
  if (existsSync(dir)) {
    for (const e of readdirSync(dir, { withFileTypes: true, recursive: true })) {
      const type = TYPES[path.extname(e.name)];
      if (!e.isFile() || type === undefined) continue;
      const file = path.join(e.parentPath, e.name);
      const body = readFileSync(file);
      files.set('/' + path.relative(dir, file).split(path.sep).join('/'), {
        body,
        type,
        tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`,
      });
    }
  }
  const index = files.get('/index.html');

  const login = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.headers.origin === undefined)
      throw new CofferError('ORIGIN_NOT_ALLOWED', 'Only the page of Coffer itself can log in.');
    const body: unknown = JSON.parse((await readBody(req, 4096)).toString('utf8'));
    const session = logins.exchange(isObj(body) && typeof body['code'] === 'string' ? body['code'] : '');
    res.writeHead(204, { 'set-cookie': `${SESSION_COOKIE}=${session}; Path=/; HttpOnly; SameSite=Strict` }).end();
  };

  return (req, res) => {
    const pathname = (req.url ?? '/').split('?', 1)[0] ?? '/';
    if (req.method === 'POST' && pathname === '/login') {
      login(req, res).catch((e: unknown) =>
        refuse(req, res, e instanceof CofferError ? e : new CofferError('BAD_REQUEST', 'The body is not JSON.')),
      );
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return refuse(req, res, new CofferError('METHOD_NOT_ALLOWED', 'This address does not take this method.'));
    // Addresses without an extension are pages of the one-page app.
    const file = files.get(pathname) ?? (path.extname(pathname) === '' ? index : undefined);
    if (file === undefined) return refuse(req, res, new CofferError('NOT_FOUND', 'There is nothing at this address.'));
    for (const [k, v] of Object.entries(HEADERS)) res.setHeader(k, v);
    res.setHeader('etag', file.tag);
    res.setHeader('cache-control', 'no-cache');
    if (req.headers['if-none-match'] === file.tag) return void res.writeHead(304).end();
    res.writeHead(200, { 'content-type': file.type, 'content-length': file.body.length });
    res.end(req.method === 'HEAD' ? undefined : file.body);
  };
}
