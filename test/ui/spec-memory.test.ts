import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { acceptance, servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { allText, go, openBrowser, visit, type Visit } from './browser.js';

const SPEC = '002-web-ui';

describe('002 web UI, what it remembers', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    browser = await openBrowser();
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
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
  const changes = ({ page }: Visit): Locator => page.locator('cf-audit-list tr[data-row]');

  describe('what happened', () => {
    acceptance(SPEC, 'invocations table renders the redesigned empty + populated states', async () => {
      await daemon.addStdio('quiet', servers.everything());
      await go(v, '/mcp-servers/quiet?tab=calls', 'quiet');
      await v.page.getByText('No call yet').waitFor();
      await daemon.rest('POST', '/gateway/call', { name: 'quiet__echo', arguments: { message: 'private words' } });
      const row = v.page.locator('cf-calls-list tr[data-row]').first();
      await row.getByText('quiet__echo').waitFor();
      await row.getByText('OK', { exact: true }).waitFor();
      await row.getByText(/\d+(\.\d+)? ?m?s$/).waitFor();
      expect(await allText(v.page)).not.to.include('private words');
      await daemon.rest('DELETE', '/resources/mcp_server/quiet');
    });

    acceptance(SPEC, 'audit route renders the audit log', async () => {
      await v.page.goto(`${v.base}/audit`);
      await v.page.getByRole('tab', { name: 'Changes', selected: true }).waitFor();
      const row = changes(v).filter({ hasText: 'registered' }).filter({ hasText: 'mcp_server:everything' });
      expect(await row.first().locator('time').getAttribute('datetime')).to.match(/^\d{4}-/);
    });

    acceptance(SPEC, 'legacy /observability redirects to the audit log', async () => {
      await v.page.goto(`${v.base}/observability`);
      await v.page.getByRole('tab', { name: 'Changes', selected: true }).waitFor();
      expect(new URL(v.page.url()).pathname).to.equal('/activity');
      await changes(v).first().waitFor();
    });

    acceptance(SPEC, 'audit log row expand shows raw log', async () => {
      await daemon.rest('PATCH', '/resources/mcp_server/everything', { description: 'once more' });
      await go(v, '/activity?show=changes', 'Activity');
      await changes(v).filter({ hasText: 'mcp_server:everything' }).first().click();
      const dialog = v.page.getByRole('dialog');
      await dialog.waitFor();
      const raw = await v.page.locator('cf-audit-list cf-json pre').innerText();
      expect(raw).to.include('"event_type": "resource_updated"').and.include('"resource_name": "everything"');
      await v.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    });

    acceptance(SPEC, 'audit log free-text filter narrows rows', async () => {
      await daemon.rest('POST', '/credentials', { ref: 'filter/one', value: 'x' });
      await go(v, '/activity?show=changes', 'Activity');
      await changes(v).first().waitFor();
      const all = await changes(v).count();
      expect(all).to.be.greaterThan(1);
      await v.page.getByRole('searchbox').fill('filter/one');
      await v.page.getByText(/Showing 1 of \d+/).waitFor();
      expect(await changes(v).count()).to.equal(1);
    });

    acceptance(SPEC, 'audit log pagination controls appear and advance page', async () => {
      const fresh = await startDaemon({ env: { COFFER_LOG_LEVEL: 'warn' } });
      const other = await visit(browser, fresh);
      try {
        const body = (i: number): object => ({ retention_days: 30 + (i % 2) });
        for (let i = 0; i < 520; i++) await fresh.rest('PATCH', '/retention/policies/audit_log', body(i));
        await go(other, '/activity?show=changes', 'Activity');
        const table = other.page.locator('cf-audit-list').getByRole('table');
        await table.waitFor();
        expect(Number(await table.getAttribute('aria-rowcount'))).to.equal(501);
        const older = other.page.getByRole('button', { name: 'Show older' });
        await older.click();
        await older.waitFor({ state: 'detached' });
        expect(Number(await table.getAttribute('aria-rowcount'))).to.be.greaterThan(520);
      } finally {
        await other.page.context().close();
        await fresh.stop();
      }
    });
  });

  describe('settings', () => {
    acceptance(SPEC, 'settings layout uses the redesigned tabbed sidebar', async () => {
      await go(v, '/settings', 'Settings');
      const side = v.page.getByRole('navigation', { name: 'Settings' });
      expect(await side.getByRole('link').count()).to.be.at.least(4);
      for (const name of ['Retention', 'Backup', 'About']) {
        await side.getByRole('link', { name }).click();
        await v.page.getByRole('heading', { level: 2, name }).waitFor();
        expect(await side.locator('[aria-current=page]').innerText()).to.equal(name);
      }
      expect(new URL(v.page.url()).pathname).to.equal('/settings/about');
      await v.page.reload();
      await v.page.getByRole('heading', { level: 2, name: 'About' }).waitFor();
    });

    acceptance(SPEC, 'retention period persists across reload', async () => {
      await go(v, '/settings/retention', 'Settings');
      const select = v.page.locator('[data-policy=mcp_invocations], [data-policy=invocations]').first();
      await select.selectOption('7');
      await v.page.getByText('Saved', { exact: true }).waitFor();
      await v.page.reload();
      await select.waitFor();
      expect(await select.inputValue()).to.equal('7');
      const { policies } = (await daemon.rest('GET', '/retention/policies')).body;
      expect((policies as { retention_days: number }[]).some((p) => p.retention_days === 7)).to.equal(true);
    });

    acceptance(SPEC, 'language switcher round-trips correctly', async () => {
      await go(v, '/settings', 'Settings');
      await v.page.evaluate('globalThis.sameDocument = true');
      const group = v.page.locator('cf-segmented').filter({ has: v.page.getByRole('button', { name: '中文' }) });
      await group.getByRole('button', { name: '中文' }).click();
      await v.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
      await v.page.getByRole('link', { name: '首页' }).waitFor();
      await group.getByRole('button', { name: 'English' }).click();
      await v.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      expect(await v.page.evaluate('globalThis.sameDocument')).to.equal(true);
      await group.getByRole('button', { name: '中文' }).click();
      await v.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
      await v.page.reload();
      await v.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
    });
  });
});
