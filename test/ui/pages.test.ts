import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';
import { report } from './report.js';

const PAGES: readonly [name: string, to: string, heading: string | RegExp][] = [
  ['home', '/', /things? needs? you|All well/],
  ['mcp-servers', '/mcp-servers', 'MCP servers'],
  ['mcp-server-overview', '/mcp-servers/everything', 'everything'],
  ['mcp-server-tools', '/mcp-servers/everything?tab=tools&tool=echo', 'everything'],
  ['mcp-server-scope', '/mcp-servers/everything?tab=scope', 'everything'],
  ['mcp-server-settings', '/mcp-servers/everything?tab=settings', 'everything'],
  ['generic-list', '/r/mcp_server', 'MCP servers'],
  ['generic-resource', '/r/mcp_server/everything', 'everything'],
  ['activity', '/activity', 'Activity'],
  ['search', '/search?q=echo', 'Tool search'],
  ['scope', '/scope', 'Machines and scope'],
  ['credentials', '/credentials', 'Credentials'],
  ['plugins', '/plugins', 'Plugins'],
  ['settings', '/settings/retention', 'Settings'],
];

describe('every page of the web UI', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
    await daemon.addStdio('everything', servers.everything());
    await daemon.addStdio('broken', ['-e', 'process.exit(3)']);
    await daemon.rest('POST', '/credentials', { ref: 'github/token', value: 'not shown' });
    await daemon.rest('POST', '/gateway/call', { name: 'everything__echo', arguments: { message: 'hello' } });
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });

  for (const dark of [false, true]) {
    it(`is free of what axe-core knows to be wrong, and of complaints, in the ${dark ? 'dark' : 'light'} theme`, async () => {
      const v: Visit = await visit(browser, daemon, { dark });
      const found: string[] = [];
      const theme = dark ? 'dark' : 'light';
      const lines = [`axe-core, ${PAGES.length} pages, ${theme} theme`];
      for (const [name, to, heading] of PAGES) {
        await go(v, to, heading);
        await v.page.locator('cf-skeleton').first().waitFor({ state: 'detached' });
        await v.page.waitForTimeout(250);
        await screenshot(v.page, `${name}-${theme}`);
        const faults = await axe(v.page);
        lines.push(`  ${faults.length === 0 ? 'ok  ' : 'BAD '} ${name}: ${faults.length} violations`);
        found.push(...faults.map((f) => `${name}: ${f}`));
      }
      report(`axe-${theme}`, [...lines, `  ${found.length} violations in all`]);
      expect(found).to.deep.equal([]);
      expect(v.complaints).to.deep.equal([]);
      await v.page.context().close();
    });
  }

  it('fits a screen of 360 px without scrolling sideways', async () => {
    const v = await visit(browser, daemon);
    await v.page.setViewportSize({ width: 360, height: 740 });
    const wide: string[] = [];
    for (const [name, to, heading] of PAGES) {
      await go(v, to, heading);
      const over = await v.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) wide.push(`${name}: ${over} px`);
      await screenshot(v.page, `${name}-phone`);
    }
    expect(wide).to.deep.equal([]);
    await v.page.context().close();
  });
});
