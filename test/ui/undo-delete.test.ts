import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

const AT = '/resources/mcp_server/demo';

describe('deleting from its page', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    daemon = await startDaemon();
    await daemon.addStdio('demo', servers.everything());
    await daemon.rest('PATCH', AT, { description: 'mine' });
    await daemon.rest('PUT', `${AT}/scope`, { scope: { '*': ['robot'] } });
    await daemon.rest('POST', `${AT}/capabilities/tool/disable`, { capability_key: 'echo' });
    browser = await openBrowser();
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  afterEach(() => expect(v.complaints).to.deep.equal([]));

  const gone = async (): Promise<boolean> => (await daemon.rest('GET', AT)).status === 404;
  const remove = async (): Promise<void> => {
    await go(v, '/mcp-servers/demo', 'demo');
    await v.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await v.page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
    await v.page.getByText('demo was deleted').waitFor();
  };

  it('a server goes at once, and comes back whole with Undo: what was off is off, who saw it sees it', async () => {
    const { status: _, updated_at: __, ...before } = (await daemon.rest('GET', AT)).body;
    await remove();
    expect(await gone()).to.equal(true);
    await screenshot(v.page, 'undo-light');
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.getByRole('button', { name: 'Undo' }).click();
    await v.page.getByText('demo is back').waitFor();
    await v.page.getByRole('link', { name: 'demo' }).first().waitFor();
    const { status: ___, updated_at: ____, ...after } = (await daemon.rest('GET', AT)).body;
    expect(after).to.deep.equal(before);
    const { tools } = (await daemon.rest('GET', `${AT}/capabilities`)).body;
    const off = tools
      .filter((x: { enabled: boolean }) => !x.enabled)
      .map((x: { original_name: string }) => x.original_name);
    expect(off).to.deep.equal(['echo']);
  });

  it('one that was switched off comes back switched off, and is not started for it', async () => {
    await daemon.rest('POST', `${AT}/disable`);
    await remove();
    await v.page.getByRole('button', { name: 'Undo' }).click();
    await v.page.getByText('demo is back').waitFor();
    const { body } = await daemon.rest('GET', AT);
    expect([body.enabled, body.status.status]).to.deep.equal([false, 'unknown']);
  });

  it('says why when the name was given away meanwhile', async () => {
    await remove();
    await daemon.addStdio('demo', servers.everything());
    await v.page.getByRole('button', { name: 'Undo' }).click();
    await v.page.getByText('The name demo is taken').waitFor();
  });

  it('what cannot be brought back is asked for first', async () => {
    const made = await daemon.rest('POST', '/memory_stores/global/facts', { text: 'The sky is blue.', name: 'sky' });
    expect(made.status, JSON.stringify(made.body)).to.be.lessThan(300);
    const there = async (): Promise<boolean> => (await daemon.rest('GET', '/resources/memory/global')).status === 200;
    expect(await there()).to.equal(true);
    await go(v, '/r/memory/global', 'global');
    await v.page.getByRole('button', { name: 'Delete…' }).click();
    await v.page.locator('[data-act=confirm]').waitFor();
    await v.page.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await there(), 'nothing happened').to.equal(true);
  });
});
