/** Files of a folder, read once: only what was there is served, so no path can lead anywhere else. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export interface Asset {
  body: Buffer;
  type: string;
  tag: string;
  /** Its name changes with its content, so it can be kept for ever. */
  lasting: boolean;
}

/**
 * By path from the folder, with a leading slash. An absent folder has no files. Those under `lasting` are named by their content; of
 * others it cannot be told: `page-settings.js` looks like a hash and is none.
 */
export function readAssets(dir: string, lasting?: string): Map<string, Asset> {
  const files = new Map<string, Asset>();
  if (!existsSync(dir)) return files;
  for (const e of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    const type = TYPES[path.extname(e.name)];
    if (!e.isFile() || type === undefined) continue;
    const file = path.join(e.parentPath, e.name);
    const body = readFileSync(file);
    const at = '/' + path.relative(dir, file).split(path.sep).join('/');
    files.set(at, {
      body,
      type,
      tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`,
      lasting: lasting !== undefined && at.startsWith(lasting),
    });
  }
  return files;
}

/** `headers` go with the answer, a 304 included. */
export function sendAsset(
  req: IncomingMessage,
  res: ServerResponse,
  file: Asset,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [k, v] of Object.entries(headers)) res.setHeader(k, v);
  res.setHeader('etag', file.tag);
  res.setHeader('cache-control', file.lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (req.headers['if-none-match'] === file.tag) return void res.writeHead(304).end();
  res.writeHead(200, { 'content-type': file.type, 'content-length': file.body.length });
  res.end(req.method === 'HEAD' ? undefined : file.body);
}

/** For a CSP: the inline import map of a page, the one script that cannot be a file. */
export function importMapHash(html: Buffer): string | undefined {
  const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(html.toString('utf8'))?.[1];
  return map === undefined ? undefined : `'sha256-${createHash('sha256').update(map).digest('base64')}'`;
}
