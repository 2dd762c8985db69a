import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';
import { pluginWithPage } from './plugins.js';

/** What an attacker would like to be read as markup. */
const HOSTILE = [
  '<img src=x onerror="window.hurt=1">',
  '"><script>window.hurt=1</script>',
  '</textarea><svg onload="window.hurt=1">',
  '${window.hurt=1}{{window.hurt=1}}',
  'javascript:window.hurt=1',
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the web UI withstands', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let folder: string;
  let v: Visit;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coffer-ui-'));
    // The page knows one address: the daemon must come back to it.
    daemon = await startDaemon({ env: { COFFER_PORT: String(await freePort()) } });
    browser = await openBrowser();
    const element = (name: string, body: string): string =>
      `customElements.define('${name}-page', class extends HTMLElement { connectedCallback() { ${body} } });`;
    for (const [name, text] of [
      ['ui-throws', "throw new Error('no luck today');"],
      ['ui-missing', 'export const nothing = 1;'],
      ['ui-good', element('ui-good', "this.innerHTML = '<h1>Drawn by a stranger</h1>';")],
    ] as const) {
      const added = await daemon.cli(['plugin', 'add', pluginWithPage(folder, name, text), '--yes']);
      expect(added.code, added.stderr).to.equal(0);
    }
    await daemon.addStdio('everything', servers.everything());
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a page of a plugin that throws or is not there: it says whose and why, and the rest works', async () => {
    for (const [name, why] of [
      ['ui-throws', 'no luck today'],
      ['ui-missing', 'does not define'],
    ] as const) {
      await v.page.goto(`${v.base}/${name}`);
      const alert = v.page.getByRole('alert').filter({ hasText: name });
      await alert.waitFor();
      expect(await alert.innerText()).to.include(why);
    }
    await v.page.getByRole('link', { name: 'Page of ui-good' }).click();
    await v.page.getByRole('heading', { name: 'Drawn by a stranger' }).waitFor();
    await v.page.getByRole('link', { name: 'MCP servers' }).first().click();
    await v.page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
  });

  it('hostile words in every field that a person or a server can fill', async () => {
    for (const [i, words] of HOSTILE.entries()) {
      const config = {
        transport: { type: 'stdio', command: process.execPath, args: ['-e', words], env: { PLAIN: words } },
      };
      const name = `hostile-${i}`;
      const made = await daemon.rest('POST', '/resources', { kind: 'mcp_server', name, description: words, config });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
    }
    for (const to of ['/', '/mcp-servers', '/r/mcp_server', '/activity', '/scope', '/credentials', '/plugins'])
      await go(v, to, /./);
    for (const i of HOSTILE.keys())
      for (const tab of ['', '?tab=settings', '?tab=log', '?tab=scope'])
        await go(v, `/mcp-servers/hostile-${i}${tab}`, /./);
    await go(v, `/search?q=${encodeURIComponent(HOSTILE[0] ?? '')}`, /./);
    await v.page.goto(`${v.base}/r/mcp_server/${encodeURIComponent(HOSTILE[1] ?? '')}`);
    await v.page.waitForTimeout(300);
    expect(await v.page.evaluate('window.hurt')).to.equal(undefined);
    expect(v.complaints.filter((c) => c.includes('Content Security Policy'))).to.deep.equal([]);
  });

  it('a daemon that goes away and comes back: the page says so, and goes on without a new login', async () => {
    await go(v, '/mcp-servers', 'MCP servers');
    await v.page.getByText('everything').first().waitFor();
    await daemon.kill('SIGKILL');
    await v.page.locator('[data-banner=offline]').waitFor({ timeout: 20_000 });
    await daemon.restart();
    await v.page.locator('[data-banner=offline]').waitFor({ state: 'detached', timeout: 30_000 });
    await go(v, '/mcp-servers', 'MCP servers');
    await v.page.getByText('everything').first().waitFor();
  });
});
