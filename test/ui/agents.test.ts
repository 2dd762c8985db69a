import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { acceptance, ROOT, startDaemon, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { CLAUDE_JSON, CODEX_TOML, TOKEN } from '../../plugins/kind-agent/test/fixtures.js';
import { allText, axe, go, openBrowser, screenshot, visit, type Visit } from './browser.js';

describe('the pages of agents', function () {
  this.timeout(90_000);
  let home: string;
  let daemon: RealDaemon;
  let browser: Browser;
  let v: Visit;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'coffer-agents-ui-'));
    for (const dir of ['.claude', '.codex', '.cursor']) mkdirSync(path.join(home, dir));
    write(CLAUDE_JSON, '.claude.json');
    write(CODEX_TOML, '.codex', 'config.toml');
    daemon = await startDaemon({ env: { HOME: home } });
    v = await visit(browser, daemon);
  });
  afterEach(async () => {
    const complaints = v?.complaints ?? [];
    await v?.page.context().close();
    await daemon?.stop();
    rmSync(home, { recursive: true, force: true });
    expect(complaints).to.deep.equal([]);
  });
  const write = (text: string, ...parts: string[]): void => writeFileSync(path.join(home, ...parts), text);
  const read = (...parts: string[]): string => readFileSync(path.join(home, ...parts), 'utf8');
  const button = (name: string | RegExp): Locator =>
    v.page.getByRole('button', { name, exact: typeof name === 'string' });
  const tab = (name: string): Promise<void> => v.page.getByRole('tab', { name }).click();
  const add = (type: string): Promise<unknown> => daemon.rest('POST', '/agents', { type });

  acceptance('004-agents', 'desktop app agents page', async () => {
    await go(v, '/agents', 'Agents');
    await v.page.getByText('Claude Code is installed here').waitFor();
    await button('Add codex').click();
    await v.page.getByRole('heading', { level: 1, name: 'codex' }).waitFor();
    await v.page.locator('[data-server="coffer"]').waitFor();
    await v.page
      .getByText(/about [\d,]+ tokens/)
      .first()
      .waitFor();
    expect(await v.page.getByRole('tab').allInnerTexts()).to.include.members([
      'What it sees',
      'MCP settings',
      'Config files',
      'At start',
      'Model',
      'Native plugins',
    ]);
    expect(await v.page.getByRole('switch').count()).to.equal(0);
    await screenshot(v.page, 'agent-sees');
    expect(await axe(v.page)).to.deep.equal([]);
    await go(v, '/agents', 'Agents');
    await v.page.locator('[data-candidate="codex"]').waitFor({ state: 'detached' });
    await v.page.getByRole('link', { name: 'codex' }).waitFor();
    await screenshot(v.page, 'agents');
    expect(await axe(v.page)).to.deep.equal([]);
  });

  it('add one in another folder, that can be looked for, and say what is wrong with it', async () => {
    await go(v, '/agents?add=1', 'Agents');
    await v.page.getByLabel('Type').selectOption('codex');
    await v.page.getByLabel('Name', { exact: true }).fill('codex-work');
    await v.page.getByLabel('Settings folder').fill('/etc/codex');
    await v.page.locator('[data-act="save"]').click();
    await v.page.getByRole('alert').getByText('belongs to the system').waitFor();
    await v.page.getByLabel('Settings folder').fill('~');
    await button('Browse').click();
    await button('.cursor').click();
    await v.page.getByRole('heading', { name: path.join(home, '.cursor') }).waitFor();
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.locator('[data-act="save"]').click();
    await v.page.getByRole('heading', { level: 1, name: 'codex-work' }).waitFor();
    expect(existsSync(path.join(home, '.cursor', 'skills'))).to.equal(true);
  });

  it('install Coffer, adopt a server with its secret, and show none of it', async () => {
    await add('claude_code');
    await go(v, '/agents/claude-code?tab=mcp', 'claude-code');
    await v.page.getByText('Coffer is not in its settings').waitFor();
    await v.page.locator('[data-act="install"]').click();
    await v.page.getByText('Coffer is in its settings').waitFor();
    expect(JSON.parse(read('.claude.json'))).to.have.nested.property('mcpServers.coffer');
    await screenshot(v.page, 'agent-mcp');
    expect(await axe(v.page)).to.deep.equal([]);
    expect(await allText(v.page)).not.to.contain(TOKEN);
    await button('Adopt github…').click();
    await v.page.getByLabel('Credential for GITHUB_TOKEN').fill('mine/github');
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.locator('agent-adopt [data-act="save"]').click();
    await v.page.locator('[data-entry="github"]').waitFor({ state: 'detached' });
    expect(read('.claude.json')).not.to.contain(TOKEN);
    expect((await daemon.rest('GET', '/credentials/mine%2Fgithub')).body.value).to.equal(TOKEN);
    await v.page.locator('[data-act="uninstall"]').click();
    await v.page.getByText('Coffer is not in its settings').waitFor();
  });

  it('say which file is broken and keep the others in use', async () => {
    await add('claude_code');
    write('{ broken', '.claude', 'settings.json');
    await go(v, '/agents/claude-code?tab=mcp', 'claude-code');
    await v.page.locator('[data-problem]').getByText('settings.json').waitFor();
    await v.page.locator('[data-entry="github"]').waitFor();
    await tab('At start');
    await v.page.getByRole('alert').getByText('settings.json').waitFor();
  });

  it('edit a file, and lose nothing when its agent writes it meanwhile', async () => {
    await add('codex');
    await go(v, '/agents/codex?tab=files', 'codex');
    await v.page.locator('[data-open="config"]').click();
    await v.page.locator('[data-act="edit"]').click();
    const area = v.page.locator('textarea');
    expect(await area.inputValue()).to.equal(CODEX_TOML);
    expect(await axe(v.page)).to.deep.equal([]);
    write(`${CODEX_TOML}# theirs\n`, '.codex', 'config.toml');
    await area.fill('model = "mine"\n');
    await v.page.locator('[data-act="save"]').click();
    await v.page.getByText('Nothing was saved').waitFor();
    expect(await area.inputValue()).to.equal('model = "mine"\n');
    expect(read('.codex', 'config.toml')).to.contain('# theirs');
    await v.page.locator('[data-open="config"]').click();
    await v.page.locator('[data-act="edit"]').click();
    await area.fill('model = "mine"\n');
    await v.page.locator('[data-act="save"]').click();
    await v.page.locator('textarea').waitFor({ state: 'detached' });
    expect(read('.codex', 'config.toml')).to.equal('model = "mine"\n');
  });

  it('switch what a session is told, servers and plugins, and show what it runs on', async () => {
    await add('codex');
    await go(v, '/agents/codex?tab=start', 'codex');
    await v.page.getByRole('switch', { name: 'Tell new sessions' }).click();
    await v.page.getByText('/hooks').waitFor();
    expect(read('.codex', 'hooks.json')).to.contain('session-context codex');
    expect(await axe(v.page)).to.deep.equal([]);
    await tab('Native plugins');
    await v.page.getByRole('switch', { name: 'fmt@acme' }).click();
    await v.page.getByRole('switch', { name: 'fmt@acme', checked: false }).waitFor();
    await tab('MCP settings');
    await v.page.getByRole('switch', { name: 'linear' }).click();
    await v.page.getByRole('switch', { name: 'linear', checked: false }).waitFor();
    await tab('Model');
    await v.page.getByText('its own login').waitFor();
    expect(await axe(v.page)).to.deep.equal([]);
  });

  it('show an agent that a plugin from outside describes, with its parts and no other, and so do the commands', async () => {
    mkdirSync(path.join(home, '.gnu-coder'));
    mkdirSync(path.join(home, 'plugin'));
    write(
      JSON.stringify({ name: 'agent-gnu-coder', version: '1.0.0', type: 'module', coffer: { plugin: './index.js' } }),
      'plugin',
      'package.json',
    );
    // The example of docs/agents.md, as it stands there.
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(path.join(ROOT, 'docs/agents.md'), 'utf8')) ?? [];
    write(
      `import path from 'node:path';\nimport { definePlugin } from '@coffer/kernel';\n${example}`,
      'plugin',
      'index.js',
    );
    const added = await daemon.cli(['plugin', 'add', path.join(home, 'plugin'), '--yes']);
    expect(added.code, added.stderr).to.equal(0);
    expect((await daemon.cli(['agent', 'detect'])).stdout).to.contain('GNU Coder');
    await go(v, '/agents', 'Agents');
    await button('Add gnu-coder').click();
    await v.page.getByRole('heading', { level: 1, name: 'gnu-coder' }).waitFor();
    await v.page.getByRole('tab', { name: 'MCP settings' }).waitFor();
    const tabs = await v.page.getByRole('tab').allInnerTexts();
    expect(tabs).to.not.include.members(['Config files', 'At start', 'Model', 'Native plugins']);
    await tab('MCP settings');
    await v.page.locator('[data-act="install"]').click();
    await v.page.getByText('Coffer is in its settings').waitFor();
    expect(JSON.parse(read('.gnu-coder', 'gnu.json'))).to.have.nested.property('mcp.coffer.command');
    const shown = await daemon.cli(['agent', 'show', 'gnu-coder']);
    expect(shown.stdout).to.contain('has       mcpConfig, skills');
  });

  it('connect another client after showing the change, on a phone too', async () => {
    await v.page.setViewportSize({ width: 360, height: 740 });
    await go(v, '/agents', 'Agents');
    await button('Connect Cursor…').click();
    await v.page.getByText('"--agent"').waitFor();
    expect(existsSync(path.join(home, '.cursor', 'mcp.json'))).to.equal(false);
    expect(await axe(v.page)).to.deep.equal([]);
    await v.page.locator('[data-act="write"]').click();
    await button('Disconnect Cursor…').waitFor();
    expect(read('.cursor', 'mcp.json')).to.contain('"cursor"');
    const wide = await v.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wide).to.equal(0);
    await screenshot(v.page, 'agents-360');
    await button('Disconnect Cursor…').click();
    await v.page.locator('[data-act="write"]').click();
    await button('Connect Cursor…').waitFor();
    expect(existsSync(path.join(home, '.cursor', 'mcp.json'))).to.equal(false);
  });
});
