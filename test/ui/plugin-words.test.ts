import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { startDaemon, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit, type Visit } from './browser.js';
import { pluginWithPage } from './plugins.js';

/** A page that says one sentence, in the language of the reader. */
const page = (name: string): string => `
  import { html } from 'lit';
  import { CofferElement, t } from '@coffer/ui';
  customElements.define('${name}-page', class extends CofferElement {
    render() { return html\`<h1>\${t('Good day')}</h1>\`; }
  });`;

describe('translations of plugins', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let folder: string;
  let v: Visit;
  const asked: string[] = [];
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coffer-ui-'));
    daemon = await startDaemon();
    browser = await openBrowser();
    for (const [name, words] of [
      ['speaks', "import { addMessages } from '@coffer/ui'; addMessages('zh', { 'Good day': '日安' });"],
      ['stutters', "throw new Error('no words today');"],
    ] as const) {
      const dir = pluginWithPage(folder, name, page(name), { words: { zh: './ui/zh.js' } });
      writeFileSync(path.join(dir, 'ui/zh.js'), words);
      const added = await daemon.cli(['plugin', 'add', dir, '--yes']);
      expect(added.code, added.stderr).to.equal(0);
    }
    v = await visit(browser, daemon);
    v.page.on('request', (r) => asked.push(new URL(r.url()).pathname));
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const wordsAsked = (): string[] => asked.filter((at) => /\/(zh|words)\.js$|\/zh-/.test(at));

  it('are not fetched by whoever reads English', async () => {
    await go(v, '/speaks', 'Good day');
    expect(wordsAsked()).to.deep.equal([]);
  });

  it('come when Chinese is chosen, without a reload; one that fails leaves the rest as it is', async () => {
    await v.page.locator('[data-act=language]').click();
    await v.page.getByRole('heading', { level: 1, name: '日安' }).waitFor();
    expect(wordsAsked()).to.include.members(['/plugins/speaks/ui/zh.js', '/plugins/stutters/ui/zh.js']);
    // its page is whole, in the language it has: here another plugin knows the same sentence
    await v.page.getByRole('link', { name: 'Page of stutters' }).click();
    await v.page.waitForURL('**/stutters');
    await v.page.locator('stutters-page').getByRole('heading', { level: 1, name: '日安' }).waitFor();
    await go(v, '/plugins', '插件');
    expect(v.complaints).to.deep.equal([]);
  });
});
