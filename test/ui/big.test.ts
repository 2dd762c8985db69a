import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { fixtureCommand } from '@coffer/kernel/testing';
import { startDaemon, until, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';

const MANY = 5000;
/** What is in view, and some beyond it. */
const FEW = 100;

describe('five thousand rows', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    daemon = await startDaemon({ env: { COFFER_LOG_LEVEL: 'warn' } });
    const { command, args } = fixtureCommand('scripted', ['--tools-only', '--extra-tools', String(MANY)]);
    await daemon.addStdio('big', args, { command });
    browser = await openBrowser();
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  afterEach(() => expect(v.complaints).to.deep.equal([]));

  const rows = (table: Locator): Promise<number> =>
    table
      .getByRole('table')
      .getAttribute('aria-rowcount')
      .then((n) => Number(n) - 1);
  const drawn = (table: Locator): Promise<number> => table.locator('tr[data-row]').count();
  const scrollTo = (table: Locator, part: number): Promise<void> =>
    table.locator('.tw').evaluate((box, to) => void (box.scrollTop = box.scrollHeight * to), part);

  it('of tools: only what is in view is drawn, wherever it is scrolled to', async () => {
    await go(v, '/mcp-servers/big?tab=tools', 'big');
    const table = v.page.locator('cf-table').first();
    await table.locator('tr[data-row]').first().waitFor();
    const all = await rows(table);
    expect(all).to.be.at.least(MANY);
    // the bar tells the truth from the first drawing on
    const height = await table.locator('.tw').evaluate((box) => box.scrollHeight);
    expect(height).to.be.greaterThan(all * 45);
    for (const part of [0, 0.5, 1, 0.25]) {
      await scrollTo(table, part);
      const want = Math.min(all + 1, Math.max(2, Math.floor(all * part)));
      await until(`row ${want} is drawn`, () =>
        table.locator('tr[data-row]').evaluateAll((list, at) => {
          const indexes = list.map((tr) => Number(tr.getAttribute('aria-rowindex')));
          return indexes.some((i) => Math.abs(i - at) < 20);
        }, want),
      );
      expect(await drawn(table)).to.be.within(5, FEW);
      const last = await table.locator('.tw').evaluate((box) => box.scrollHeight);
      expect(Math.abs(last - height), 'the bar does not jump').to.be.lessThan(height * 0.02);
    }
  });

  it('of tools: the search narrows, what it finds is switched, and stays so when all are shown', async () => {
    await go(v, '/mcp-servers/big?tab=tools', 'big');
    const table = v.page.locator('cf-table').first();
    await table.getByRole('searchbox').fill('extra weather 4993');
    await table.getByText(/Showing 1 of/).waitFor();
    expect(await drawn(table)).to.equal(1);
    const control = table.getByRole('switch', { name: 'extra_weather_4993', exact: true });
    await control.click();
    await until('the daemon knows', async () => {
      const { body } = await daemon.rest('GET', '/resources/mcp_server/big/capabilities');
      const tool = (body.tools as { original_name: string; enabled: boolean }[]).find(
        (x) => x.original_name === 'extra_weather_4993',
      );
      return tool?.enabled === false;
    });
    await table.getByRole('searchbox').fill('none is called so');
    await table.getByText('Nothing fits').waitFor();
    await table.getByRole('button', { name: 'Show all' }).click();
    await until('all are back', async () => (await rows(table)) >= MANY);
    expect(await drawn(table)).to.be.within(5, FEW);
    await table.getByRole('button', { name: 'Off', exact: true }).click();
    await until('one is off', async () => (await rows(table)) === 1);
    expect(await control.getAttribute('aria-checked')).to.equal('false');
  });

  it('of tools: keys walk to rows that were not drawn', async () => {
    await go(v, '/mcp-servers/big?tab=tools', 'big');
    const table = v.page.locator('cf-table').first();
    await table.locator('tr[data-row]').first().focus();
    for (let i = 0; i < 30; i++) await v.page.keyboard.press('PageDown');
    await until('row 300 has the focus', () =>
      table
        .locator('tr[data-index="300"]')
        .evaluate((tr) => tr.matches(':focus'))
        .catch(() => false),
    );
    expect(await drawn(table)).to.be.within(5, FEW);
  });

  it('of calls: Activity fetches them page by page and draws only what is in view', async () => {
    // a tool that is off is refused at once, and the refusal is a call like any other
    const call = { name: 'big__extra_weather_1', arguments: {} };
    await daemon.rest('POST', '/resources/mcp_server/big/capabilities/tool/disable', {
      capability_key: 'extra_weather_1',
    });
    for (let made = 0; made < MANY; made += 100)
      await Promise.all(Array.from({ length: 100 }, () => daemon.rest('POST', '/gateway/call', call)));
    await go(v, '/activity', 'Activity');
    const table = v.page.locator('cf-table').first();
    await table.locator('tr[data-row]').first().waitFor();
    for (let have = await rows(table); have < MANY;) {
      await table.getByRole('button', { name: 'Show older' }).click();
      have = await until('older ones came', async () => {
        const now = await rows(table);
        return now > have ? now : 0;
      });
    }
    expect(await drawn(table)).to.be.within(5, FEW);
    await scrollTo(table, 1);
    await table.locator(`tr[aria-rowindex="${MANY}"]`).waitFor();
    expect(await drawn(table)).to.be.within(5, FEW);
    await table.getByRole('searchbox').fill('no such word');
    await table.getByText('Nothing fits').waitFor();
  });
});
