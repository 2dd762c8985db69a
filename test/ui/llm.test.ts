import { acceptance, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { standIn, type StandIn } from '../../plugins/kind-llm-connection/test/stand-in.js';
import { addTwoModels, type TwoModels } from '../two-models.js';
import { axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

const KEY = 'sk-page-a1b2c3d4';

describe('the pages of LLM connections', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let models: TwoModels;
  let endpoint: StandIn;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    daemon = await startDaemon();
    endpoint = await standIn();
    models = await addTwoModels(daemon);
    v = await visit(browser, daemon);
  });
  afterEach(async () => {
    const complaints = v?.complaints ?? [];
    await v?.page.context().close();
    await daemon?.stop();
    await endpoint?.close();
    models?.done();
    expect(complaints).to.deep.equal([]);
  });
  const button = (name: string): ReturnType<Visit['page']['getByRole']> =>
    v.page.getByRole('button', { name, exact: true });
  const wide = async (): Promise<number> =>
    v.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const add = (name: string, more: object = {}): Promise<unknown> =>
    daemon.rest('POST', '/llm-connections', {
      name,
      protocol: 'anthropic',
      base_url: endpoint.url,
      secret_value: KEY,
      ...more,
    });

  acceptance('011-llm-connections', 'the connections page lists profiles and their compatible agents', async () => {
    await go(v, '/llm', 'LLM connections');
    await v.page.getByText('No connection yet').waitFor();
    await button('Add connection').first().click();
    const dialog = v.page.locator('llm-add');
    await dialog.getByLabel('Endpoint').selectOption({ label: 'Anthropic' });
    expect(await dialog.getByLabel('Name').inputValue()).to.equal('anthropic');
    await dialog.getByLabel('Base URL').fill(endpoint.url);
    await dialog.getByLabel('Key', { exact: true }).fill(KEY);
    endpoint.answer = () => ({ status: 401, body: { error: { message: 'no such key' } } });
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('It refuses the key (401). It says: no such key').waitFor();
    endpoint.answer = () => undefined;
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('large-2, small-1').waitFor();
    await screenshot(v.page, 'llm-add');
    expect(await axe(v.page)).to.deep.equal([]);
    const stored = await v.page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(stored).not.to.include(KEY);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await v.page.getByRole('heading', { level: 1, name: 'anthropic' }).waitFor();
    await v.page.getByText('small-1', { exact: true }).waitFor();
    await v.page.getByRole('button', { name: 'Ask small-1' }).click();
    await v.page.getByText('small-1: The model answers.').waitFor();
    await screenshot(v.page, 'llm-connection');
    expect(await axe(v.page)).to.deep.equal([]);

    await go(v, '/llm', 'LLM connections');
    await v.page.getByText(/^answered /).waitFor();
    const before = models.settings('claude-code');
    await v.page.getByLabel('Connection of Claude Code').selectOption('anthropic');
    await v.page.getByRole('heading', { name: 'Switch Claude Code to anthropic' }).waitFor();
    const model = v.page.getByLabel('Model of Claude Code');
    await model.fill('small-1');
    await model.press('Tab');
    await button('Test').click();
    await v.page.getByText(/^Answered in/).waitFor();
    const diff = v.page.getByRole('group', { name: /^Changes in .*claude-code\.json$/ });
    await diff.getByText('"model": "small-1"').waitFor();
    expect(models.settings('claude-code'), 'nothing is written before the last step').to.equal(before);
    await screenshot(v.page, 'llm-switch');
    expect(await axe(v.page)).to.deep.equal([]);
    await button('Switch').click();
    await v.page.getByText('Claude Code runs on anthropic from its next start').waitFor();
    expect(models.settings('claude-code')).to.include('"model": "small-1"').and.include('"mine": true');
    await v.page.locator('cf-table .who', { hasText: 'claude-code' }).waitFor();

    await v.page.getByLabel('Connection of Claude Code').selectOption({ label: 'its own login' });
    await button('Switch').click();
    await v.page.getByText('Claude Code runs on its own login').waitFor();
    expect(models.settings('claude-code')).to.equal(before);
  });

  it('say why a switch is not possible, and leave all as it is', async () => {
    await add('a');
    await go(v, '/llm', 'LLM connections');
    await v.page.getByLabel('Connection of Claude Code').selectOption('a');
    endpoint.answer = () => ({ body: '<!doctype html><title>Sign in</title>' });
    await button('Test').click();
    await v.page
      .getByRole('listitem')
      .getByText(/^It answers with a web page/)
      .waitFor();
    expect(await button('Switch').count()).to.equal(0);
    await button('Discard').click();
    expect(await v.page.getByLabel('Connection of Claude Code').inputValue()).to.equal('');
    expect(models.settings('claude-code')).to.equal('{\n  "mine": true\n}\n');
  });

  it('choose what Coffer itself runs on', async () => {
    await add('a');
    await go(v, '/llm', 'LLM connections');
    await v.page.getByLabel('Connection of Coffer').selectOption('a');
    await v.page.getByText('choose a model').waitFor();
    const model = v.page.getByLabel('Model of Coffer');
    await model.fill('any-model-that-is-not-listed');
    await model.press('Tab');
    await v.page.getByText('Coffer itself runs on a now').waitFor();
    expect((await daemon.rest('GET', '/llm-engine')).body).to.deep.equal({
      connection: 'a',
      model: 'any-model-that-is-not-listed',
    });
  });

  it('change a connection, and agents that run on it follow', async () => {
    await add('a');
    await daemon.rest('PUT', '/llm-agents/claude-code', { connection: 'a' });
    await go(v, '/llm/a?tab=change', 'a');
    await v.page.getByText('claude-code run on it: their settings are written anew.').waitFor();
    await v.page.getByLabel('Base URL').fill('https://other.example');
    await button('Save').click();
    await v.page.getByText('Saved').waitFor();
    expect(models.settings('claude-code')).to.include('https://other.example');
    await v.page.getByLabel('Base URL').fill('https://me:pw@other.example');
    await button('Save').click();
    await v.page.getByText('The base URL must hold no user or password').waitFor();
  });

  it('fit a screen of 360 px', async () => {
    await add('a-connection-with-a-rather-long-name');
    await v.page.setViewportSize({ width: 360, height: 740 });
    await go(v, '/llm', 'LLM connections');
    await v.page.getByLabel('Connection of Claude Code').selectOption('a-connection-with-a-rather-long-name');
    await button('Test').click();
    await button('Switch').waitFor();
    await screenshot(v.page, 'llm-phone');
    await until('nothing is wider than the screen', async () => (await wide()) === 0);
    await go(v, '/llm?add=1', 'LLM connections');
    await v.page.getByLabel('Endpoint').waitFor();
    expect(await wide()).to.equal(0);
  });
});
