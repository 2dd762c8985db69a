import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { allText, go, openBrowser, visit, type Visit } from './browser.js';

const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';

describe('in the browser, a person', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  afterEach(() => expect(v.complaints).to.deep.equal([]));

  it('pastes a configuration, sees its secret put away, and has the server', async () => {
    const [script = '', ...args] = servers.everything();
    const entry = { command: process.execPath, args: [script, ...args], env: { GITHUB_TOKEN: SECRET } };
    await go(v, '/mcp-servers?add=paste', 'MCP servers');
    await v.page.getByLabel('Configuration of any client').fill(JSON.stringify({ mcpServers: { demo: entry } }));
    await v.page.getByRole('button', { name: 'Look at it' }).click();
    await v.page.getByRole('heading', { name: 'Look before adding' }).waitFor();
    expect(await allText(v.page)).not.to.include(SECRET);
    await v.page.getByRole('button', { name: 'Add 1 server' }).click();
    await v.page.getByRole('heading', { level: 1, name: 'demo' }).waitFor({ timeout: 20_000 });
    const { body } = await daemon.rest('GET', '/resources/mcp_server/demo');
    expect(JSON.stringify(body)).not.to.include(SECRET);
    expect(body.config.transport.credential_refs).to.have.property('GITHUB_TOKEN');
  });

  it('is told what is wrong with what was pasted, and keeps the text', async () => {
    await go(v, '/mcp-servers?add=paste', 'MCP servers');
    const field = v.page.getByLabel('Configuration of any client');
    await field.fill('{ "mcpServers": ');
    await v.page.getByRole('button', { name: 'Look at it' }).click();
    await v.page.locator('[data-problems]').waitFor();
    expect(await field.inputValue()).to.equal('{ "mcpServers": ');
    await field.fill('');
  });

  it('tries a tool, and finds the call in Activity', async () => {
    await go(v, '/mcp-servers/demo?tab=tools&tool=echo', 'demo');
    const panel = v.page.getByRole('region', { name: 'Try echo' });
    await panel.getByRole('textbox').first().fill('from the browser');
    await panel.getByRole('button', { name: 'Call', exact: true }).click();
    await panel.getByText('Echo: from the browser').waitFor();
    await go(v, '/activity', 'Activity');
    await v.page.getByText('echo').first().waitFor();
    expect(await allText(v.page)).not.to.include('from the browser');
  });

  it('switches a tool off, and it is refused to all', async () => {
    await go(v, '/mcp-servers/demo?tab=tools', 'demo');
    const control = v.page.getByRole('switch', { name: 'echo', exact: true });
    await control.click();
    await v.page.getByText('echo is off for every client').waitFor();
    await v.page.reload();
    await control.waitFor();
    expect(await control.getAttribute('aria-checked')).to.equal('false');
    const call = { name: 'demo__echo', arguments: { message: 'x' } };
    const { status, body } = await daemon.rest('POST', '/gateway/call', call);
    expect(status, JSON.stringify(body)).to.be.greaterThan(399);
  });
});
