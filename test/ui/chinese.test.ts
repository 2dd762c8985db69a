import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';
import { report } from './report.js';

const PAGES: readonly [name: string, to: string, heading: string | RegExp][] = [
  ['home', '/', /件事需要你处理/],
  ['mcp-servers', '/mcp-servers', 'MCP 服务器'],
  ['mcp-add-paste', '/mcp-servers?add=paste', 'MCP 服务器'],
  ['mcp-add-form', '/mcp-servers?add=form', 'MCP 服务器'],
  ['mcp-server-overview', '/mcp-servers/everything', 'everything'],
  ['mcp-server-tools', '/mcp-servers/everything?tab=tools&tool=echo', 'everything'],
  ['mcp-server-resources', '/mcp-servers/everything?tab=resources', 'everything'],
  ['mcp-server-prompts', '/mcp-servers/everything?tab=prompts', 'everything'],
  ['mcp-server-log', '/mcp-servers/broken?tab=log', 'broken'],
  ['mcp-server-scope', '/mcp-servers/everything?tab=scope', 'everything'],
  ['mcp-server-calls', '/mcp-servers/everything?tab=calls', 'everything'],
  ['mcp-server-history', '/mcp-servers/everything?tab=history', 'everything'],
  ['mcp-server-settings', '/mcp-servers/everything?tab=settings', 'everything'],
  ['generic-list', '/r/mcp_server', 'MCP 服务器'],
  ['generic-resource', '/r/mcp_server/everything', 'everything'],
  ['memory', '/memory', '记忆'],
  ['memory-new', '/memory?add=fact', '记忆'],
  ['activity', '/activity', '动态'],
  ['activity-changes', '/activity?show=changes', '动态'],
  ['search', '/search?q=echo', '工具搜索'],
  ['search-nothing', '/search', '工具搜索'],
  ['scope', '/scope', '机器与可见范围'],
  ['credentials', '/credentials', '凭据'],
  ['credentials-new', '/credentials?new=1', '凭据'],
  ['plugins', '/plugins', '插件'],
  ['settings-appearance', '/settings/appearance', '设置'],
  ['settings-retention', '/settings/retention', '设置'],
  ['settings-backup', '/settings/backup', '设置'],
  ['settings-key', '/settings/key', '设置'],
  ['settings-about', '/settings/about', '设置'],
  ['nowhere', '/nowhere', '这个地址没有内容'],
];

/** Names, technical words that Chinese keeps, and examples of paths. */
const KEPT = /^(Coffer|JSON|API|(Ctrl|⌘) K|En|English|openapi\.json|(\/[\w-]+)+)$/;

/** Everything a person reads or hears, a text node or attribute each; code and what people type excepted. */
function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const skip = 'script, style, noscript, code, pre, kbd, svg, textarea, .mono, [lang=en], [lang=zh]';
    const left: Node[] = [document.body];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '');
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title']) found.push(node.getAttribute(name) ?? '');
        if (node.matches(skip)) continue;
        found.push(node.getAttribute('placeholder') ?? '');
        if (node.shadowRoot !== null) left.push(node.shadowRoot);
      }
      node.childNodes.forEach((child) => left.push(child));
    }
    return found.map((w) => w.trim()).filter((w) => w !== '');
  });
}

/** How far the page is wider than its screen. */
function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Strings of an answer of the daemon, but for those that are written for people and have a translation. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'label' ? [] : [key, ...stringsOf(inner)]));
}

describe('the web UI in Chinese', function () {
  this.timeout(120_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  /** What the daemon told: names, descriptions and errors of others are shown as they are. */
  const data = new Set<string>();
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
    await daemon.addStdio('everything', servers.everything());
    await daemon.addStdio('broken', ['-e', 'process.exit(3)']);
    await daemon.rest('POST', '/credentials', { ref: 'github/token', value: 'not shown' });
    await daemon.rest('POST', '/gateway/call', { name: 'everything__echo', arguments: { message: 'hello' } });
    v = await visit(browser, daemon);
    v.page.on('response', (r) => {
      if (!/\/api\/v1\/(?!kinds|retention|events)/.test(r.url())) return;
      r.json().then(
        (body: unknown) => stringsOf(body).forEach((s) => data.add(s)),
        () => undefined,
      );
    });
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });

  /** Is it data, or a list or command that is made of data? A question mark says that a part may be left out. */
  const told = (words: string): boolean =>
    data.has(words) || [', ', ' '].some((gap) => words.split(gap).every((part) => data.has(part.replace(/\?$/, ''))));

  const ready = async (to: string, heading: string | RegExp): Promise<void> => {
    await go(v, to, heading);
    await v.page.locator('cf-skeleton').first().waitFor({ state: 'detached' });
  };

  it('is there at once when the language is switched, and back again', async () => {
    await go(v, '/settings/appearance', 'Settings');
    await v.page.evaluate('window.kept = true');
    await v.page.locator('[data-act=language]').click();
    await v.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
    await v.page.locator('[data-act=language]').click();
    await v.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await v.page.evaluate('window.kept'), 'the page was loaded anew').to.equal(true);
    await v.page.locator('[data-act=language]').click();
    await v.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
    expect(await v.page.evaluate('document.documentElement.lang')).to.equal('zh');
  });

  it('leaves no word of the page in English, is free of what axe-core knows to be wrong, and fits 360 px', async () => {
    const english: string[] = [];
    const faults: string[] = [];
    const wide: string[] = [];
    for (const [name, to, heading] of PAGES) {
      await v.page.setViewportSize({ width: 1440, height: 900 });
      await ready(to, heading);
      await screenshot(v.page, `${name}-zh`);
      faults.push(...(await axe(v.page)).map((f) => `${name}: ${f}`));
      for (const words of await wordsOf(v.page))
        if (/[A-Za-z]{2}/.test(words) && !/\p{Script=Han}/u.test(words) && !KEPT.test(words) && !told(words))
          english.push(`${name}: ${words}`);
      await v.page.setViewportSize({ width: 360, height: 740 });
      // A chart takes its new width a moment later.
      await until('it fits', async () => (await overhang(v.page)) <= 0, 2000).catch(() => wide.push(name));
    }
    report('chinese', [`axe-core, ${PAGES.length} pages in Chinese: ${faults.length} violations`]);
    expect(english).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    expect(wide).to.deep.equal([]);
    expect(v.complaints).to.deep.equal([]);
  });
});
