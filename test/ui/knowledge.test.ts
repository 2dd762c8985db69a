import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('knowledge in the browser', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
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
  const file = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(text),
  });

  it('a base is made, files go in, and each says what became of it', async () => {
    await go(v, '/knowledge', 'Knowledge');
    await v.page.getByText('There are no knowledge bases').waitFor();
    await v.page.getByRole('button', { name: 'New knowledge base' }).click();
    await v.page.getByLabel('Name', { exact: true }).fill('handbook');
    await v.page.getByLabel('What is in it').fill('How we work');
    await v.page.getByRole('button', { name: 'Make it' }).click();
    await v.page.getByRole('heading', { level: 1, name: 'handbook' }).waitFor();
    const input = v.page.locator('input[type=file]');
    await input.setInputFiles([
      file('deploy.md', '# Rollback\n\nIf the check fails twice, roll back. See POL-358.'),
      file('notes.html', '<h1>发布</h1><p>确认故障后十分钟内回滚。</p>'),
      file('scan.pdf', 'no PDF at all'),
    ]);
    const adding = v.page.getByRole('region', { name: 'Adding' });
    await adding.getByText('3 of 3').waitFor({ timeout: 20_000 });
    expect(await adding.getByText('Taken in').count()).to.equal(2);
    await adding.getByText('It is damaged, or is no PDF').waitFor();
    await v.page.getByRole('link', { name: 'Rollback' }).first().waitFor();
    await input.setInputFiles([file('deploy.md', '# Rollback\n\nOther words now.')]);
    await adding.getByText('Nothing was written').waitFor();
    await adding.getByRole('button', { name: 'Replace' }).click();
    await adding.getByText('Replaced').waitFor();
  });

  it('files are dropped on it', async () => {
    await go(v, '/knowledge/handbook', 'handbook');
    const transfer = await v.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['Dropped needle'], 'dropped.txt'));
      return data;
    });
    await v.page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
    await v.page.getByRole('region', { name: 'Adding' }).getByText('1 of 1').waitFor();
    await v.page.getByRole('link', { name: 'dropped' }).waitFor();
  });

  it('passages are found and marked, in any language', async () => {
    await go(v, '/knowledge/handbook', 'handbook');
    const search = v.page.getByRole('searchbox', { name: 'Search this base' });
    await search.fill('回滚');
    await v.page.locator('.hit mark').getByText('回滚').first().waitFor();
    await search.fill('needle');
    await v.page.locator('.hit mark').getByText('needle').waitFor();
    await search.fill('nothing of that kind');
    await v.page.getByRole('heading', { name: 'Nothing fits' }).waitFor();
  });

  it('a document is read, edited, compared with its original, and deleted', async () => {
    await go(v, '/knowledge/handbook', 'handbook');
    await v.page.getByRole('link', { name: 'dropped' }).click();
    const panel = v.page.getByRole('region', { name: 'dropped' });
    await panel.getByText('Dropped needle').waitFor();
    await panel.getByRole('button', { name: 'Edit' }).click();
    await panel.getByLabel('Markdown', { exact: true }).fill('Corrected needle');
    await panel.getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('Saved').waitFor();
    await panel.getByRole('button', { name: 'Compare' }).click();
    await panel.locator('cf-diff .del').getByText('Dropped needle').waitFor();
    await panel.locator('cf-diff .add').getByText('Corrected needle').waitFor();
    await screenshot(v.page, 'knowledge-compare');
    await panel.getByRole('button', { name: 'Delete' }).click();
    await v.page.locator('[data-act=confirm]').click();
    await v.page.getByRole('link', { name: 'dropped' }).waitFor({ state: 'detached' });
    const { body } = await daemon.rest('GET', '/resources/knowledge_base/handbook/documents');
    expect(body.total).to.equal(2);
  });

  for (const dark of [false, true])
    it(`is free of what axe-core knows to be wrong in the ${dark ? 'dark' : 'light'} theme, and fits 360 px`, async () => {
      const w = await visit(browser, daemon, { dark });
      await go(w, '/knowledge', 'Knowledge');
      await w.page.getByRole('link', { name: 'handbook' }).waitFor();
      expect(await axe(w.page)).to.deep.equal([]);
      await go(w, '/knowledge/handbook?q=rollback', 'handbook');
      await w.page.locator('.hit').first().waitFor();
      await screenshot(w.page, `knowledge-${dark ? 'dark' : 'light'}`);
      expect(await axe(w.page)).to.deep.equal([]);
      await w.page.setViewportSize({ width: 360, height: 740 });
      expect(await w.page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(360);
      await w.page.context().close();
    });
});
