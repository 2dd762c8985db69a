import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startDaemon, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit } from './browser.js';

describe('the daemon restarted from its page', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    // The one that runs now is not the one that was started here.
    await daemon?.cli(['daemon', 'stop']);
    await daemon?.stop();
  });

  it('is another process at the same address, and the page goes on with it', async () => {
    const v = await visit(browser, daemon);
    await go(v, '/settings/about', 'Settings');
    const before = daemon.pid;
    await v.page.getByText(String(before)).waitFor();
    await v.page.getByRole('button', { name: 'Restart the daemon' }).click();
    await v.page.locator('[data-act=confirm]').click();
    await v.page.locator('[data-banner=offline]').waitFor();
    // What is asked for while nobody answers is there once somebody does.
    await v.page.getByRole('link', { name: 'Memory' }).click();
    await v.page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor({ timeout: 20_000 });
    await v.page.locator('[data-banner=offline]').waitFor({ state: 'detached' });
    await go(v, '/settings/about', 'Settings');
    await v.page.locator('cf-skeleton').first().waitFor({ state: 'detached' });
    const status = (await (await fetch(`${v.base}/api/v1/daemon/status`)).json()) as { pid: number };
    expect(status.pid).to.not.equal(before);
    await v.page.getByText(String(status.pid)).waitFor();
    expect(v.complaints.filter((c) => !/fetch/i.test(c))).to.deep.equal([]);
  });
});
