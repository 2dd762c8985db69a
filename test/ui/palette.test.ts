import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';
import { pluginWithPage } from './plugins.js';

describe('the palette', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let folder: string;
  let v: Visit;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coffer-palette-'));
    daemon = await startDaemon();
    browser = await openBrowser();
    await daemon.addStdio('everything', servers.everything());
    await daemon.addStdio('other', servers.everything());
    const key = { capability_key: 'get-sum' };
    await daemon.rest('POST', '/resources/mcp_server/other/capabilities/tool/disable', key);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => void (v = await visit(browser, daemon)));
  afterEach(async () => {
    expect(v.complaints).to.deep.equal([]);
    await v.page.context().close();
  });

  const type = async (text: string): Promise<void> => {
    await v.page.keyboard.press('Control+k');
    await v.page.getByRole('combobox').fill(text);
  };
  const option = (name: string | RegExp): Locator => v.page.getByRole('option', { name });
  const enabled = async (): Promise<boolean> =>
    (await daemon.rest('GET', '/resources/mcp_server/everything')).body.enabled as boolean;

  it('switches a resource off: on screen at once, told, and taken back', async () => {
    await go(v, '/mcp-servers', 'MCP servers');
    const control = v.page.getByRole('switch', { name: 'everything' });
    await control.waitFor();
    await type('switch everything');
    await option('Switch everything off').click();
    await v.page.getByText('everything is off').waitFor();
    expect(await control.getAttribute('aria-checked')).to.equal('false');
    expect(await enabled()).to.equal(false);
    await v.page.getByRole('button', { name: 'Undo' }).click();
    await v.page.getByText('everything is on', { exact: true }).waitFor();
    expect(await control.getAttribute('aria-checked')).to.equal('true');
    expect(await enabled()).to.equal(true);
  });

  it('shows what stands when a switch is refused, and why', async () => {
    await go(v, '/mcp-servers', 'MCP servers');
    const control = v.page.getByRole('switch', { name: 'everything' });
    await control.waitFor();
    let refuse: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (refuse = resolve));
    await v.page.route('**/everything/disable', async (route) => {
      await held;
      await route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message: 'Somebody is using it.' } } });
    });
    await type('switch everything off');
    await v.page.keyboard.press('Enter');
    await until(
      'it is off before there is an answer',
      async () => (await control.getAttribute('aria-checked')) === 'false',
    );
    refuse();
    await v.page.getByText('everything stays on: Somebody is using it.').waitFor();
    await until('it is on again', async () => (await control.getAttribute('aria-checked')) === 'true');
    expect(await enabled()).to.equal(true);
  });

  it('finds tools of all servers by a part of their name, and opens one where it can be tried', async () => {
    await type('get-su');
    await option('Try get-sum other · switched off').waitFor();
    await option('Try get-sum everything').waitFor();
    await screenshot(v.page, 'palette-light');
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.keyboard.press('Enter');
    await v.page.getByRole('region', { name: 'Try get-sum' }).waitFor();
    await type('echo every');
    await option('Try echo everything').click();
    await v.page.getByRole('region', { name: 'Try echo' }).waitFor();
    expect(new URL(v.page.url()).pathname).to.match(/^\/mcp-servers\/(everything|other)$/);
  });

  it('says which two letters do the same, those of a plugin too, and they do', async () => {
    await type('add server');
    await option(/^Add server… ?A ?S$/).waitFor();
    await v.page.getByRole('combobox').fill('activity');
    await option(/^Activity ?G ?A$/).waitFor();
    await v.page.keyboard.press('Escape');
    await v.page.getByRole('combobox').waitFor({ state: 'hidden' });
    // The second letter has 1.2 s: on a busy machine a driven keyboard may take longer, where a person types again.
    await until('the form to add a server is open', async () => {
      await v.page.keyboard.press('a');
      await v.page.keyboard.press('s');
      return v.page
        .getByLabel('Configuration of any client')
        .waitFor({ timeout: 2000 })
        .then(
          () => true,
          () => false,
        );
    });
  });

  it('starts no server to find its tools, and fits a screen of 360 px', async () => {
    const before = (await daemon.rest('GET', '/gateway/sessions')).body.sessions;
    await v.page.setViewportSize({ width: 360, height: 740 });
    await type('echo');
    await option(/Try echo/)
      .first()
      .waitFor();
    await screenshot(v.page, 'palette-phone');
    expect(
      await v.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).to.equal(0);
    expect((await daemon.rest('GET', '/gateway/sessions')).body.sessions).to.deep.equal(before);
  });

  it('lets a plugin find, and one that cannot keeps no other from answering', async () => {
    const search = (name: string): object => ({ search: [{ id: `${name}.all`, label: { en: `All of ${name}` } }] });
    const source = (name: string, body: string): string =>
      `import { addPaletteSource } from '@coffer/ui';\naddPaletteSource({ id: '${name}.all', search: async (text) => { ${body} } });`;
    for (const [name, text] of [
      ['find-good', source('find-good', "return [{ label: 'Pebble ' + text, route: '/find-good' }];")],
      ['find-throws', source('find-throws', "throw new Error('no luck today');")],
      ['find-missing', 'export const nothing = 1;'],
      ['find-never', source('find-never', 'await new Promise(() => undefined);')],
    ] as const) {
      const added = await daemon.cli(['plugin', 'add', pluginWithPage(folder, name, text, search(name)), '--yes']);
      expect(added.code, added.stderr).to.equal(0);
    }
    await v.page.reload();
    await v.page.getByRole('link', { name: 'Page of find-never' }).waitFor();
    await type('echo');
    await option('Pebble echo').waitFor();
    await option(/Try echo/)
      .first()
      .waitFor();
    await v.page.getByText('All of find-throws could not be searched: no luck today').waitFor();
    await v.page.getByText('All of find-missing could not be searched: Its module adds no').waitFor();
    await option('Pebble echo').click();
    await until('it went there', () => Promise.resolve(new URL(v.page.url()).pathname === '/find-good'));
  });
});
