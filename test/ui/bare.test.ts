import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { axe, go, openBrowser, visit, type Visit } from './browser.js';
import { copyBuild, type BuildCopy } from './build-copy.js';

for (const manifest of [false, true]) {
  describe(`without the UI modules of all plugins, ${manifest ? 'and without their manifests naming any' : 'though their manifests name them'}`, function () {
    this.timeout(60_000);
    let copy: BuildCopy;
    let daemon: RealDaemon;
    let browser: Browser;
    let v: Visit;
    before(async () => {
      copy = copyBuild();
      for (const plugin of copy.plugins) copy.dropUi(plugin, { manifest });
      daemon = await startDaemon({ main: copy.main });
      await daemon.addStdio('everything', servers.everything());
      browser = await openBrowser();
      v = await visit(browser, daemon);
    });
    after(async () => {
      await browser?.close();
      await daemon?.stop();
      copy?.remove();
    });
    const config = async (
      name: string,
    ): Promise<{ config: object; scope: unknown; enabled: boolean; description: string }> =>
      (await daemon.rest('GET', `/resources/mcp_server/${name}`)).body;

    it('the navigation leads to every kind', async () => {
      await go(v, '/', /All well/);
      await v.page.getByRole('link', { name: 'MCP servers' }).click();
      if (!manifest) {
        // the place is the plugin's: the box says whose fault it is, and leads on
        await v.page.getByRole('alert').filter({ hasText: 'kind-mcp-server' }).waitFor();
        await v.page.getByRole('link', { name: 'Use the plain page' }).click();
      }
      await v.page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
      await v.page.getByRole('link', { name: 'everything' }).click();
      await v.page.getByRole('heading', { level: 1, name: 'everything' }).waitFor();
      expect(new URL(v.page.url()).pathname).to.equal('/r/mcp_server/everything');
      await v.page.locator('[data-answer="1"]').getByText('healthy').waitFor();
      expect(await v.page.locator('[data-answer]').count()).to.equal(5);
    });

    it('a resource is added by the form of its schema', async () => {
      await go(v, '/r/mcp_server', 'MCP servers');
      await v.page.getByRole('button', { name: 'Add', exact: true }).first().click();
      await v.page.getByLabel('Name', { exact: true }).fill('by-form');
      const form = v.page.locator('cf-dialog cf-form');
      await form
        .getByLabel(/^Command/)
        .first()
        .fill('no-such-program');
      await v.page.locator('[data-act=create]').click();
      await v.page.getByRole('heading', { level: 1, name: 'by-form' }).waitFor({ timeout: 20_000 });
      const made = await config('by-form');
      expect(made.config).to.have.nested.include({ 'transport.type': 'stdio', 'transport.command': 'no-such-program' });
    });

    it('it is edited, and its history says so', async () => {
      await go(v, '/r/mcp_server/everything?tab=settings', 'everything');
      await v.page
        .getByLabel(/^Description/)
        .first()
        .fill('edited on the plain page');
      await v.page.getByRole('button', { name: 'Save' }).click();
      await until(
        'the daemon has it',
        async () => (await config('everything')).description === 'edited on the plain page',
      );
      await go(v, '/r/mcp_server/everything?tab=history', 'everything');
      await v.page.locator('cf-audit-list').getByText('changed').first().waitFor();
      await v.page.locator('cf-audit-list').getByText('registered').first().waitFor();
    });

    it('it is scoped, switched and deleted', async () => {
      await daemon.addStdio('brief', servers.everything());
      await go(v, '/r/mcp_server/brief?tab=scope', 'brief');
      await v.page.getByRole('button', { name: 'Nobody' }).click();
      await until('nobody sees it', async () => JSON.stringify((await config('brief')).scope) === '{}');
      const control = v.page.getByRole('switch', { name: 'brief' });
      await control.click();
      await until('it is off', async () => !(await config('brief')).enabled);
      await v.page.getByRole('button', { name: 'Delete', exact: true }).click();
      await until('it is gone', async () => (await daemon.rest('GET', '/resources/mcp_server/brief')).status === 404);
      await v.page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
    });

    it('every page of the shell is there, without a complaint', async () => {
      for (const [to, heading] of [
        ['/', /All well|needs? you/],
        ['/activity', 'Activity'],
        ['/scope', 'Machines and scope'],
        ['/credentials', 'Credentials'],
        ['/plugins', 'Plugins'],
        ['/settings', 'Settings'],
      ] as const)
        await go(v, to, heading);
      const { kinds } = (await daemon.rest('GET', '/kinds')).body as {
        kinds: { kind: string; label: { many: string } }[];
      };
      expect(kinds.map((k) => k.kind)).to.include('mcp_server');
      for (const { kind, label } of kinds) await go(v, `/r/${kind}`, label.many);
      expect(await axe(v.page)).to.deep.equal([]);
      expect(v.complaints.filter((c) => !c.includes('dynamically imported'))).to.deep.equal([]);
    });
  });
}
