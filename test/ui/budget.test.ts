import { expect } from 'chai';
import type { Browser, Response } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';
import { listen, packed, pathOf } from './loads.js';
import { report } from './report.js';

/** Addresses, with the heading that tells that the page is there and what comes last in it. Each must be a chunk of its own. */
const PAGES: readonly [to: string, heading: string, last?: string][] = [
  ['/activity', 'Activity', 'canvas'],
  ['/scope', 'Machines and scope'],
  ['/credentials', 'Credentials'],
  ['/plugins', 'Plugins'],
  ['/settings', 'Settings'],
  ['/r/mcp_server', 'MCP servers'],
  ['/mcp-servers', 'MCP servers'],
];
const KB = 1000;

describe('the budget of the web UI', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  const asked: string[] = [];
  const home: Response[] = [];
  const more = new Map<string, Response[]>();
  before(async () => {
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    browser = await openBrowser();
    v = await visit(browser, daemon);
    v.page.context().on('request', (r) => asked.push(r.url()));
    const heard = listen(v.page);
    await v.page.reload();
    await v.page.getByRole('heading', { level: 1, name: 'All well' }).waitFor();
    home.push(...heard.take());
    for (const [to, heading, last = 'h1'] of PAGES) {
      // as a link does: what Home has fetched is there
      await v.page.evaluate((at) => {
        history.pushState(null, '', at);
        dispatchEvent(new PopStateEvent('popstate'));
      }, to);
      await v.page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await v.page.locator('cf-skeleton').first().waitFor({ state: 'detached' });
      await v.page.locator(last).first().waitFor();
      more.set(to, heard.take());
    }
    heard.end();
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });

  it('of bytes is kept, by what the pages really load', async () => {
    const rows: [what: string, bytes: number, limit: number][] = [
      ['JS that Home loads', await packed(home, '.js'), 120 * KB],
      ['CSS that Home loads', await packed(home, '.css'), 12 * KB],
    ];
    for (const [to, loaded] of more) rows.push([`JS more for ${to}`, await packed(loaded, '.js'), 30 * KB]);
    report('budget', [
      'budget of the web UI, gzip',
      ...rows.map(
        ([what, bytes, limit]) =>
          `  ${bytes <= limit ? 'ok  ' : 'OVER'} ${what.padEnd(26)} ${(bytes / KB).toFixed(1).padStart(6)} of ${limit / KB} kB`,
      ),
    ]);
    expect(rows[0]?.[1], 'Home must have loaded some script').to.be.greaterThan(10 * KB);
    expect(rows.filter(([, bytes, limit]) => bytes > limit)).to.deep.equal([]);
  });

  it('each page is fetched when it is opened, and not with another', () => {
    const scripts = (loaded: readonly Response[]): string[] => loaded.map(pathOf).filter((p) => p.endsWith('.js'));
    const before = new Set(scripts(home));
    for (const [to] of PAGES) {
      const own = scripts(more.get(to) ?? []);
      expect(own, to).not.to.deep.equal([]);
      for (const file of own) expect(before.has(file), `${file} of ${to} was there already`).to.equal(false);
      for (const file of own) before.add(file);
    }
    // the chart library and the checker of forms come with whoever needs them
    expect(scripts(home).filter((p) => /uplot|esm-|activity|settings|zh-/i.test(p))).to.deep.equal([]);
  });

  it('nothing of another host is asked for, nor anything that is not there', async () => {
    await go(v, '/mcp-servers/everything?tab=tools', 'everything');
    expect(asked.length).to.be.greaterThan(20);
    expect(asked.filter((url) => !url.startsWith(`${v.base}/`) && !url.startsWith('data:'))).to.deep.equal([]);
    const all = [...home, ...[...more.values()].flat()];
    expect(all.filter((r) => r.status() >= 400).map((r) => `${r.status()} ${r.url()}`)).to.deep.equal([]);
  });

  it('the policy of the page is strict, and holds the one inline script by its hash', async () => {
    for (const r of [...home, ...[...more.values()].flat()].filter((x) => !pathOf(x).startsWith('/api/'))) {
      const policy = (await r.allHeaders())['content-security-policy'] ?? '';
      expect(policy, r.url()).to.match(
        /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}'; style-src 'self'; /,
      );
      expect(policy, r.url()).not.to.match(/unsafe|https?:|\*/);
    }
    const inline = await v.page.evaluate(() =>
      Array.from(document.querySelectorAll('script:not([src])'), (s) => s.getAttribute('type')),
    );
    expect(inline).to.deep.equal(['importmap']);
    expect(await v.page.evaluate('document.querySelectorAll("style, [style]").length')).to.equal(0);
    expect(v.complaints).to.deep.equal([]);
  });

  it('files that the build named by their content are kept for ever, all others asked for again', async () => {
    const files = [...home, ...[...more.values()].flat()].filter((r) => !pathOf(r).startsWith('/api/'));
    expect(files.length).to.be.greaterThan(10);
    for (const r of files) {
      const lasting = pathOf(r).startsWith('/assets/');
      const headers = await r.allHeaders();
      expect(headers['cache-control'], r.url()).to.equal(lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
      expect(headers['etag'], r.url()).to.match(/^"/);
      if (lasting) expect(pathOf(r)).to.match(/-[\w-]{8}\.(js|css|woff2|svg)$/);
    }
  });
});
