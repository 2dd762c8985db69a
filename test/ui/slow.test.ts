import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { fixtureCommand } from '@coffer/kernel/testing';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';
import { pluginWithPage } from './plugins.js';

describe('the web UI waits for nobody:', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let folder: string;
  let v: Visit;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coffer-ui-'));
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    // Its module ends to load when the test says so. It is asked for on Home, too.
    const text = `await new Promise((resolve) => (globalThis.letGo = resolve));
for (const place of ['page', 'card'])
  customElements.define('ui-slow-' + place, class extends HTMLElement {
    connectedCallback() { this.innerHTML = '<h2>Here at last: ' + place + '</h2>'; }
  });`;
    const slots = [{ slot: 'home.cards', id: 'slow', label: { en: 'Slow' }, element: 'ui-slow-card' }];
    const added = await daemon.cli(['plugin', 'add', pluginWithPage(folder, 'ui-slow', text, { slots }), '--yes']);
    expect(added.code, added.stderr).to.equal(0);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    v = await visit(browser, daemon);
  });
  afterEach(async () => {
    expect(v.complaints).to.deep.equal([]);
    await v.page.context().close();
  });

  it("a plugin's module that does not come is named and holds nobody up; when it comes, it draws in its place", async () => {
    await go(v, '/', /All well|needs? you/);
    await v.page.getByText('Still loading ui-slow').waitFor();
    await v.page.getByRole('heading', { name: 'Connected now' }).waitFor();
    for (const [link, heading] of [
      ['MCP servers', 'MCP servers'],
      ['Activity', 'Activity'],
    ] as const) {
      await v.page.getByRole('link', { name: link }).first().click();
      await v.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await v.page.getByRole('link', { name: 'Page of ui-slow' }).click();
    expect(await v.page.locator('cf-extension').getByRole('alert').count()).to.equal(0);
    await v.page.evaluate('letGo()');
    await v.page.getByRole('heading', { name: 'Here at last: page' }).waitFor();
    await v.page.getByRole('link', { name: 'Home' }).click();
    await v.page.getByRole('heading', { name: 'Here at last: card' }).waitFor();
    expect(await v.page.getByText('Still loading ui-slow').count()).to.equal(0);
  });

  it('a server that never answers is added, and says where it stands; its page and its switch work meanwhile', async () => {
    const { command, args } = fixtureCommand('hostile', ['--mode', 'hang-initialize']);
    const config = { transport: { type: 'stdio', command, args }, spawn_timeout_seconds: 5 };
    const adding = daemon.rest('POST', '/resources', { kind: 'mcp_server', name: 'silent', config });
    await go(v, '/mcp-servers', 'MCP servers');
    await v.page.getByRole('link', { name: 'silent' }).click();
    await v.page.getByRole('heading', { level: 1, name: 'silent' }).waitFor();
    // Whatever is asked of the server is asked beside the page.
    await v.page.getByRole('tab', { name: 'Tools' }).click();
    await v.page.getByRole('tab', { name: 'Settings' }).click();
    await v.page.getByLabel('Command', { exact: true }).waitFor();
    await v.page.getByRole('tab', { name: 'Overview' }).click();
    expect((await adding).status).to.equal(201);
    await v.page.locator('[data-answer="1"]').getByText('failing').waitFor({ timeout: 20_000 });
    await v.page
      .getByText(/did not answer|no answer|time/i)
      .first()
      .waitFor();
    const control = v.page.getByRole('switch', { name: 'silent' });
    await control.click();
    await until('it is off', async () => !(await daemon.rest('GET', '/resources/mcp_server/silent')).body.enabled);
    await v.page.locator('[data-answer="1"]').getByText('switched off').waitFor();
    await go(v, '/mcp-servers/everything?tab=tools', 'everything');
    await v.page.getByRole('switch', { name: 'echo', exact: true }).waitFor();
  });

  it('a tool that never answers leaves the page free, and the call can be given up', async () => {
    const { command, args } = fixtureCommand('hostile', ['--mode', 'hang-call']);
    const made = await daemon.addStdio('mute', args, { command });
    expect(made.status).to.equal(201);
    const { body } = await daemon.rest('GET', '/resources/mcp_server/mute/capabilities');
    const tool = String(body.tools[0].original_name);
    await go(v, `/mcp-servers/mute?tab=tools&tool=${encodeURIComponent(tool)}`, 'mute');
    const panel = v.page.getByRole('region', { name: `Try ${tool}` });
    await panel.getByRole('button', { name: 'Call', exact: true }).click();
    await panel.getByRole('button', { name: 'Stop' }).waitFor();
    await v.page.getByRole('switch', { name: tool, exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.getByRole('button', { name: 'Call', exact: true }).waitFor();
    await until('it is logged as given up', async () => {
      const log = await daemon.rest('GET', '/invocations?limit=1');
      return log.body.invocations[0]?.status === 'cancelled';
    });
  });
});
