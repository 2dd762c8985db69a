import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('Home tells who is connected now', function () {
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

  it('by itself, as clients come and go, and asks for nothing meanwhile', async () => {
    await go(v, '/', 'All well');
    await v.page.getByText('No client is connected.').waitFor();
    await v.page.getByText('Live · 0 clients').waitFor();
    const asked: string[] = [];
    v.page.on('request', (r) => void (r.url().includes('/gateway/sessions') && asked.push(r.url())));
    const [shim, http] = [await daemon.shim({ args: ['--agent', 'robot'] }), await daemon.http()];
    await v.page.getByText('2 clients', { exact: true }).waitFor();
    await v.page.getByText('Live · 2 clients').waitFor();
    await v.page.getByText('robot').first().waitFor();
    await screenshot(v.page, 'home-connected-light');
    expect(await axe(v.page)).to.deep.equal([]);
    const before = asked.length;
    await http.callTool({ name: 'everything__echo', arguments: { message: 'x' } });
    await v.page.getByText('echo').first().waitFor();
    expect(asked.length, 'a call is no news of who is here').to.equal(before);
    await shim.close();
    await v.page.getByText('1 client', { exact: true }).waitFor({ timeout: 20_000 });
    await v.page.getByText('robot', { exact: true }).first().waitFor({ state: 'detached' });
  });

  it('and does not count what the page itself calls', async () => {
    await go(v, '/', 'All well');
    await v.page.getByText('Live · 1 client', { exact: true }).waitFor();
    await daemon.rest('POST', '/gateway/call', { name: 'everything__echo', arguments: { message: 'mine' } });
    const { sessions } = (await daemon.rest('GET', '/gateway/sessions')).body;
    expect(sessions.map((s: { inside: boolean }) => s.inside)).to.have.members([false, true]);
    await v.page.reload();
    await v.page.getByText('Live · 1 client', { exact: true }).waitFor();
    await v.page.getByText('1 client', { exact: true }).waitFor();
  });
});
