import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Obj } from '@coffer/kernel';
import {
  createTestKernel,
  fixtureCommand,
  type HttpClient,
  kindContract,
  openHttp,
  startFixture,
  type TestKernel,
} from '@coffer/kernel/testing';
import plugin from '../src/plugin.js';
import { until } from './support.js';

const scripted = (...args: string[]): Obj => ({ transport: { type: 'stdio', ...fixtureCommand('scripted', args) } });
const hostile = (mode: string): Obj => ({
  transport: { type: 'stdio', ...fixtureCommand('hostile', ['--mode', mode]) },
});

kindContract(
  [plugin],
  {
    kind: 'mcp_server',
    valid: hostile('plain'),
    changed: { ...hostile('plain'), request_timeout_seconds: 60 },
    invalid: [
      {},
      { transport: { type: 'stdio' } },
      { transport: { type: 'http', url: 'ftp://x' } },
      { transport: { type: 'http', url: 'https://u:p@x.test/' } },
      { transport: { type: 'stdio', command: 'x', env: { T: 'ghp_0123456789' } } },
      { transport: { type: 'stdio', command: 'x' }, spawn_timeout_seconds: 4 },
    ],
  },
  { describe, it, before, after },
);

describe('MCP servers in a daemon', () => {
  let k: TestKernel;
  const clients: HttpClient[] = [];
  before(async () => void (k = await createTestKernel({ plugins: [plugin] })));
  after(async () => {
    await Promise.all(clients.map((c) => c.close()));
    const pids = path.join(k.home, 'upstream-pids');
    await k.stop({ keep: true });
    expect(readdirSync(pids)).to.deep.equal([]);
    await k.stop();
  });

  const add = (name: string, config: Obj): Promise<{ status: number; body: Obj }> =>
    k.rest('POST', '/resources', { kind: 'mcp_server', name, config });
  const at = (name: string, rest = ''): string => `/resources/mcp_server/${name}${rest}`;
  const connect = async (): Promise<HttpClient> => {
    const c = await openHttp(`${k.url}/mcp`, { headers: { 'X-Coffer-Token': k.token } });
    clients.push(c);
    await c.initialize();
    return c;
  };
  const names = async (c: HttpClient): Promise<string[]> =>
    ((await c.request('tools/list')).tools as Obj[]).map((t) => t.name as string);
  const audit = async (event: string): Promise<Obj[]> =>
    (await k.rest('GET', `/audit?event_type=${event}&limit=500`)).body.entries as Obj[];

  it('looks at a new server at once: it is healthy and its tools are known', async () => {
    expect((await add('one', scripted())).status).to.equal(201);
    expect((await k.rest('GET', at('one', '/status'))).body).to.deep.include({
      status: 'healthy',
      protocol_version: '2025-11-25',
    });
    const { body } = await k.rest('GET', at('one', '/capabilities'));
    expect(body).to.deep.include({ server_name: 'one', from_cache: true });
    const echo = (body.tools as Obj[]).find((t) => t.original_name === 'echo');
    expect(echo).to.deep.include({ prefixed_name: 'one__echo', description: 'Says it back', enabled: true });
    expect((body.resources as Obj[]).filter((r) => r.template)).to.have.length.above(0);
    expect((await audit('capability_first_seen')).length).to.be.above(20);
  });

  it('registers a server that does not start, and says why it fails', async () => {
    expect((await add('broken', hostile('crash-on-start'))).status).to.equal(201);
    const { body } = await k.rest('GET', at('broken', '/status'));
    expect(body.status).to.equal('failing');
    expect(body.reason).to.contain('cannot find the configuration');
    expect((await k.rest('GET', at('broken', '/capabilities'))).status).to.equal(503);
    expect((await k.rest('POST', at('broken', '/test'))).body).to.deep.include({ ok: false });
    expect((await k.rest('GET', at('broken', '/log'))).body.lines).to.include('cannot find the configuration');
    await k.rest('DELETE', at('broken'));
  });

  it('relays a call and answers errors of the server verbatim', async () => {
    const c = await connect();
    expect((await c.request('tools/call', { name: 'one__echo', arguments: { text: 'hi' } })).content).to.deep.equal([
      { type: 'text', text: 'hi' },
    ]);
    expect(await names(c)).to.include.members(['one__echo', 'coffer__search_tools']);
  });

  it('takes a disabled tool out of lists, search and calls at once, and puts it back', async () => {
    const c = await connect();
    const key = { capability_key: 'echo' };
    expect((await k.rest('POST', at('one', '/capabilities/tool/disable'), key)).status).to.equal(204);
    expect(await names(c)).to.not.include('one__echo');
    const refused = await c.request('tools/call', { name: 'one__echo', arguments: {} }).catch((e: unknown) => e as Obj);
    expect(JSON.stringify(refused)).to.contain('-32000');
    const found = await k.rest('POST', '/gateway/search', { query: 'echo says it back' });
    expect(found.status, JSON.stringify(found.body)).to.equal(200);
    expect(found.body.tools.map((t: Obj) => t.name)).to.not.include('one__echo');
    await k.rest('POST', at('one', '/capabilities/tool/enable'), key);
    expect(await names(c)).to.include('one__echo');
    expect((await k.rest('POST', '/gateway/search', { query: 'echo says it back' })).body.tools[0].name).to.equal(
      'one__echo',
    );
    expect((await audit('capability_disabled'))[0]).to.deep.include({ resource_name: 'one' });
    expect((await k.rest('POST', at('one', '/capabilities/tool/enable'), { capability_key: 'none' })).status).to.equal(
      404,
    );
    expect((await k.rest('POST', at('none', '/capabilities/tool/enable'), key)).status).to.equal(404);
  });

  it('curates resources and templates', async () => {
    const c = await connect();
    const uri = 'coffer://one/test://static-text';
    expect((await c.request('resources/read', { uri })).contents).to.have.length(1);
    await k.rest('POST', at('one', '/capabilities/resource/disable'), { capability_key: 'test://static-text' });
    expect(await c.request('resources/read', { uri }).catch(String)).to.contain('disabled');
    await k.rest('POST', at('one', '/capabilities/resource/enable'), { capability_key: 'test://static-text' });
    const template = 'test://template/{id}/data';
    const made = 'coffer://one/test://template/7/data';
    expect((await c.request('resources/read', { uri: made })).contents).to.have.length(1);
    await k.rest('POST', at('one', '/capabilities/resource/disable'), { capability_key: template });
    expect(await c.request('resources/read', { uri: made }).catch(String)).to.contain('disabled');
  });

  it('holds new capabilities back where the owner wants to approve them', async () => {
    await add('strict', { ...scripted(), auto_enable_new_capabilities: false });
    const c = await connect();
    expect((await names(c)).filter((n) => n.startsWith('strict__'))).to.deep.equal([]);
    await k.rest('POST', at('strict', '/capabilities/tool/enable'), { capability_key: 'echo' });
    expect((await names(c)).filter((n) => n.startsWith('strict__'))).to.deep.equal(['strict__echo']);
    await k.rest('DELETE', at('strict'));
    expect((await names(c)).filter((n) => n.startsWith('strict__'))).to.deep.equal([]);
  });

  it('is used again after it died', async () => {
    const c = await connect();
    const crashed = await c
      .request('tools/call', { name: 'one__crash', arguments: {} })
      .catch((e: unknown) => e as Obj);
    expect(JSON.stringify(crashed)).to.contain('-32010');
    expect((await c.request('tools/call', { name: 'one__echo', arguments: { text: 'back' } })).content).to.deep.equal([
      { type: 'text', text: 'back' },
    ]);
  });

  it('takes a new config at once, and one process set lives', async () => {
    const c = await connect();
    await c.request('tools/call', { name: 'one__echo', arguments: { text: 'x' } });
    for (const name of ['a', 'b', 'c', 'renamed'])
      await k.rest('PATCH', at('one'), { config: scripted('--name', name) });
    const told = await c.request('tools/call', { name: 'one__whoami', arguments: {} });
    expect((told.structuredContent as Obj).argv).to.deep.equal(['--name', 'renamed']);
    await until(() => readdirSync(path.join(k.home, 'upstream-pids')).length === 1, 'only the new process');
  });

  it('keeps a server out of reach of a session that may not see it, and never starts it for it', async () => {
    await add('scoped', scripted());
    const started = (): number =>
      readdirSync(path.join(k.home, 'upstream-pids')).filter((f) => f.startsWith('scoped-')).length;
    await until(() => started() === 0, 'the look to be over');
    const c = await connect();
    await k.rest('PUT', at('scoped', '/scope'), { scope: { '*': ['somebody-else'] } });
    expect((await names(c)).filter((n) => n.startsWith('scoped__'))).to.deep.equal([]);
    const hidden = await c.request('tools/call', { name: 'scoped__echo', arguments: {} }).catch((e: Obj) => e);
    expect(hidden.code).to.equal(-32000);
    await k.rest('PUT', at('scoped', '/scope'), { scope: {} });
    const away = await c.request('tools/call', { name: 'scoped__echo', arguments: {} }).catch((e: Obj) => e);
    expect(away.code).to.equal(-32602);
    expect(started()).to.equal(0);
    await k.rest('PUT', at('scoped', '/scope'), { scope: null });
    expect(await names(c)).to.include('scoped__echo');
    await k.rest('DELETE', at('scoped'));
  });

  it('shows noise and findings in the status', async () => {
    await add('noisy', hostile('noise'));
    await add('long', hostile('long-names'));
    expect((await k.rest('GET', at('noisy', '/status'))).body.note).to.match(/^stdout noise: \d+ lines$/);
    const { body } = await k.rest('GET', at('long', '/status'));
    expect((body.findings as Obj[]).map((f) => f.kind)).to.deep.equal(['long_name', 'long_name', 'long_name']);
    await k.rest('DELETE', at('noisy'));
    await k.rest('DELETE', at('long'));
  });

  it('says in the status which eras a server speaks, and when it was asked', async () => {
    await add('old', scripted());
    const modern = fixtureCommand('modern');
    await add('new', { transport: { type: 'stdio', ...modern } });
    const eras = async (name: string): Promise<Obj> => (await k.rest('GET', at(name, '/status'))).body.eras;
    expect(await eras('old')).to.include({ newer: false, older: true });
    expect(await eras('new')).to.include({ newer: true });
    expect(Date.parse((await eras('new')).judged_at)).to.be.greaterThan(0);
    await k.rest('DELETE', at('old'));
    await k.rest('DELETE', at('new'));
  });

  it('names a missing launcher and installs only from its list', async () => {
    await add('missing', { transport: { type: 'stdio', command: 'no-such-launcher', args: [] } });
    const { body } = await k.rest('GET', at('missing', '/status'));
    expect(body).to.deep.include({ status: 'failing', missing_runner: 'no-such-launcher', runner_installable: false });
    const refused = await k.rest('POST', at('missing', '/install-runner'));
    expect([refused.status, refused.body.error.code]).to.deep.equal([422, 'RUNNER_INSTALL_UNSUPPORTED']);
    await k.rest('DELETE', at('missing'));
  });

  it('refuses names that would make two tools one', async () => {
    for (const name of ['a__b', 'a_', '_a', 'coffer'])
      expect((await add(name, scripted())).status, name).to.be.within(400, 422);
  });

  it('never quotes a secret it refuses', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuv';
    const res = await add('leaky', { transport: { type: 'stdio', command: 'x', env: { GH: secret } } });
    expect([res.status, (res.body.error as Obj).code]).to.deep.equal([422, 'CONFIG_INVALID']);
    expect(JSON.stringify(res.body)).to.contain('coffer credentials set mcp/leaky/GH').and.not.contain(secret);
  });

  it('previews an import', async () => {
    const { status, body } = await k.rest('POST', '/mcp/import/preview', {
      text: '{"mcpServers":{"a":{"command":"x","env":{"API_KEY":"${KEY}"}}}}',
      variables: { KEY: 'v' },
    });
    expect(status).to.equal(200);
    expect(body.servers[0]).to.deep.include({
      name: 'a',
      secrets: [{ key: 'API_KEY', where: 'env', ref: 'mcp/a/API_KEY', variable: 'KEY' }],
    });
    expect(JSON.stringify(body)).to.not.contain('"v"');
  });

  it('reaches a server over HTTP with a header from a credential', async () => {
    const server = await startFixture('scripted', ['--http', '0', '--require-header', 'x-key=s3cr3t']);
    try {
      const transport = { type: 'http', url: server.url, credential_refs: { 'x-key': 'mcp/web/x-key' } };
      expect((await add('web', { transport })).body.error).to.have.property('code', 'CREDENTIAL_MISSING');
      await k.rest('POST', '/credentials', { ref: 'mcp/web/x-key', value: 's3cr3t' });
      expect((await add('web', { transport })).status).to.equal(201);
      const c = await connect();
      expect((await c.request('tools/call', { name: 'web__echo', arguments: { text: 'hi' } })).content).to.deep.equal([
        { type: 'text', text: 'hi' },
      ]);
      await k.rest('DELETE', at('web'));
    } finally {
      await server.stop();
    }
  });
});
