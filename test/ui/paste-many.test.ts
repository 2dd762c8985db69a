import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit } from './browser.js';

describe('several servers at once', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  const known = async (): Promise<string[]> =>
    (await daemon.rest('GET', '/resources?kind=mcp_server')).body.resources.map((r: { name: string }) => r.name).sort();

  it('are added though one of them never answers, and the page says how far it is', async () => {
    const v = await visit(browser, daemon);
    const [script = '', ...args] = servers.everything();
    const mcpServers = {
      silent: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] },
      good: { command: process.execPath, args: [script, ...args] },
    };
    await go(v, '/mcp-servers?add=paste', 'MCP servers');
    await v.page.getByLabel('Configuration of any client').fill(JSON.stringify({ mcpServers }));
    await v.page.getByRole('button', { name: 'Look at it' }).click();
    await v.page.getByRole('button', { name: 'Add 2 servers' }).click();
    await v.page.getByText('1 of 2 added').waitFor();
    expect(await known()).to.deep.equal(['good', 'silent']);
    // Whoever leaves now leaves nothing behind half-done.
    await go(v, '/', /All well|needs? you/);
    await until('the good one is healthy', async () => {
      const { body } = await daemon.rest('GET', '/resources/mcp_server/good');
      return body.status.status === 'healthy';
    });
    expect(await known()).to.deep.equal(['good', 'silent']);
    await v.page.context().close();
  });

  it('an empty list of servers is called that', async () => {
    const v = await visit(browser, daemon);
    await go(v, '/mcp-servers?add=paste', 'MCP servers');
    await v.page.getByLabel('Configuration of any client').fill('{"mcpServers":{}}');
    await v.page.getByRole('button', { name: 'Look at it' }).click();
    await v.page.locator('[data-problems]').getByText('There is no server in it').waitFor();
    await v.page.context().close();
  });
});
