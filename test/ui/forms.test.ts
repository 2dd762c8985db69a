import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';

describe('settings as JSON', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    browser = await openBrowser();
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  afterEach(() => expect(v.complaints).to.deep.equal([]));
  const patience = async (): Promise<number> =>
    (await daemon.rest('GET', '/resources/mcp_server/everything')).body.config.request_timeout_seconds;

  it('that are no JSON are not sent, not even as they were before; the text is kept', async () => {
    await go(v, '/mcp-servers/everything?tab=settings', 'everything');
    await v.page.getByRole('button', { name: 'As JSON' }).click();
    const field = v.page.getByLabel('JSON', { exact: true });
    const text = await field.inputValue();
    await field.fill(text.replace('"request_timeout_seconds": 120', '"request_timeout_seconds": 77'));
    await field.fill(text.replace('"request_timeout_seconds": 120', '"request_timeout_seconds": 77,,'));
    await v.page.getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('This is not JSON yet').waitFor();
    expect(await field.inputValue()).to.include('77,,');
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    expect(await patience()).to.equal(120);
    await field.fill(text.replace('"request_timeout_seconds": 120', '"request_timeout_seconds": 78'));
    await v.page.getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('Settings of everything saved').waitFor();
    expect(await patience()).to.equal(78);
  });

  it('that break the schema are refused with the place of each fault', async () => {
    await go(v, '/mcp-servers/everything?tab=settings', 'everything');
    await v.page.getByRole('button', { name: 'As JSON' }).click();
    const field = v.page.getByLabel('JSON', { exact: true });
    const text = await field.inputValue();
    await field.fill(text.replace(/"request_timeout_seconds": \d+/, '"request_timeout_seconds": "long"'));
    await v.page.getByRole('button', { name: 'Save' }).click();
    await v.page.getByRole('alert').filter({ hasText: '/request_timeout_seconds' }).waitFor();
    expect(await patience()).to.be.a('number');
    await v.page.getByRole('button', { name: 'Discard' }).click();
    await until('nothing is wrong any more', async () => (await v.page.getByRole('alert').count()) === 0);
  });

  it('that are discarded are gone from the field too', async () => {
    await go(v, '/mcp-servers/everything?tab=settings', 'everything');
    await v.page.getByRole('button', { name: 'As JSON' }).click();
    const field = v.page.getByLabel('JSON', { exact: true });
    const text = await field.inputValue();
    await field.fill(text.replace('"auto_enable_new_capabilities": true', '"auto_enable_new_capabilities": false'));
    await v.page.getByRole('button', { name: 'Discard' }).click();
    await until('the field shows what is saved', async () => (await field.inputValue()) === text);
  });
});
