import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { startFixture, type RunningFixture } from '@coffer/kernel/testing';
import { acceptance, servers, startDaemon, until, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';
const SECRET = 'tok-5f1c9a7be2d84c60';

describe('registering servers', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  let fixture: RunningFixture | undefined;
  beforeEach(async () => void (d = await startDaemon()));
  afterEach(async () => {
    await d.stop();
    await fixture?.stop();
    fixture = undefined;
  });

  acceptance(SPEC, 'register a stdio MCP server', async () => {
    expect((await d.rest('GET', '/resources')).body.resources).to.deep.equal([]);
    await d.addStdio('everything', servers.everything());
    const [server] = (await d.rest('GET', '/resources?kind=mcp_server')).body.resources;
    expect(server).to.include({ ref: 'mcp_server:everything', enabled: true });
    expect(server.status.status).to.equal('healthy');
    const { tools } = (await d.rest('GET', '/resources/mcp_server/everything/capabilities')).body;
    expect(tools.map((t: { original_name: string }) => t.original_name)).to.include('echo');
    await d.restart();
    expect((await d.rest('GET', '/resources/mcp_server/everything')).status).to.equal(200);
  });

  acceptance(SPEC, 'register an HTTP MCP server', async () => {
    fixture = await startFixture('scripted', ['--http', '0', '--require-header', `Authorization=Bearer ${SECRET}`]);
    await d.rest('POST', '/credentials', { ref: 'web/authorization', value: `Bearer ${SECRET}` });
    const transport = { type: 'http', url: fixture.url, credential_refs: { Authorization: 'web/authorization' } };
    const made = await d.rest('POST', '/resources', { kind: 'mcp_server', name: 'web', config: { transport } });
    expect(made.status).to.equal(201);
    expect(made.body.status.status, JSON.stringify(made.body.status)).to.equal('healthy');
    const { tools } = (await d.rest('GET', '/resources/mcp_server/web/capabilities')).body;
    expect(tools.length).to.be.greaterThan(10);
    expect(JSON.stringify(made.body)).to.not.include(SECRET);
    for (const file of d.files()) expect(readFileSync(file, 'latin1'), file).to.not.include(SECRET);
  });

  acceptance(SPEC, 'HTTP-transport MCP server round trip', async () => {
    fixture = await startFixture('scripted', ['--http', '0']);
    const config = { transport: { type: 'http', url: fixture.url } };
    await d.rest('POST', '/resources', { kind: 'mcp_server', name: 'web', config });
    const client = await d.shim();
    const { tools } = await client.listTools();
    expect(tools.map((t) => t.name)).to.include('web__echo');
    const result = await client.callTool({ name: 'web__echo', arguments: { text: 'over HTTP' } });
    expect(JSON.stringify(result.content)).to.include('over HTTP');
  });

  acceptance(SPEC, 'a missing stdio launcher is surfaced and installable', async () => {
    const bin = mkdtempSync(path.join(tmpdir(), 'coffer-brew-'));
    try {
      // A stand-in for Homebrew that notes what it was told.
      writeFileSync(path.join(bin, 'brew'), `#!/bin/sh\necho "$@" >> "${bin}/calls"\n`);
      chmodSync(path.join(bin, 'brew'), 0o755);
      await d.stop();
      d = await startDaemon({ env: { PATH: `${bin}:/usr/bin:/bin`, SHELL: '/bin/sh' } });
      const evil = { transport: { type: 'stdio', command: 'uvx', args: ['; touch /tmp/never'] } };
      await d.rest('POST', '/resources', { kind: 'mcp_server', name: 'fetch', config: evil });
      const status = (await d.rest('GET', '/resources/mcp_server/fetch/status')).body;
      expect(status).to.include({ status: 'failing', missing_runner: 'uvx', runner_installable: true });
      expect(status.reason).to.match(/missing uvx/);
      expect((await d.rest('POST', '/resources/mcp_server/fetch/install-runner')).body).to.include({ formula: 'uv' });
      expect(readFileSync(path.join(bin, 'calls'), 'utf8').trim()).to.equal('install uv');
      const { entries } = (await d.rest('GET', '/audit?event_type=mcp_runner_installed')).body;
      expect(entries).to.have.length(1);

      const other = { transport: { type: 'stdio', command: 'no-such-program' } };
      await d.rest('POST', '/resources', { kind: 'mcp_server', name: 'other', config: other });
      const plain = (await d.rest('GET', '/resources/mcp_server/other/status')).body;
      expect(plain).to.include({ missing_runner: 'no-such-program', runner_installable: false });
      expect((await d.rest('POST', '/resources/mcp_server/other/install-runner')).status).to.equal(422);
    } finally {
      rmSync(bin, { recursive: true, force: true });
    }
  });

  it('registers a server that cannot be reached, and says why it is failing', async () => {
    const config = { transport: { type: 'http', url: 'http://127.0.0.1:9/mcp' } };
    const made = await d.rest('POST', '/resources', { kind: 'mcp_server', name: 'gone', config });
    expect(made.status).to.equal(201);
    const status = await until('health', async () => {
      const s = (await d.rest('GET', '/resources/mcp_server/gone/status')).body;
      return s.status === 'failing' ? s : undefined;
    });
    expect(status.reason).to.be.a('string').and.not.equal('');
  });
});
