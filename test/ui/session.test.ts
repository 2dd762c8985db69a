import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { allText, go, openBrowser, signIn, visit, type Visit } from './browser.js';

const PASTE = '{ "mcpServers": { "half": { "command": "npx", ';
const SECRET = 'a-value-that-nobody-keeps';

describe('a session that ends while somebody types', function () {
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
  });
  afterEach(async () => {
    expect(v.complaints).to.deep.equal([]);
    await v.page.context().close();
  });

  /** Every session ends with the token; the command line reads the new one where the daemon leaves it. */
  const expire = async (): Promise<void> => {
    const rotated = await daemon.cli(['daemon', 'rotate-token']);
    expect(rotated.code, rotated.stderr).to.equal(0);
    await v.page.getByRole('heading', { level: 1, name: 'You were signed out' }).waitFor();
  };
  const freshAddress = async (): Promise<string> => String((await daemon.rest('POST', '/ui/login')).body.url);
  const kept = (): Promise<string> => v.page.evaluate(() => JSON.stringify(sessionStorage));
  const here = (): string => v.page.url().slice(v.base.length);

  it('a paste is there again after a new address of `coffer open` in the same tab', async () => {
    await go(v, '/mcp-servers?add=paste', 'MCP servers');
    await v.page.getByLabel('Configuration of any client').fill(PASTE);
    await expire();
    expect(await v.page.getByLabel('Configuration of any client').isVisible()).to.equal(false);
    await signIn(v.page, daemon);
    await v.page.getByLabel('Configuration of any client').waitFor();
    expect(here()).to.equal('/mcp-servers?add=paste');
    expect(await v.page.getByLabel('Configuration of any client').inputValue()).to.equal(PASTE);
  });

  it('settings are there again, at the same tab of the same page', async () => {
    await go(v, '/mcp-servers/everything?tab=settings', 'everything');
    await v.page.getByLabel('Description').fill('half a descr');
    await v.page.getByLabel(/^Call limit/).fill('77');
    await expire();
    await signIn(v.page, daemon);
    await v.page.getByLabel(/^Call limit/).waitFor();
    expect(here()).to.equal('/mcp-servers/everything?tab=settings');
    expect(await v.page.getByLabel('Description').inputValue()).to.equal('half a descr');
    expect(await v.page.getByLabel(/^Call limit/).inputValue()).to.equal('77');
    await v.page.getByText('Not saved yet; kept in this tab.').waitFor();
    await v.page.getByRole('button', { name: 'Save', exact: true }).click();
    await v.page.getByText('Settings of everything saved').waitFor();
    const { body } = await daemon.rest('GET', '/resources/mcp_server/everything');
    expect((body.config as { request_timeout_seconds: number }).request_timeout_seconds).to.equal(77);
  });

  it('the code can be pasted where one is: an open dialog beneath keeps no key from the login', async () => {
    await go(v, '/mcp-servers?add=paste', 'MCP servers');
    await v.page.getByLabel('Configuration of any client').fill(PASTE);
    await expire();
    await v.page.keyboard.press('Escape');
    await v.page.keyboard.press('Escape');
    await v.page.getByRole('heading', { level: 1, name: 'You were signed out' }).waitFor();
    await v.page.getByLabel('Or paste the address or code that it prints').fill(await freshAddress());
    await v.page.getByRole('button', { name: 'Sign in' }).click();
    await v.page.getByLabel('Configuration of any client').waitFor();
    expect(await v.page.getByLabel('Configuration of any client').inputValue()).to.equal(PASTE);
    expect(here()).to.equal('/mcp-servers?add=paste');
    // the page lives: its stream is open and it can go elsewhere
    await v.page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await daemon.addStdio('later', servers.everything());
    await v.page.getByRole('link', { name: 'later' }).waitFor();
  });

  it('Home, too, signs in with an address that differs only behind the #', async () => {
    await go(v, '/', 'All well');
    await v.page.evaluate('window.kept = true');
    await expire();
    await signIn(v.page, daemon);
    await v.page.getByRole('heading', { level: 1, name: 'All well' }).waitFor();
    expect(here()).to.equal('/');
    expect(await v.page.evaluate('window.kept')).to.equal(true);
  });

  it('a call that is refused leads to the login at once, with what was typed for it', async () => {
    await go(v, '/mcp-servers/everything?tab=settings', 'everything');
    await v.page.getByLabel('Description').fill('said once');
    // the session goes before the stream can tell
    await v.page.context().clearCookies();
    await v.page.getByRole('button', { name: 'Save', exact: true }).click();
    await v.page.getByRole('heading', { level: 1, name: 'You were signed out' }).waitFor();
    await signIn(v.page, daemon);
    await v.page.getByLabel('Description').waitFor();
    expect(await v.page.getByLabel('Description').inputValue()).to.equal('said once');
  });

  it('the value of a credential is kept nowhere, its name is; a value that was shown is covered', async () => {
    await go(v, '/credentials?new=1', 'Credentials');
    await v.page.locator('#ref').fill('service/half');
    await v.page.locator('#value').fill(SECRET);
    await expire();
    expect(await kept()).not.to.include(SECRET);
    expect(await allText(v.page)).not.to.include(SECRET);
    await v.page.getByLabel('Or paste the address or code that it prints').fill(await freshAddress());
    await v.page.getByRole('button', { name: 'Sign in' }).click();
    await v.page.locator('#ref').waitFor();
    expect(await v.page.locator('#ref').inputValue()).to.equal('service/half');
    expect(await v.page.locator('#value').inputValue()).to.equal('');

    await daemon.rest('POST', '/credentials', { ref: 'service/shown', value: SECRET });
    await go(v, '/credentials', 'Credentials');
    await v.page.getByRole('button', { name: 'Reveal service/shown' }).click();
    await v.page.getByRole('button', { name: 'Reveal', exact: true }).click();
    await v.page.getByText(SECRET).waitFor();
    await expire();
    expect(await allText(v.page)).not.to.include(SECRET);
  });
});
