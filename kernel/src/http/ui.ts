/** The web UI: its own files, the modules that plugins add to it, and the login of a browser. */
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CofferError } from '../errors.js';
import { importMapHash, readAssets, sendAsset, type Asset } from './assets.js';
import { SESSION_COOKIE } from './gate.js';
import type { Logins } from './logins.js';
import { readBody } from './body.js';
import { refuse } from './server.js';
import { isObj } from '../json.js';

/** Folder with the UI module of a plugin that runs. */
export type UiFolder = (plugin: string) => string | undefined;

/** `folder` stays the same object's value while a plugin is installed: an installation anew lies in another folder. */
export function createUi(
  dir: string,
  logins: Logins,
  folder: UiFolder,
): (req: IncomingMessage, res: ServerResponse) => void {
  // The build names everything in there by a hash of what it holds.
  const files = readAssets(dir, '/assets/');
  const index = files.get('/index.html');
  const scripts = index === undefined ? undefined : importMapHash(index.body);
  const headers = {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${scripts === undefined ? '' : ` ${scripts}`}`,
      "style-src 'self'",
      "img-src 'self' data:",
      'media-src data:',
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };

  const modules = new Map<string, Map<string, Asset>>();
  const ofPlugin = (pathname: string): Asset | undefined => {
    const [, name = '', file = ''] = /^\/plugins\/([^/]+)\/ui(\/.+)$/.exec(pathname) ?? [];
    const at = name === '' ? undefined : folder(name);
    if (at === undefined) return undefined;
    if (!modules.has(at)) modules.set(at, readAssets(at));
    return modules.get(at)?.get(file);
  };

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
    // Addresses without an extension are pages of the one-page app; a resource's name may hold a dot.
    const page = path.extname(pathname) === '' || req.headers['sec-fetch-dest'] === 'document';
    const file = files.get(pathname) ?? ofPlugin(pathname) ?? (page ? index : undefined);
    if (file === undefined) return refuse(req, res, new CofferError('NOT_FOUND', 'There is nothing at this address.'));
    sendAsset(req, res, file, headers);
  };
}
