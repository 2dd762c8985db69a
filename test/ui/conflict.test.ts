import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

interface Saved {
  description: string | null;
  enabled: boolean;
  config: { request_timeout_seconds?: number; idle_timeout_seconds?: number };
}

describe('two tabs that change the settings of one resource', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let mine: Visit;
  let other: Visit;
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
    mine = await visit(browser, daemon);
    const page = await mine.page.context().newPage();
    page.setDefaultTimeout(8000);
    other = { ...mine, page };
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });

  const field = (page: Page, name: 'Call' | 'Idle'): ReturnType<Page['locator']> =>
    page.getByLabel(new RegExp(`^${name} limit`));
  const press = async (page: Page, name: string): Promise<void> => {
    // A tab behind another is drawn once a second.
    await page.bringToFront();
    await page.getByRole('button', { name, exact: true }).click();
  };
  const conflict = (): ReturnType<Page['locator']> => mine.page.locator('[data-conflict]');
  const saved = async (name: string): Promise<Saved> =>
    (await daemon.rest('GET', `/resources/mcp_server/${name}`)).body as Saved;
  const openBoth = async (name: string): Promise<void> => {
    await daemon.addStdio(name, servers.everything());
    for (const v of [mine, other]) {
      await go(v, `/r/mcp_server/${name}?tab=settings`, name);
      await field(v.page, 'Call').waitFor();
    }
  };
  const otherSaves = async (name: string): Promise<void> => {
    await press(other.page, 'Save');
    await other.page.getByText(`Settings of ${name} saved`).waitFor();
  };

  it('in different places: the second is told, sees what the first did, and both are saved', async () => {
    await openBoth('apart');
    await field(mine.page, 'Idle').fill('700');
    await field(other.page, 'Call').fill('77');
    await other.page.getByLabel('Description').fill('said by the other');
    await otherSaves('apart');

    await press(mine.page, 'Save');
    const headline = conflict().getByText('Somebody else changed this while you were editing');
    await headline.waitFor();
    await until('it is on screen', () => headline.evaluate((e) => e.getBoundingClientRect().top > 0));
    expect((await saved('apart')).config.idle_timeout_seconds, 'nothing is saved yet').not.to.equal(700);
    const told = await conflict().locator('[data-diff=theirs] .add').allInnerTexts();
    expect(told.join('\n')).to.include('"request_timeout_seconds": 77').and.include('said by the other');
    const then = await conflict().locator('[data-diff=both] .add').allInnerTexts();
    expect(then.join('\n')).to.include('"idle_timeout_seconds": 700').and.not.include('77');
    expect(await field(mine.page, 'Idle').inputValue(), 'what was typed stands').to.equal('700');
    expect(await axe(mine.page)).to.deep.equal([]);
    await screenshot(mine.page, 'conflict');
    await mine.page.setViewportSize({ width: 360, height: 740 });
    expect(await mine.page.evaluate('document.documentElement.scrollWidth')).to.equal(360);
    await mine.page.setViewportSize({ width: 1440, height: 900 });
    // it waits in this tab, also when the page is loaded anew
    await mine.page.reload();
    await field(mine.page, 'Idle').waitFor();
    expect(await field(mine.page, 'Idle').inputValue()).to.equal('700');
    await press(mine.page, 'Save');

    await press(mine.page, 'Save both');
    await mine.page.getByText('Settings of apart saved').waitFor();
    await conflict().waitFor({ state: 'detached' });
    expect(await saved('apart')).to.deep.include({ description: 'said by the other' });
    expect((await saved('apart')).config).to.deep.include({ request_timeout_seconds: 77, idle_timeout_seconds: 700 });
  });

  it('in the same place: it is named, and nothing is decided for anybody', async () => {
    await openBoth('same');
    await field(mine.page, 'Call').fill('88');
    await field(other.page, 'Call').fill('77');
    await field(other.page, 'Idle').fill('900');
    await otherSaves('same');
    await press(mine.page, 'Save');
    await conflict().getByText('Both of you changed config/request_timeout_seconds.').waitFor();
    expect(await conflict().getByRole('button', { name: 'Save both', exact: true }).count()).to.equal(0);

    await press(mine.page, 'Take theirs');
    await conflict().waitFor({ state: 'detached' });
    expect(await field(mine.page, 'Call').inputValue()).to.equal('77');
    await press(mine.page, 'Undo');
    expect(await field(mine.page, 'Call').inputValue()).to.equal('88');
    await press(mine.page, 'Save');
    await press(mine.page, 'Save both, mine where they meet');
    await mine.page.getByText('Settings of same saved').waitFor();
    expect((await saved('same')).config).to.deep.include({ request_timeout_seconds: 88, idle_timeout_seconds: 900 });
  });

  it('a switch that was turned meanwhile is no conflict, and stays turned', async () => {
    await openBoth('turned');
    await field(mine.page, 'Call').fill('99');
    await other.page.getByRole('switch', { name: 'turned' }).click();
    await mine.page.locator('cf-switch:not([checked])').first().waitFor();
    await press(mine.page, 'Save');
    await mine.page.getByText('Settings of turned saved').waitFor();
    expect(await saved('turned')).to.deep.include({ enabled: false });
    expect((await saved('turned')).config.request_timeout_seconds).to.equal(99);
    expect(mine.complaints).to.deep.equal([]);
  });
});
