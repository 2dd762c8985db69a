import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importMapHash } from '../../src/http/assets.js';
import { fill, serve, type StaticSite } from '../support/site.js';
import { send, type Answer } from '../support/wire.js';

const MAP = '{"imports":{"lit":"/assets/lit-abcdefgh.js"}}';
const INDEX = `<!doctype html><head><script type="importmap">${MAP}</script></head><body>the page</body>`;
const SCRIPT = 'export const x = "Ä";';
const SECRET = 'not for the web';

describe('the files of the web UI', () => {
  let root: string;
  let site: StaticSite;
  before(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'coffer-assets-'));
    fill(root, {
      'secret.js': SECRET,
      'ui/index.html': INDEX,
      'ui/theme.js': '1;',
      'ui/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'ui/assets/lit-abcdefgh.js': SCRIPT,
      'ui/assets/main-ABC_-123.css': 'a{}',
      'ui/assets/face-12345678.woff2': Buffer.from([0, 1, 254, 255]),
      'ui/notes.txt': SECRET,
      'ui/.env': SECRET,
      'good/index.js': 'good;',
      'good/page-settings.js': 'part;',
    });
    symlinkSync(path.join(root, 'secret.js'), path.join(root, 'ui/linked.js'));
    site = await serve(path.join(root, 'ui'), (name) => (name === 'good' ? path.join(root, 'good') : undefined));
  });
  after(async () => {
    await site?.close();
    rmSync(root, { recursive: true, force: true });
  });
  const get = (at: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    send(site, at, { token: false, headers, method });
  const notFound = (a: Answer): unknown => [a.status, a.json().error.code];

  it('have their type and length, as bytes', async () => {
    for (const [at, type, length] of [
      ['/', 'text/html; charset=utf-8', INDEX.length],
      ['/theme.js', 'text/javascript; charset=utf-8', 2],
      ['/favicon.svg', 'image/svg+xml', 41],
      ['/assets/lit-abcdefgh.js', 'text/javascript; charset=utf-8', Buffer.byteLength(SCRIPT)],
      ['/assets/main-ABC_-123.css', 'text/css; charset=utf-8', 3],
      ['/assets/face-12345678.woff2', 'font/woff2', 4],
    ] as const) {
      const { status, headers } = await get(at);
      expect([status, headers['content-type'], headers['content-length']], at).to.deep.equal([
        200,
        type,
        String(length),
      ]);
      expect(headers['content-encoding'], at).to.equal(undefined);
      expect(headers['x-content-type-options'], at).to.equal('nosniff');
    }
    // whatever the client could take: on the loopback packing costs more than it saves
    const { text, headers } = await get('/assets/lit-abcdefgh.js', { 'accept-encoding': 'gzip, br' });
    expect([text, headers['content-encoding']]).to.deep.equal([SCRIPT, undefined]);
  });

  it('are kept for ever when the build named them by their hash, else asked for each time', async () => {
    for (const at of ['/assets/lit-abcdefgh.js', '/assets/main-ABC_-123.css'])
      expect((await get(at)).headers['cache-control'], at).to.equal('public, max-age=31536000, immutable');
    // "settings" has as many letters as a hash; a plugin's next version must not meet it in a browser's memory
    const plugin = ['/plugins/good/ui/index.js?v=1.0.0', '/plugins/good/ui/page-settings.js'];
    for (const at of ['/', '/index.html', '/mcp-servers/x', '/theme.js', ...plugin])
      expect((await get(at)).headers['cache-control'], at).to.equal('no-cache');
  });

  it('are not sent again to whom has them, and the policy goes with that answer too', async () => {
    for (const at of ['/', '/theme.js', '/assets/lit-abcdefgh.js', '/plugins/good/ui/index.js']) {
      const first = await get(at);
      const tag = String(first.headers.etag);
      expect(tag, at).to.match(/^"[\w-]{20}"$/);
      const again = await get(at, { 'if-none-match': tag });
      expect([again.status, again.text, again.headers.etag], at).to.deep.equal([304, '', tag]);
      expect(again.headers['content-security-policy'], at).to.equal(first.headers['content-security-policy']);
      expect((await get(at, { 'if-none-match': '"another"' })).status, at).to.equal(200);
    }
  });

  it('can be asked for without the body', async () => {
    const { status, text, headers } = await get('/theme.js', {}, 'HEAD');
    expect([status, text, headers['content-length']]).to.deep.equal([200, '', '2']);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await get('/theme.js', {}, method)).status, method).to.equal(405);
  });

  it('an address of the page answers the page, an absent file is not found', async () => {
    for (const at of ['/mcp-servers', '/r/mcp_server/any', '/settings/about?x=1.js'])
      expect((await get(at)).text, at).to.equal(INDEX);
    // a resource's name may hold a dot: only who looks at the page itself gets it
    expect((await get('/mcp-servers/a.b', { 'sec-fetch-dest': 'document' })).text).to.equal(INDEX);
    for (const at of [
      '/assets/gone-abcdefgh.js',
      '/assets/main.css',
      '/nothing.svg',
      '/plugins/good/ui/gone.js',
      '/plugins/other/ui/index.js',
      '/plugins//ui/index.js',
      '/robots.txt',
    ])
      expect(notFound(await get(at)), at).to.deep.equal([404, 'NOT_FOUND']);
    expect((await get('/assets/gone-abcdefgh.js')).headers['cache-control']).to.equal(undefined);
  });

  it('no path leads out of their folder, nor to what is no file of a page', async () => {
    const ways = ['..', '%2e%2e', '.%2e', '%2E%2E', '..%2f', '..\\', '....//', '%252e%252e', '%c0%ae%c0%ae'];
    const paths = ways.flatMap((w) => [
      `/${w}/secret.js`,
      `/assets/${w}/${w}/secret.js`,
      `/plugins/good/ui/${w}/secret.js`,
      `/plugins/${w}/ui/secret.js`,
      `/plugins/good/ui/${w}/good/index.js`,
    ]);
    for (const at of [...paths, '//secret.js', '/notes.txt', '/.env', '/linked.js', '/%00.js', '/%', '/theme.js%00']) {
      for (const dest of ['empty', 'document']) {
        const { text } = await get(at, { 'sec-fetch-dest': dest });
        expect(text, at).not.to.include(SECRET);
        expect(text, at).not.to.equal('good;');
      }
    }
  });

  it('the policy names the one inline script by its hash, and nothing else that is inline', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);
    const hash = `'sha256-${createHash('sha256').update(MAP).digest('base64')}'`;
    expect(policy.split('; ')).to.include.members([
      "default-src 'none'",
      `script-src 'self' ${hash}`,
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(policy).not.to.match(/unsafe|https?:|\*/);
    expect(importMapHash(Buffer.from(INDEX))).to.equal(hash);
    expect(importMapHash(Buffer.from('<script>1</script>'))).to.equal(undefined);
    // one letter more is another script
    expect(importMapHash(Buffer.from(INDEX.replace('"lit"', '"lit" ')))).not.to.equal(hash);
  });

  it('a daemon without a built page says that there is nothing', async () => {
    const bare = await serve(path.join(root, 'absent'));
    try {
      const answer = await send(bare, '/', { token: false });
      expect(notFound(answer)).to.deep.equal([404, 'NOT_FOUND']);
    } finally {
      await bare.close();
    }
  });
});
