import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('memory in the browser', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  const add = async (store: string, text: string, name: string): Promise<{ path: string }> =>
    (await daemon.rest('POST', `/memory_stores/${store}/facts`, { text, name })).body;
  const PROJECT = 'project-0123456789abcdefghjkmnpqrs';
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
  const text = (): ReturnType<Visit['page']['getByLabel']> => v.page.getByLabel('Fact', { exact: true });

  it('says what it is for while nothing was remembered, and takes a first fact', async () => {
    await go(v, '/memory', 'Memory');
    await v.page.getByText('Nothing was remembered yet').waitFor();
    await v.page.getByRole('button', { name: 'New fact' }).click();
    await v.page.getByLabel('What is to be remembered?').fill('Deploy on Tuesdays.\n\nNever on Fridays.');
    await v.page.getByLabel('Name', { exact: true }).fill('deploy days');
    await v.page.getByRole('button', { name: 'Save' }).click();
    await v.page.getByRole('heading', { name: 'deploy days' }).waitFor();
    expect(await text().inputValue()).to.equal('Deploy on Tuesdays.\n\nNever on Fridays.');
    const { body } = await daemon.rest('GET', '/memory_stores/global/facts');
    expect(body.facts[0]).to.include({ name: 'deploy days', actor: 'ui' });
  });

  it('shows a fact that somebody else writes as it comes, and finds it by words', async () => {
    await go(v, '/memory', 'Memory');
    await add('global', '集成测试需要 Redis。See POL-358.', 'tests');
    await v.page.getByRole('link', { name: 'tests', exact: true }).waitFor();
    for (const query of ['测试', 'POL-358']) {
      await v.page.getByRole('searchbox', { name: 'Find in facts' }).fill(query);
      await v.page.getByRole('link', { name: 'deploy days' }).waitFor({ state: 'detached' });
      expect(await v.page.getByRole('link', { name: 'tests', exact: true }).count()).to.equal(1);
      await v.page.getByRole('searchbox', { name: 'Find in facts' }).fill('');
      await v.page.getByRole('link', { name: 'deploy days' }).waitFor();
    }
  });

  it('saves a change, and loses neither of two that meet', async () => {
    const { path: file } = await add('global', 'first', 'meeting');
    await go(v, '/memory?fact=meeting', 'Memory');
    await text().fill('second');
    await v.page.getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('Saved').waitFor();
    await text().fill('mine');
    writeFileSync(file, 'theirs\n');
    await v.page.getByText('It was changed meanwhile').waitFor();
    await v.page.locator('cf-diff').getByText('theirs').waitFor();
    expect(await text().inputValue()).to.equal('mine');
    await v.page.getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('It was changed meanwhile').waitFor({ state: 'detached' });
    expect((await daemon.rest('GET', '/memory_stores/global/facts/meeting')).body.text).to.equal('mine');
  });

  it('moves a fact to another store and forgets one, after a question', async () => {
    await add(PROJECT, 'of the project', 'inside');
    await add('global', 'to be moved', 'wanderer');
    await go(v, '/memory?fact=wanderer', 'Memory');
    await v.page.getByLabel('Move to…').selectOption(PROJECT);
    await v.page.getByText('Moved').waitFor();
    await go(v, `/memory/${PROJECT}?fact=wanderer`, 'Memory');
    await v.page.getByRole('heading', { name: 'wanderer' }).waitFor();
    await v.page.getByRole('button', { name: 'Forget' }).click();
    await v.page.locator('[data-act=confirm]').click();
    await v.page.getByRole('link', { name: 'wanderer' }).waitFor({ state: 'detached' });
    expect((await daemon.rest('GET', `/memory_stores/${PROJECT}/facts`)).body.total).to.equal(1);
  });

  it('keeps the rules that sessions start with', async () => {
    await go(v, '/memory', 'Memory');
    const rules = v.page.getByLabel('Rules', { exact: true });
    await rules.fill('Be brief.');
    await v.page.locator('memory-rules').getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('Saved').waitFor();
    const { body } = await daemon.rest('GET', '/memory/context?cwd=/');
    expect(body.text).to.contain('Be brief.');
  });

  it('shows hostile text as text', async () => {
    await add('global', '<img src=x onerror=alert(1)> {{7*7}} ${1}', '<script>alert(1)</script>');
    await go(v, '/memory?q=onerror', 'Memory');
    await v.page.getByRole('link', { name: '<script>' }).click();
    expect(await text().inputValue()).to.contain('<img src=x');
  });

  for (const dark of [false, true])
    it(`is free of what axe-core knows to be wrong in the ${dark ? 'dark' : 'light'} theme, and fits 360 px`, async () => {
      const w = await visit(browser, daemon, { dark });
      await go(w, '/memory?fact=meeting', 'Memory');
      await w.page.getByRole('heading', { name: 'meeting' }).waitFor();
      await screenshot(w.page, `memory-${dark ? 'dark' : 'light'}`);
      expect(await axe(w.page)).to.deep.equal([]);
      await w.page.setViewportSize({ width: 360, height: 740 });
      expect(await w.page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(360);
      await screenshot(w.page, `memory-narrow-${dark ? 'dark' : 'light'}`);
      await w.page.context().close();
    });
});
