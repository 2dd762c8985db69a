import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { ROOT, acceptance, startDaemon, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('chat in the browser', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  let other: Visit;
  let folder: string;
  before(async () => {
    daemon = await startDaemon();
    await daemon.rest('POST', '/plugins', { spec: path.join(ROOT, 'testing/agents/parrot') });
    folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-chat-'));
    browser = await openBrowser();
    v = await visit(browser, daemon);
    other = await visit(browser, daemon, { dark: true });
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    expect(v.complaints).to.deep.equal([]);
    expect(other.complaints).to.deep.equal([]);
  });
  const rest = async (method: string, at: string, body?: object): Promise<{ id: string }> =>
    (await daemon.rest(method, `/chat/conversations${at}`, body)).body;
  const begin = async (agent_config: object = {}): Promise<string> =>
    (await rest('POST', '', { agent_key: 'parrot', agent_config })).id;
  const say = (id: string, text: string): Promise<unknown> => rest('POST', `/${id}/messages`, { text });
  const open = async (visit: Visit, id: string): Promise<void> => {
    await visit.page.goto(`${visit.base}/chat/${id}`);
    await message(visit.page).waitFor();
  };
  const message = (page: Page): Locator => page.getByLabel('Message', { exact: true });
  const send = async (page: Page, text: string): Promise<void> => {
    await message(page).fill(text);
    await message(page).press('Enter');
  };
  let gates = 0;
  /** A file that a turn waits for. */
  const gate = (): { file: string; open(): void } => {
    const file = path.join(folder, `gate-${gates++}`);
    return { file, open: () => writeFileSync(file, '') };
  };

  it('begins a conversation: agents with what is missing, the agent’s own form, its faults at their fields, the first message', async () => {
    await go(v, '/chat', 'New conversation');
    await v.page.getByText('not available: it is extinct').waitFor();
    expect(await v.page.getByRole('radio', { name: 'Dodo' }).isDisabled()).to.equal(true);
    expect(await v.page.getByRole('radio', { name: 'Parrot' }).isChecked()).to.equal(true);
    await v.page.getByLabel('Folder').fill(path.join(folder, 'nowhere'));
    await v.page.getByLabel('Model').fill('parrot-2');
    await v.page.getByLabel('Model').press('Tab');
    await send(v.page, 'say Hello there');
    await v.page.getByText('does not exist').first().waitFor();
    expect(await message(v.page).inputValue(), 'nothing typed is lost').to.equal('say Hello there');
    await v.page.getByLabel('Folder').fill(folder);
    await message(v.page).press('Enter');
    await v.page.getByRole('heading', { level: 1, name: 'say Hello there' }).waitFor();
    await v.page.getByText('Hello there', { exact: true }).waitFor();
    await v.page.getByText('parrot-2', { exact: true }).waitFor();
    expect(await v.page.getByText(`Parrot in ${folder}`).count()).to.equal(1);
    expect(await axe(v.page)).to.deep.equal([]);
    await screenshot(v.page, 'chat');
  });

  it('shows a turn on two screens as it comes: text, tools, a diff, figures; a screen that comes late has all of it', async () => {
    const id = await begin();
    await open(v, id);
    const wait = gate();
    await send(
      v.page,
      [
        'say # Plan\\n\\nFirst **look**, then `fix`.\\n\\n- one\\n- two',
        'tool Read {"file_path":"src/auth.ts"}',
        'result 44 lines',
        'tool Edit {"file_path":"src/auth.ts","old_string":"go();","new_string":"await go();"}',
        'result ok',
        'tool Bash {"command":"npm test"}',
        `wait ${wait.file}`,
        'failed 2 tests failed',
        'say Two fail still.',
        'usage parrot-9 1200 34',
      ].join('\n'),
    );
    await v.page.getByRole('heading', { name: 'Plan' }).waitFor();
    await open(other, id);
    for (const { page } of [v, other]) {
      await page.getByText('src/auth.ts').first().waitFor();
      await page.locator('cf-diff').getByText('await go();').waitFor();
      await page.locator('chat-tool').filter({ hasText: 'npm test' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
    }
    wait.open();
    for (const { page } of [v, other]) {
      await page.getByText('Two fail still.', { exact: true }).waitFor();
      await page.getByText('1,200 tokens in, 34 out').waitFor();
      await page.getByText('parrot-9', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      expect(await page.locator('chat-block strong').first().innerText()).to.equal('look');
      expect(await page.locator('chat-block li').count()).to.equal(2);
    }
    await v.page.locator('chat-tool').filter({ hasText: 'npm test' }).locator('summary').click();
    await v.page.getByText('2 tests failed', { exact: true }).waitFor();
    expect(await axe(v.page)).to.deep.equal([]);
    expect(await axe(other.page)).to.deep.equal([]);
    await screenshot(v.page, 'chat-tools');
    // What was seen live is what is kept.
    const cards = (page: Page): Promise<string[]> => page.locator('chat-tool summary').allInnerTexts();
    const live = await cards(other.page);
    await other.page.reload();
    await other.page.getByText('Two fail still.', { exact: true }).waitFor();
    expect(await cards(other.page)).to.deep.equal(live);
  });

  // Seen, edited and removed on both screens; Stop holds back what waits.
  acceptance('008-chat', 'editing a queued message re-queues it at the tail', async () => {
    const id = await begin();
    await open(v, id);
    await open(other, id);
    await send(v.page, 'say Working.\nhang');
    await other.page.getByText('Working.', { exact: true }).waitFor();
    for (const text of ['say one', 'say two', 'say three']) await send(v.page, text);
    const items = (page: Page): Locator => page.getByRole('list', { name: 'Waiting messages' }).locator('li.item');
    for (const { page } of [v, other]) await items(page).nth(2).waitFor();
    await items(other.page).nth(1).getByRole('button', { name: 'Remove from the queue' }).click();
    await items(v.page).nth(2).waitFor({ state: 'detached' });
    await items(other.page).nth(0).getByRole('button', { name: 'Edit: it goes to the end of the queue' }).click();
    expect(await message(other.page).inputValue()).to.equal('say one');
    await message(other.page).fill('say one, edited');
    await message(other.page).press('Enter');
    await items(v.page).filter({ hasText: 'say one, edited' }).waitFor();
    expect((await items(v.page).allInnerTexts()).map((t) => t.replace(/\s+/g, ' ').trim())).to.deep.equal([
      '1 say three',
      '2 say one, edited',
    ]);
    expect(await axe(v.page)).to.deep.equal([]);
    await other.page.getByRole('button', { name: 'Stop' }).click();
    for (const { page } of [v, other]) {
      await page.getByText('Stopped', { exact: true }).waitFor();
      await page.getByText('2 messages are held back').waitFor();
    }
    await v.page.getByRole('button', { name: 'Go on' }).click();
    for (const { page } of [v, other]) {
      await page.getByText('one, edited', { exact: true }).waitFor();
      await page.getByRole('list', { name: 'Waiting messages' }).waitFor({ state: 'detached' });
    }
  });

  it('stops with Escape twice, keeps what was typed, breaks lines with Shift and Enter', async () => {
    const id = await begin();
    await open(v, id);
    await send(v.page, 'say On it.\nhang');
    await v.page.getByText('On it.', { exact: true }).waitFor();
    const box = message(v.page);
    const low = (await box.boundingBox())?.height ?? 0;
    await box.fill('first line');
    for (let i = 0; i < 12; i++) await box.press('Shift+Enter');
    const high = (await box.boundingBox())?.height ?? 0;
    expect(high)
      .to.be.greaterThan(low * 3)
      .and.lessThan(200);
    await box.press('Escape');
    await box.press('Escape');
    await v.page.getByText('Stopped', { exact: true }).waitFor();
    expect(await box.inputValue()).to.contain('first line');
    await v.page.reload();
    await message(v.page).waitFor();
    expect(await box.inputValue()).to.contain('first line');
    await box.fill('');
  });

  it('shows whatever an agent writes as text: no script, no markup, no strange link', async () => {
    const id = await begin();
    await open(v, id);
    await send(
      v.page,
      String.raw`say <img src=x onerror="document.title='owned'"> <script>document.title='owned'</script>\n\n[click](javascript:alert(1)) [web](https://example.com/a) ![pic](https://example.com/p.png)\n\n${'```'}html\n<b>bold</b>\n${'```'}\n\n| a | b |\n|---|---|\n| 1 | <i>2</i> |`,
    );
    await v.page.getByRole('cell', { name: '<i>2</i>' }).waitFor();
    const answer = v.page.locator('chat-markdown');
    expect(await answer.locator('img, script, b, i').count()).to.equal(0);
    const links = await answer
      .locator('a')
      .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('rel'), a.getAttribute('target')]));
    expect(links).to.deep.equal([
      ['https://example.com/a', 'noopener noreferrer', '_blank'],
      ['https://example.com/p.png', 'noopener noreferrer', '_blank'],
    ]);
    await answer.getByText('<b>bold</b>').waitFor();
    await v.page.getByRole('button', { name: 'Copy' }).first().click();
    await v.page.getByText('Copied').waitFor();
    expect(await v.page.title()).not.to.equal('owned');
  });

  it('finds, archives, restores, renames and deletes, in step with another screen and the command line', async () => {
    const id = await begin();
    await say(id, 'say Findable words');
    await go(other, '/chat', 'New conversation');
    await open(v, id);
    await v.page.getByRole('button', { name: 'Rename' }).click();
    await v.page.getByLabel('Title', { exact: true }).fill('Quarterly plan');
    await v.page.getByLabel('Title', { exact: true }).press('Enter');
    const entry = other.page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /Quarterly plan/ });
    await entry.waitFor();
    await other.page.getByRole('searchbox', { name: 'Search titles' }).fill('ＱＵＡＲＴ');
    await entry.waitFor();
    await other.page.getByRole('searchbox', { name: 'Search titles' }).fill('nothing like it');
    await other.page.getByText('No title fits.').waitFor();
    await other.page.getByRole('searchbox', { name: 'Search titles' }).fill('');
    await daemon.cli(['chat', 'archive', id]);
    await entry.waitFor({ state: 'detached' });
    await other.page.getByText('Archived', { exact: true }).click();
    await entry.click();
    await other.page.getByRole('button', { name: 'Restore' }).click();
    await v.page.getByRole('button', { name: 'Archive it' }).waitFor();
    await v.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await v.page.locator('[data-act=confirm]').click();
    await v.page.getByRole('heading', { level: 1, name: 'New conversation' }).waitFor();
    await other.page.getByText('This conversation is gone').waitFor();
    await other.page.getByText('Active', { exact: true }).click();
  });

  it('says failed of what failed, and goes on after Coffer was killed in the middle of a turn', async () => {
    const id = await begin();
    await open(v, id);
    await open(other, id);
    await send(v.page, 'say Half\nfail over_limit');
    await other.page.locator('chat-message').getByText('The parrot fails: over_limit.').waitFor();
    await send(v.page, 'say Before the end\nhang');
    await other.page.getByText('Before the end', { exact: true }).waitFor();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await daemon.kill();
    for (const { page } of [v, other])
      await page
        .getByText(/The line is cut/)
        .first()
        .waitFor();
    expect(await v.page.locator('.caret').count(), 'nothing spins').to.equal(0);
    const { port } = daemon;
    daemon.env['COFFER_PORT'] = String(port);
    await daemon.restart();
    for (const { page } of [v, other]) {
      await page.getByText('Coffer was stopped while this turn ran.').waitFor({ timeout: 20_000 });
      await page.getByText('Before the end', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    }
    await send(other.page, 'say And on');
    await v.page.getByText('And on', { exact: true }).waitFor();
  });

  it('opens a long conversation at its end, loads what is earlier, and holds still while one reads', async () => {
    const id = await begin();
    for (let i = 0; i < 130; i++) await say(id, `say Answer ${i}.`);
    await daemon.rest('GET', `/chat/conversations/${id}`);
    for (let n = 0; n < 260;) {
      n = (await daemon.rest('GET', `/chat/conversations/${id}/messages?limit=1`)).body.total as number;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await open(v, id);
    await v.page.getByText('Answer 129.', { exact: true }).waitFor();
    const thread = v.page.locator('.thread');
    const fromEnd = (): Promise<number> => thread.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    expect(await fromEnd()).to.be.lessThan(64);
    await thread.evaluate((e) => (e.scrollTop = 0));
    await v.page.getByRole('button', { name: 'Latest' }).waitFor();
    const earlier = v.page.getByRole('button', { name: 'Earlier messages' });
    for (const oldest of ['Answer 30.', 'Answer 0.']) {
      await earlier.click();
      await v.page.getByText(oldest, { exact: true }).waitFor({ state: 'attached' });
    }
    await earlier.waitFor({ state: 'detached' });
    const at = await thread.evaluate((e) => e.scrollTop);
    await say(id, 'words 20');
    await v.page.getByText(/1 2 3 .* 20/).waitFor({ state: 'attached' });
    expect(Math.abs((await thread.evaluate((e) => e.scrollTop)) - at)).to.be.lessThan(5);
    await v.page.getByRole('button', { name: 'Latest' }).click();
    await v.page.getByRole('button', { name: 'Latest' }).waitFor({ state: 'detached' });
    expect(await fromEnd()).to.be.lessThan(64);
  });

  acceptance('008-chat', 'a channel-driven conversation is observable from the console', async () => {
    await daemon.rest('POST', '/plugins', { spec: path.join(ROOT, 'testing/agents/messenger') });
    const wait = gate();
    const { body } = await daemon.rest('POST', '/messenger', {
      text: `say Over the phone.\nwait ${wait.file}\nsay Done.`,
    });
    await open(v, body.conversation as string);
    await v.page.getByText('Over the phone.', { exact: true }).waitFor();
    const history = v.page.getByRole('navigation', { name: 'Conversations' });
    await history
      .getByRole('link', { name: /Over the phone/ })
      .getByText('phone-bot')
      .waitFor();
    await daemon.rest('POST', '/messenger', { text: 'say And this.' });
    await v.page.getByRole('list', { name: 'Waiting messages' }).getByText('phone-bot').waitFor();
    await send(v.page, 'say From the desk.');
    wait.open();
    await v.page.locator('chat-markdown').getByText('From the desk.', { exact: true }).waitFor();
    const said = await v.page.locator('chat-block p').allInnerTexts();
    expect(said.join(' ')).to.match(/Over the phone\..*Done\..*And this\..*From the desk\./s);
  });

  it('works at 360 pixels', async () => {
    const id = await begin({ cwd: folder });
    await say(
      id,
      'say Narrow `code that is quite long and does not break anywhere at all`\ntool Read {"file_path":"a/very/long/path/that/goes/on/and/on/file.ts"}\nresult ok',
    );
    await v.page.setViewportSize({ width: 360, height: 740 });
    await open(v, id);
    await v.page.getByText('Narrow').first().waitFor();
    expect(await v.page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(360);
    expect(await axe(v.page)).to.deep.equal([]);
    await screenshot(v.page, 'chat-phone');
    await v.page.getByRole('button', { name: 'Conversations' }).click();
    await v.page.getByRole('searchbox', { name: 'Search titles' }).waitFor();
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click();
    await message(v.page).waitFor();
    await v.page.setViewportSize({ width: 1440, height: 900 });
  });
});
