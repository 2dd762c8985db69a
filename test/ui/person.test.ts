import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';

describe('the web UI follows the person:', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  beforeEach(async () => {
    v = await visit(browser, daemon);
    // Whatever reloads the page loses this.
    await v.page.evaluate('globalThis.sameDocument = true');
  });
  afterEach(async () => {
    expect(v.complaints).to.deep.equal([]);
    await v.page.context().close();
  });

  const follow = async (place: string, heading: string): Promise<void> => {
    await v.page.getByRole('link', { name: place }).first().click();
    await v.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  const ground = (): Promise<string> => v.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  /** Is the first colour darker? */
  const light = (rgb: string): number => (rgb.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, n) => sum + Number(n), 0);

  it('light, dark, or as the system is, at once and from then on', async () => {
    await follow('Settings', 'Settings');
    const choose = (name: string): Promise<void> =>
      v.page.getByRole('group', { name: 'Theme' }).getByRole('button', { name }).click();
    const bright = light(await ground());
    await choose('Dark');
    await until('it is dark', async () => light(await ground()) < bright - 300);
    await choose('Light');
    await until('it is light', async () => light(await ground()) === bright);
    await v.page.emulateMedia({ colorScheme: 'dark' });
    expect(light(await ground()), 'what was chosen stands').to.equal(bright);
    await choose('System');
    await until('it is dark as the system is', async () => light(await ground()) < bright - 300);
    await v.page.emulateMedia({ colorScheme: 'light' });
    await until('it follows the system', async () => light(await ground()) === bright);
    expect(await v.page.evaluate('globalThis.sameDocument')).to.equal(true);
    await choose('Dark');
    await v.page.reload();
    await v.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(light(await ground())).to.be.lessThan(bright - 300);
    await v.page.locator('[data-act=theme]').click();
    await until('one press turns it', async () => light(await ground()) === bright);
  });

  it('English or Chinese, without a reload, for all that is on screen and from then on', async () => {
    await follow('Settings', 'Settings');
    await v.page.getByRole('group', { name: 'Language' }).getByRole('button', { name: '中文' }).click();
    await v.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
    expect(await v.page.evaluate(() => document.documentElement.lang)).to.equal('zh');
    for (const name of ['首页', '动态', '凭据', 'MCP 服务器'])
      await v.page.getByRole('link', { name }).first().waitFor();
    await follow('首页', '一切正常');
    expect(await v.page.evaluate('globalThis.sameDocument')).to.equal(true);
    await v.page.reload();
    await v.page.getByRole('heading', { level: 1, name: '一切正常' }).waitFor();
    // names are nobody's words
    await go(v, '/mcp-servers/everything', 'everything');
    await v.page.locator('[data-act=language]').click();
    await v.page.getByRole('tab', { name: 'Tools' }).waitFor();
    expect(await v.page.evaluate(() => document.documentElement.lang)).to.equal('en');
    await v.page.reload();
    await v.page.getByRole('tab', { name: 'Tools' }).waitFor();
  });

  it('with the keyboard alone, from the first key to a tool that is off', async () => {
    const keys = v.page.keyboard;
    const focus = (): Promise<string> =>
      v.page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at === null
          ? ''
          : `${at.localName}#${at.id} ${at.getAttribute('aria-label') ?? at.textContent?.trim() ?? ''}`;
      });
    const settled = (what: string, has: (at: string) => boolean): Promise<unknown> =>
      until(what, async () => has(await focus())).catch(async (e: Error) => {
        throw new Error(`${e.message}; it is at ${await focus()}`);
      });

    await go(v, '/', /All well/);
    await keys.press('Tab');
    expect(await focus()).to.include('Skip to content');
    await keys.press('Enter');
    await settled('the focus is past the navigation', (at) => at.startsWith('main#main'));

    await keys.press('Control+k');
    await keys.type('activity');
    await keys.press('Enter');
    await v.page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await settled('the new page has the focus', (at) => at.startsWith('main#main') || at.startsWith('h1'));

    await keys.press('g');
    await keys.press('s');
    await v.page.getByRole('heading', { level: 1, name: 'Machines and scope' }).waitFor();

    await keys.press('Control+k');
    await keys.type('MCP servers');
    await keys.press('Enter');
    await v.page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
    await v.page.locator('tr[data-row]').first().waitFor();
    await keys.press('/');
    await settled('the search has the focus', (at) => at.includes('Find a server'));
    await keys.type('every');
    for (let i = 0; i < 12 && !(await focus()).startsWith('tr#'); i++) await keys.press('Tab');
    expect(await focus()).to.match(/^tr#/);
    await keys.press('Enter');
    await v.page.getByRole('heading', { level: 1, name: 'everything' }).waitFor();

    for (let i = 0; i < 60 && !(await focus()).startsWith('button# Overview'); i++) await keys.press('Tab');
    await keys.press('ArrowRight');
    await settled('the next tab has the focus', (at) => at.startsWith('button# Tools'));
    await v.page.locator('tr[data-row=echo]').waitFor();
    for (let i = 0; i < 30 && !(await focus()).startsWith('tr#'); i++) await keys.press('Tab');
    for (let i = 0; i < 30 && !(await focus()).includes('echo'); i++) await keys.press('ArrowDown');
    await keys.press('Space');
    await until('the tool is off', async () => {
      const { body } = await daemon.rest('GET', '/resources/mcp_server/everything/capabilities');
      return (body.tools as { original_name: string; enabled: boolean }[]).some(
        (x) => x.original_name === 'echo' && !x.enabled,
      );
    });
  });
});
