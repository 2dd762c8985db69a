import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { ROOT, servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit } from './browser.js';
import { report } from './report.js';

const KIT = path.join(ROOT, 'ui/src/kit');

/** The tags that the kit defines, by its own sources. */
function defined(): string[] {
  const sources = readdirSync(KIT, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));
  const texts = sources.map((file) => readFileSync(path.join(KIT, file), 'utf8'));
  return texts
    .flatMap((text) => [...text.matchAll(/(?:customElement|define)\('([\w-]+)'/g)].map((m) => m[1] ?? ''))
    .sort();
}

describe('the page of the UI kit', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  before(async () => {
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    await daemon.rest('POST', '/credentials', { ref: 'github/token', value: 'not shown' });
    const added = await daemon.cli(['plugin', 'add', path.join(ROOT, 'docs/ui-kit'), '--yes']);
    expect(added.code, added.stderr).to.equal(0);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`shows every element that the kit defines, each drawn, with no complaint and no fault, in the ${theme} theme`, async () => {
      const v = await visit(browser, daemon, { dark: theme === 'dark' });
      const errors: string[] = [];
      v.page.on('console', (m) => {
        if (m.type() === 'error' || m.type() === 'warning') errors.push(m.text());
      });
      await go(v, '/ui-kit', 'UI kit');
      await v.page.locator('cf-skeleton').locator('.sk').first().waitFor();
      await v.page.locator('[data-element=cf-chart] canvas').first().waitFor();
      await v.page.locator('[data-element=cf-resource] cf-answers').waitFor();
      await v.page.locator('[data-element=cf-extension]').getByText('does not define ui-kit-absent').waitFor();
      const shown: string[] = [];
      for (const section of await v.page.locator('[data-element]').all()) {
        const tag = (await section.getAttribute('data-element')) ?? '';
        const one = section.locator(tag).first();
        if (tag === 'cf-dialog') await section.getByRole('button', { name: 'Open' }).click();
        const what = tag === 'cf-dialog' ? one.locator('dialog') : one;
        await what.waitFor();
        const box = await what.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0), `${tag} has a size`).to.be.greaterThan(0);
        if (tag === 'cf-dialog') await v.page.keyboard.press('Escape');
        shown.push(tag);
      }
      expect(shown.sort()).to.deep.equal(defined());
      await screenshot(v.page, `ui-kit-${theme}`);
      const faults = await axe(v.page);
      report(`axe-kit-${theme}`, [
        `axe-core, UI kit, ${shown.length} elements, ${theme} theme: ${faults.length} violations`,
      ]);
      expect(faults).to.deep.equal([]);
      expect([...errors, ...v.complaints]).to.deep.equal([]);
      await v.page.context().close();
    });
  }

  it('follows the person: a switch, tabs, a form with a fault, a question, a dialog by keyboard', async () => {
    const v = await visit(browser, daemon);
    await go(v, '/ui-kit', 'UI kit');
    const at = (tag: string): ReturnType<typeof v.page.locator> => v.page.locator(`[data-element=${tag}]`);
    const echo = at('cf-switch').getByRole('switch', { name: 'echo' });
    await echo.click();
    expect(await echo.getAttribute('aria-checked')).to.equal('true');
    expect(await at('cf-switch').getByRole('switch', { name: 'locked' }).isDisabled()).to.equal(true);

    await at('cf-tabs').getByRole('tab', { name: 'Tools' }).focus();
    await v.page.keyboard.press('ArrowRight');
    expect(await at('cf-tabs').getByRole('tab', { name: 'Log' }).getAttribute('aria-selected')).to.equal('true');

    const form = at('cf-form').locator('cf-form').first();
    await form.getByLabel('Name', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid=true]').first().waitFor();
    await form.getByLabel('Name', { exact: true }).fill('notes');
    await form.getByRole('button', { name: 'Save' }).click();
    await v.page.getByText('What was typed holds').waitFor();

    const open = at('cf-dialog').getByRole('button', { name: 'Open' });
    await open.focus();
    await v.page.keyboard.press('Enter');
    const dialog = v.page.getByRole('dialog', { name: 'Add a snippet' });
    await dialog.waitFor();
    await v.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await open.evaluate((node) => node.matches(':focus'))).to.equal(true);

    await at('cf-dialog').getByRole('button', { name: 'Delete…' }).click();
    await v.page.locator('[data-act=confirm]').click();
    await v.page.getByText('3 snippets were deleted').waitFor();
    await v.page.getByRole('button', { name: 'Undo' }).click();
    await v.page.getByText('They are back').waitFor();

    const many = at('cf-table').locator('cf-table').nth(1);
    expect(await many.getByRole('table').getAttribute('aria-rowcount')).to.equal('5001');
    expect(await many.locator('tr[data-row]').count()).to.be.lessThan(100);
    expect(v.complaints).to.deep.equal([]);
    await v.page.context().close();
  });
});
