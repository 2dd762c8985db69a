import { existsSync, readFileSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startDaemon, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { addTwoAgents, type TwoAgents } from '../two-agents.js';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('the pages of skills', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let agents: TwoAgents;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    daemon = await startDaemon();
    agents = await addTwoAgents(daemon);
    v = await visit(browser, daemon);
  });
  afterEach(async () => {
    const complaints = v?.complaints ?? [];
    await v?.page.context().close();
    await daemon?.stop();
    agents?.done();
    expect(complaints).to.deep.equal([]);
  });
  const master = (...more: string[]): string => path.join(daemon.home, 'skills', ...more);
  const button = (name: string | RegExp): ReturnType<Visit['page']['getByRole']> =>
    v.page.getByRole('button', { name, exact: typeof name === 'string' });
  async function has(name: string, files: Record<string, string> = {}): Promise<void> {
    const from = agents.skill(path.join(agents.dir, 'src', name), undefined, files);
    const { body } = await daemon.rest('POST', '/skill-imports', { type: 'folder', path: from });
    await daemon.rest('POST', `/skill-imports/${body.id}/confirm`, { names: [name] });
  }

  it('import in two steps: what is wrong is named, what is chosen is taken', async () => {
    const src = path.join(agents.dir, 'src');
    agents.skill(path.join(src, 'one'));
    agents.skill(path.join(src, 'two'));
    agents.skill(path.join(src, 'bad'));
    writeFileSync(path.join(src, 'bad', 'SKILL.md'), '---\nname: bad\n---\n');
    await go(v, '/skills', 'Skills');
    await button('Import').first().click();
    const source = v.page.getByLabel('Folder, git address or archive');
    await source.fill(path.join(agents.dir, 'nowhere'));
    await button('Look at it').click();
    await v.page.locator('[data-problem]').waitFor();
    expect(await source.inputValue()).to.include('nowhere');
    await source.fill(src);
    await button('Look at it').click();
    await v.page.getByRole('heading', { name: 'Choose what to take' }).waitFor();
    await v.page.getByText('SKILL.md, line 1: has no description').waitFor();
    expect(await v.page.locator('[data-candidate="bad"] input').isDisabled()).to.equal(true);
    expect(existsSync(master())).to.equal(false);
    await v.page.locator('[data-candidate="two"] input').uncheck();
    await screenshot(v.page, 'skills-import');
    expect(await axe(v.page)).to.deep.equal([]);
    await button('Import 1 skill').click();
    await v.page.getByRole('heading', { level: 1, name: 'one' }).waitFor();
    expect(readlinkSync(agents.of('codex', 'one'))).to.equal(master('one'));
    expect(existsSync(master('two'))).to.equal(false);
  });

  it('import an archive that the browser sends', async () => {
    const src = agents.skill(path.join(agents.dir, 'src', 'packed'));
    const { zipOf } = await import('../../plugins/kind-skill/test/zip-writer.js');
    const zip = path.join(agents.dir, 'packed.zip');
    writeFileSync(zip, zipOf([{ name: 'packed/SKILL.md', data: readFileSync(path.join(src, 'SKILL.md')) }]));
    await go(v, '/skills?import=1', 'Skills');
    await v.page.getByLabel('Or a zip or .skill file').setInputFiles(zip);
    await button('Import 1 skill').click();
    await v.page.getByRole('heading', { level: 1, name: 'packed' }).waitFor();
    expect(existsSync(master('packed', 'SKILL.md'))).to.equal(true);
  });

  it('show files, and write one that every agent then has', async () => {
    await has('one', { 'references/style.md': 'Be brief.\n' });
    await go(v, '/skills/one', 'one');
    await v.page.getByText('Do it well.').waitFor();
    await v.page.getByRole('link', { name: /style\.md/ }).click();
    await v.page.getByText('Be brief.').waitFor();
    await button('Edit').click();
    await v.page.getByRole('textbox', { name: 'references/style.md' }).fill('Be briefer.\n');
    await button('Save').click();
    await v.page.getByText('Saved; every agent has it now').waitFor();
    expect(readFileSync(agents.of('codex', 'one', 'references/style.md'), 'utf8')).to.equal('Be briefer.\n');
    await v.page.getByRole('link', { name: /SKILL\.md/ }).click();
    await button('Edit').click();
    const field = v.page.getByRole('textbox', { name: 'SKILL.md' });
    await field.fill('---\nname: one\n---\n');
    await button('Save').click();
    await v.page.getByText(/SKILL\.md, line 1: has no description/).waitFor();
    expect(await field.inputValue()).to.equal('---\nname: one\n---\n');
    await button('Discard').click();
    await screenshot(v.page, 'skill-files');
    expect(await axe(v.page)).to.deep.equal([]);
  });

  it('switch a skill off and on, and show where it is', async () => {
    await has('one');
    await go(v, '/skills', 'Skills');
    const control = v.page.getByRole('switch', { name: 'one', exact: true });
    await v.page.getByText('Linked').first().waitFor();
    await control.click();
    await v.page.getByText('Not delivered').first().waitFor();
    expect(existsSync(agents.of('codex', 'one'))).to.equal(false);
    await control.click();
    await v.page.getByText('Linked').first().waitFor();
    expect(existsSync(agents.of('codex', 'one'))).to.equal(true);
  });

  it('tell of drift, mend what may be mended, and let a person choose for the rest', async () => {
    await has('one');
    await has('two');
    unlinkSync(agents.of('codex', 'one'));
    unlinkSync(agents.of('codex', 'two'));
    agents.skill(agents.of('codex', 'two'), "The agent's own.");
    await go(v, '/skills', 'Skills');
    await v.page.getByText('2 skills are not as they should be').waitFor();
    await button('Verify all').click();
    await v.page.getByRole('heading', { name: '2 places differ' }).waitFor();
    await screenshot(v.page, 'skills-drift');
    expect(await axe(v.page)).to.deep.equal([]);
    await button('Repair').click();
    await v.page.getByRole('heading', { name: '1 place differs' }).waitFor();
    expect(readlinkSync(agents.of('codex', 'one'))).to.equal(master('one'));
    await go(v, '/skills/two?tab=agents', 'two');
    await v.page.getByText('Not a link any more').waitFor();
    await button("Take the agent's version").click();
    await button('Replace').click();
    await v.page.getByText('Not a link any more').waitFor({ state: 'detached' });
    expect(readFileSync(master('two', 'SKILL.md'), 'utf8')).to.include("The agent's own.");
    expect(readlinkSync(agents.of('codex', 'two'))).to.equal(master('two'));
  });

  it("take over what lies in an agent's own folder", async () => {
    agents.skill(agents.of('codex', 'own'));
    agents.skill(agents.of('codex', 'old'));
    await go(v, '/skills', 'Skills');
    await button('Look at them').click();
    await button('Take over own').click();
    await v.page.getByRole('link', { name: 'own', exact: true }).waitFor();
    expect(readlinkSync(agents.of('claude-code', 'own'))).to.equal(master('own'));
    await button('Delete old…').click();
    await button('Delete').click();
    await v.page.locator('[data-unmanaged]').waitFor({ state: 'detached' });
    expect(existsSync(agents.of('codex', 'old'))).to.equal(false);
  });

  it('speak Chinese, fit 360 px, and are free of what axe-core knows to be wrong in the dark', async () => {
    await has('one');
    const dark = await visit(browser, daemon, { dark: true });
    await go(dark, '/skills', 'Skills');
    await dark.page.getByText('Linked').first().waitFor();
    expect(await axe(dark.page)).to.deep.equal([]);
    await dark.page.setViewportSize({ width: 360, height: 740 });
    for (const [to, heading] of [
      ['/skills', 'Skills'],
      ['/skills/one', 'one'],
      ['/skills/one?tab=agents', 'one'],
    ] as const) {
      await go(dark, to, heading);
      const over = await dark.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over, to).to.be.at.most(0);
    }
    await dark.page.setViewportSize({ width: 1440, height: 900 });
    await dark.page.evaluate(() => localStorage.setItem('coffer.language', 'zh'));
    await go(dark, '/skills', '技能');
    await dark.page.getByText('已链接').first().waitFor();
    await screenshot(dark.page, 'skills-zh');
    expect(dark.complaints).to.deep.equal([]);
    await dark.page.context().close();
  });
});
