import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { acceptance, servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { allText, go, openBrowser, signIn, visit, type Visit } from './browser.js';

const SPEC = '002-web-ui';
const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

/** The page knows one address: a daemon that comes back must come back to it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('002 web UI', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    browser = await openBrowser();
    daemon = await startDaemon({ env: { COFFER_PORT: String(await freePort()) } });
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

  const capabilities = async (): Promise<Record<'tools' | 'resources' | 'prompts', { enabled: boolean }[]>> =>
    (await daemon.rest('GET', '/resources/mcp_server/everything/capabilities')).body;
  const everything = async (): Promise<void> => {
    if ((await daemon.rest('GET', '/resources/mcp_server/everything')).status === 404)
      await daemon.addStdio('everything', servers.everything());
  };

  describe('with an empty vault', () => {
    acceptance(SPEC, 'empty resources list renders a welcome view', async () => {
      const fresh = await startDaemon();
      const other = await visit(browser, fresh);
      try {
        await go(other, '/', 'Welcome to Coffer');
        await other.page.getByText('lends them to every agent').waitFor();
        await other.page.getByRole('link', { name: 'Add server…' }).click();
        await other.page.getByRole('dialog', { name: 'Add server' }).waitFor();
        expect(new URL(other.page.url()).pathname).to.equal('/mcp-servers');
      } finally {
        await other.page.context().close();
        await fresh.stop();
      }
    });
  });

  describe('getting in', () => {
    acceptance(SPEC, 'cold-start renders authenticated content', async () => {
      await everything();
      await daemon.restart();
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      await signIn(page, daemon);
      await page.getByRole('heading', { level: 1, name: 'All well' }).waitFor();
      await page.getByText('1 healthy of 1').waitFor();
      expect(page.url()).to.equal(`http://127.0.0.1:${daemon.port}/`);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'All well' }).waitFor();
      await context.close();
    });

    acceptance(SPEC, 'token-missing renders an actionable empty state', async () => {
      await everything();
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      for (const to of ['/', '/credentials', '/mcp-servers/everything']) {
        await page.goto(`http://127.0.0.1:${daemon.port}${to}`);
        await page.getByRole('heading', { level: 1, name: 'Sign in to Coffer' }).waitFor();
        expect(await allText(page)).not.to.include('everything');
      }
      await page.getByText('coffer open').waitFor();
      const field = page.getByLabel('Or paste the address or code that it prints');
      await field.fill('no-such-code');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: 'coffer open' }).waitFor();
      await field.fill(String((await daemon.rest('POST', '/ui/login')).body.url));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'everything' }).waitFor();
      await context.close();
    });

    acceptance(SPEC, 'daemon-offline banner appears when daemon is unreachable', async () => {
      await go(v, '/mcp-servers', 'MCP servers');
      const banner = v.page.locator('[data-banner=offline]');
      expect(await banner.count()).to.equal(0);
      await daemon.kill('SIGKILL');
      try {
        await banner.waitFor({ timeout: 20_000 });
        expect(await banner.innerText()).to.match(/Coffer does not answer. What you see was true .+; this clears/);
      } finally {
        await daemon.restart();
      }
      await banner.waitFor({ state: 'detached', timeout: 30_000 });
    });
  });

  describe('adding servers', () => {
    acceptance(SPEC, 'MCP server registration round-trip via JSON import', async () => {
      const [script = '', ...args] = servers.everything();
      const entry = { command: process.execPath, args: [script, ...args], env: { GITHUB_TOKEN: SECRET } };
      await go(v, '/mcp-servers?add=paste', 'MCP servers');
      await v.page.getByLabel('Configuration of any client').fill(JSON.stringify({ mcpServers: { imported: entry } }));
      await v.page.getByRole('button', { name: 'Look at it' }).click();
      await v.page.getByRole('button', { name: 'Add 1 server' }).click();
      await v.page.getByRole('heading', { level: 1, name: 'imported' }).waitFor({ timeout: 20_000 });
      await go(v, '/mcp-servers', 'MCP servers');
      await v.page.locator('tr[data-row=imported]').getByText('healthy').waitFor();
      const made = JSON.stringify((await daemon.rest('GET', '/resources/mcp_server/imported')).body);
      expect(made).to.include('credential_refs').and.not.include(SECRET);
      const kept = (await daemon.rest('GET', '/credentials')).body.credentials as { cited_by: unknown[] }[];
      expect(kept.filter((c) => JSON.stringify(c.cited_by).includes('imported'))).to.have.length(1);
      await daemon.rest('DELETE', '/resources/mcp_server/imported');
    });

    acceptance(SPEC, 'JSON import shows readable error for malformed JSON', async () => {
      await go(v, '/mcp-servers?add=paste', 'MCP servers');
      const sent: string[] = [];
      v.page.on('request', (r) => {
        if (r.method() === 'POST' && !r.url().endsWith('/mcp/import/preview')) sent.push(r.url());
      });
      const text = '{\n  "mcpServers": {\n    "demo": { "command": "node" "args": [] }\n  }\n}';
      const field = v.page.getByLabel('Configuration of any client');
      await field.fill(text);
      await v.page.getByRole('button', { name: 'Look at it' }).click();
      await v.page.locator('[data-problems]').getByText('broken in line 3, column 33: a comma is missing').waitFor();
      expect(await field.inputValue()).to.equal(text);
      expect(sent).to.deep.equal([]);
      await field.fill('');
    });

    acceptance(SPEC, 'add-server form navigates to detail then back to list shows card', async () => {
      await go(v, '/mcp-servers?add=form', 'MCP servers');
      const dialog = v.page.locator('mcp-server-add');
      await dialog.getByLabel('Name', { exact: true }).fill('by-form');
      await dialog.getByLabel('Command', { exact: true }).fill('no-such-program');
      await dialog.getByRole('button', { name: 'Look at it' }).click();
      await dialog.getByRole('button', { name: 'Add 1 server' }).click();
      await v.page.getByRole('heading', { level: 1, name: 'by-form' }).waitFor({ timeout: 20_000 });
      expect(new URL(v.page.url()).pathname).to.equal('/mcp-servers/by-form');
      await v.page.locator('.crumbs').getByRole('link', { name: 'MCP servers' }).click();
      await v.page.locator('tr[data-row=by-form]').waitFor();
      await daemon.rest('DELETE', '/resources/mcp_server/by-form');
    });
  });

  describe('choosing what is lent', () => {
    beforeEach(everything);

    acceptance(SPEC, 'capability toggle uses the redesigned tab layout', async () => {
      await go(v, '/mcp-servers/everything', 'everything');
      const tab = v.page.getByRole('tab', { name: 'Tools' });
      await tab.click();
      const control = v.page.getByRole('switch', { name: 'echo', exact: true });
      await control.click();
      expect(await control.getAttribute('aria-checked')).to.equal('false');
      await tab.getByText(/^\d+ of \d+$/).waitFor();
      await until('it is off', async () => (await capabilities()).tools.some((x) => !x.enabled));
      const call = { name: 'everything__echo', arguments: { message: 'x' } };
      const { status, body } = await daemon.rest('POST', '/gateway/call', call);
      expect(status, JSON.stringify(body)).to.be.at.least(400);
      await v.page.reload();
      await control.waitFor();
      expect(await control.getAttribute('aria-checked')).to.equal('false');
      await control.click();
      await until('it is on', async () => (await capabilities()).tools.every((x) => x.enabled));
    });

    for (const [type, label] of [
      ['resource', 'Resources'],
      ['prompt', 'Prompts'],
    ] as const) {
      acceptance(SPEC, `${type} capability toggle works via the ${label} tab`, async () => {
        await go(v, '/mcp-servers/everything', 'everything');
        await v.page.getByRole('tab', { name: label }).click();
        const control = v.page.getByRole('table', { name: label }).getByRole('switch').first();
        for (const on of [false, true]) {
          await control.click();
          expect(await control.getAttribute('aria-checked')).to.equal(String(on));
          await until(`the daemon has it ${on ? 'on' : 'off'}`, async () => {
            const all = (await capabilities())[`${type}s`];
            return all.some((x) => !x.enabled) !== on;
          });
        }
      });
    }

    acceptance(SPEC, 'capability search box narrows the tool list', async () => {
      await go(v, '/mcp-servers/everything?tab=tools', 'everything');
      const all = (await capabilities()).tools.length;
      const rows = v.page.locator('cf-table tr[data-row]');
      await rows.first().waitFor();
      expect(await rows.count()).to.equal(all);
      const search = v.page.getByRole('searchbox');
      await search.fill('ECHO');
      await v.page.getByText(`Showing 1 of ${all}`).waitFor();
      expect(await rows.count()).to.equal(1);
      await search.fill('');
      await until('all are back', async () => (await rows.count()) === all);
    });
  });
});
