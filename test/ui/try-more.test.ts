import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { servers, startDaemon, type RealDaemon } from '@coffer/testing';
import { allText, axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HOSTILE = '<img src=x onerror="window.hurt=1">';

/** A server with a resource of each kind of content, and a prompt of two messages. */
const GALLERY = `
import { createInterface } from 'node:readline';
const contents = {
  'art://pixel': { mimeType: 'image/png', blob: '${PIXEL}' },
  'art://facts': { mimeType: 'application/json', text: '{"colour":"teal"}' },
  'art://page': { mimeType: 'text/html', text: ${JSON.stringify(HOSTILE)} },
  'art://letter': { mimeType: 'text/plain', blob: '${Buffer.from('Grüße').toString('base64')}' },
  'art://bytes': { mimeType: 'application/octet-stream', blob: 'AAEC' },
};
const answer = {
  initialize: () => ({ protocolVersion: '2025-06-18', serverInfo: { name: 'gallery', version: '1' }, capabilities: { resources: {}, prompts: {} } }),
  ping: () => ({}),
  'resources/list': () => ({ resources: Object.keys(contents).map((uri) => ({ uri, name: uri.slice(6) })) }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: [{ name: 'praise', description: 'Praises it' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, ...contents[uri] }] }),
  'prompts/get': () => ({ messages: [
    { role: 'user', content: { type: 'image', mimeType: 'image/png', data: '${PIXEL}' } },
    { role: 'assistant', content: { type: 'text', text: 'How very small.' } },
  ] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const made = answer[method]?.(params);
  const rest = made === undefined ? { error: { code: -32601, message: 'no ' + method } } : { result: made };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
});
`;

describe('Try it, for resources and prompts', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let folder: string;
  let v: Visit;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'coffer-try-'));
    writeFileSync(path.join(folder, 'gallery.mjs'), GALLERY);
    daemon = await startDaemon();
    await daemon.addStdio('everything', servers.everything());
    await daemon.addStdio('gallery', [path.join(folder, 'gallery.mjs')]);
    browser = await openBrowser();
    v = await visit(browser, daemon);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => expect(v.complaints).to.deep.equal([]));

  const panel = (name: string): Locator => v.page.getByRole('region', { name: `Try ${name}`, exact: true });
  const press = (name: string, verb: string): Promise<void> =>
    panel(name).getByRole('button', { name: verb, exact: true }).click();
  const choose = (name: string): Promise<void> =>
    v.page.getByRole('button', { name: `Try ${name}`, exact: true }).click();

  it('reads a resource and shows it by the kind of its content', async () => {
    await go(v, '/mcp-servers/gallery?tab=resources', 'gallery');
    await choose('pixel');
    await press('pixel', 'Read');
    const picture = panel('pixel').getByRole('img', { name: 'Image of the result' });
    await picture.waitFor();
    expect(await picture.evaluate((i: HTMLImageElement) => [i.complete, i.naturalWidth])).to.deep.equal([true, 1]);
    await screenshot(v.page, 'mcp-server-resources-light');
    expect(await axe(v.page)).to.deep.equal([]);
    await choose('facts');
    await press('facts', 'Read');
    await panel('facts').getByText('"teal"').waitFor();
    await choose('letter');
    await press('letter', 'Read');
    await panel('letter').getByText('Grüße').waitFor();
    await choose('bytes');
    await press('bytes', 'Read');
    await panel('bytes').getByText('"AAEC"').waitFor();
    await choose('page');
    await press('page', 'Read');
    await panel('page').getByText(HOSTILE).waitFor();
    expect(await v.page.evaluate('window.hurt')).to.equal(undefined);
  });

  it('fills a template from a form, by keys alone, and tells a refusal', async () => {
    await go(v, '/mcp-servers/everything?tab=resources', 'everything');
    await choose('Dynamic Text Resource');
    const field = panel('Dynamic Text Resource').getByRole('textbox');
    await field.fill('7');
    await field.press('Control+Enter');
    await panel('Dynamic Text Resource').getByText('demo://resource/dynamic/text/7').first().waitFor();
    await field.fill('none');
    await press('Dynamic Text Resource', 'Read');
    await panel('Dynamic Text Resource').getByText('UPSTREAM_ERROR').waitFor();
    await v.page.reload();
    await panel('Dynamic Text Resource').waitFor();
    expect(await field.inputValue(), 'what was typed').to.equal('none');
  });

  it('gets a prompt from a form of its arguments, and draws its messages', async () => {
    await go(v, '/mcp-servers/everything?tab=prompts', 'everything');
    await choose('args-prompt');
    await press('args-prompt', 'Get');
    await panel('args-prompt').locator('.errmsg').first().waitFor();
    await panel('args-prompt').getByRole('textbox').first().fill('Rome');
    await press('args-prompt', 'Get');
    const said = panel('args-prompt').getByRole('region', { name: 'The person says' });
    await said.getByText("What's weather in Rome?").waitFor();
    await screenshot(v.page, 'mcp-server-prompts-light');
    expect(await axe(v.page)).to.deep.equal([]);
    await go(v, '/mcp-servers/gallery?tab=prompts', 'gallery');
    await choose('praise');
    await press('praise', 'Get');
    await panel('praise').getByRole('img', { name: 'Image of the result' }).waitFor();
    await panel('praise').getByRole('region', { name: 'The agent says' }).getByText('How very small.').waitFor();
  });

  it('is refused what is switched off, is found in Activity without what was said, and fits 360 px', async () => {
    const key = { capability_key: 'praise' };
    await daemon.rest('POST', '/resources/mcp_server/gallery/capabilities/prompt/disable', key);
    await v.page.setViewportSize({ width: 360, height: 740 });
    await go(v, '/mcp-servers/gallery?tab=prompts&try=praise', 'gallery');
    await panel('praise').getByText('It is switched off').waitFor();
    await press('praise', 'Get');
    await panel('praise').getByText('TOOL_DISABLED').waitFor();
    await screenshot(v.page, 'mcp-server-prompts-phone');
    expect(
      await v.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).to.equal(0);
    await v.page.setViewportSize({ width: 1440, height: 900 });
    await go(v, '/activity', 'Activity');
    await v.page.getByText('args-prompt').first().waitFor();
    await v.page.getByText('art://pixel').first().waitFor();
    expect(await allText(v.page)).not.to.match(/Rome|teal/);
  });
});
