import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import type { AuditEntry } from '../../ui/src/kit/core/types.js';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('changes stand beside calls', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    for (const message of ['a', 'b'])
      await daemon.rest('POST', '/gateway/call', { name: 'everything__echo', arguments: { message } });
    browser = await openBrowser();
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });
  afterEach(() => expect(v.complaints).to.deep.equal([]));

  const titles = (): Promise<string[]> =>
    v.page.locator('cf-chart .mark').evaluateAll((all) => all.map((m) => (m as HTMLElement).title));

  it('on every chart of Activity, a burst as one mark, and a new one by itself', async () => {
    await go(v, '/activity?range=1h', 'Activity');
    await v.page.locator('cf-chart .mark').first().waitFor();
    await until('each chart has its marks', async () => (await titles()).length % 3 === 0);
    const entries = (await daemon.rest('GET', '/audit?limit=500')).body.entries as AuditEntry[];
    expect(entries.length, 'a new server brings many changes').to.be.greaterThan(10);
    expect((await titles()).length).to.be.lessThan(10);
    await daemon.rest('POST', '/resources/mcp_server/everything/disable');
    await v.page.locator('[data-changes]').getByText('switched off mcp_server:everything').waitFor();
    await until('the newest is on all three', async () => {
      const all = (await titles()).filter((x) =>
        /^\d\d:\d\d switched off mcp_server:everything(, and \d+ more)?$/.test(x),
      );
      return all.length === 3;
    });
    const out = await v.page.locator('cf-chart').evaluateAll((charts) =>
      charts.flatMap((chart) => {
        const box = chart.getBoundingClientRect();
        return Array.from(chart.shadowRoot?.querySelectorAll('.mark') ?? []).filter((m) => {
          const at = m.getBoundingClientRect();
          return at.left < box.left - 4 || at.right > box.right + 4 || at.height < 40;
        });
      }),
    );
    expect(out, 'marks outside their chart').to.deep.equal([]);
    await screenshot(v.page, 'activity-marks-light');
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.setViewportSize({ width: 360, height: 740 });
    await until('the charts have followed, and nothing scrolls sideways', () =>
      v.page.evaluate(() => document.documentElement.scrollWidth === document.documentElement.clientWidth),
    );
    await screenshot(v.page, 'activity-marks-phone');
    await v.page.setViewportSize({ width: 1440, height: 900 });
  });

  it('on the chart of Home too', async () => {
    await go(v, '/', /./);
    const mark = v.page.locator('cf-bars g title');
    await mark.first().waitFor({ state: 'attached' });
    expect((await mark.allTextContents()).join('\n')).to.match(/switched off mcp_server:everything/);
    await screenshot(v.page, 'home-marks-light');
    expect(await axe(v.page)).to.deep.equal([]);
  });

  it('and the list of servers shows the course of the day beside the number', async () => {
    await daemon.addStdio('quiet', servers.everything());
    await go(v, '/mcp-servers', 'MCP servers');
    const row = (name: string): Locator => v.page.getByRole('row').filter({ hasText: name });
    await row('quiet').waitFor();
    await row('everything').first().getByRole('img', { name: 'Calls by hour' }).waitFor();
    expect(await row('quiet').getByRole('img', { name: 'Calls by hour' }).count()).to.equal(0);
    const heights = await v.page
      .locator('cf-spark rect')
      .evaluateAll((all) => all.map((r) => Number(r.getAttribute('height'))));
    expect(heights.filter((h) => h > 0).length, 'hours with calls').to.be.within(1, 2);
    await screenshot(v.page, 'mcp-servers-spark-light');
    expect(await axe(v.page)).to.deep.equal([]);
  });
});
