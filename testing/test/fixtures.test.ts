import { expect } from 'chai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  fixtureCommand,
  openHttp,
  openStdio,
  RpcFailure,
  startFixture,
  type ClientOptions,
  type RawClient,
  type RunningFixture,
} from '../../kernel/src/testing/mcp/index.js';

const ALL = { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } };
const answers: ClientOptions = {
  capabilities: ALL,
  onRequest: (method) => {
    if (method === 'roots/list') return { roots: [{ uri: 'file:///here', name: 'here' }] };
    if (method === 'elicitation/create') return { action: 'accept', content: { name: 'Ada', a: '1', b: '2' } };
    return { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm', stopReason: 'endTurn' };
  },
};

const open = new Set<() => Promise<void>>();
async function fixture(...args: string[]): Promise<RunningFixture> {
  const running = await startFixture('scripted', args);
  open.add(running.stop);
  return running;
}
async function stdio(args: string[] = [], options: ClientOptions = answers): Promise<RawClient> {
  const client = await openStdio(fixtureCommand('scripted', args), options);
  open.add(() => client.close());
  return client;
}
async function http(args: string[] = [], options: ClientOptions = answers): Promise<RawClient> {
  const client = await openHttp((await fixture('--http', '0', ...args)).url, options);
  open.add(() => client.close());
  if (!args.includes('--no-get') && !args.includes('--stateless')) expect(await client.listen()).to.equal(200);
  return client;
}
async function failure(promise: Promise<unknown>): Promise<RpcFailure> {
  const e: unknown = await promise.catch((caught: unknown) => caught);
  expect(e).to.be.instanceOf(RpcFailure);
  return e as RpcFailure; // asserted in the line above
}

afterEach(async () => {
  for (const close of [...open].reverse()) await close();
  open.clear();
});

for (const [transport, connect] of Object.entries({
  stdio,
  http,
  'http with JSON answers': (args: string[] = []) => http(['--json', ...args]),
})) {
  describe(`the scripted server over ${transport}`, () => {
    it('offers the same lists whole and in pages', async () => {
      const whole = await connect();
      const paged = await connect(['--page', '3']);
      for (const [method, key] of [
        ['tools/list', 'tools'],
        ['prompts/list', 'prompts'],
        ['resources/list', 'resources'],
        ['resources/templates/list', 'resourceTemplates'],
      ] as const) {
        const all = await whole.list(method, key);
        expect(all).to.not.be.empty;
        expect(await paged.list(method, key)).to.deep.equal(all);
      }
      expect((await failure(paged.request('tools/list', { cursor: 'made up' }))).code).to.equal(-32602);
    });

    it('answers errors with code and data', async () => {
      const client = await connect();
      expect(await failure(client.callTool('rpc_error')))
        .to.include({ code: -32042 })
        .and.deep.include({ data: { a: 1 } });
      expect((await failure(client.callTool('missing_error'))).code).to.equal(-32002);
      expect((await client.callTool('fails')).isError).to.equal(true);
    });

    it('reports progress, and stops when cancelled', async () => {
      const client = await connect();
      await client.callTool('slow', { steps: 3, ms: 1 }, { meta: { progressToken: 'tok' } });
      await client.waitFor((m) => m.params?.progress === 3);
      const steps = client.notifications.filter((m) => m.method === 'notifications/progress');
      expect(steps.map((m) => m.params.progressToken)).to.deep.equal(['tok', 'tok', 'tok']);
      const { id } = client.start('tools/call', { name: 'mute', arguments: {} });
      await client.cancel(id, 'changed my mind');
      expect((await client.callTool('cancelled_log')).content[0].text).to.equal(
        JSON.stringify([{ requestId: id, reason: 'changed my mind' }]),
      );
    });

    it('asks each question and gives the answer back', async () => {
      const client = await connect();
      expect((await client.callTool('sample')).structuredContent.answer.model).to.equal('m');
      expect((await client.callTool('elicit_form')).structuredContent.answer.content.name).to.equal('Ada');
      expect((await client.callTool('elicit_url')).structuredContent.answer.action).to.equal('accept');
      expect((await client.callTool('roots')).structuredContent.answer.roots).to.have.length(1);
      expect((await client.callTool('two_questions')).content[0].text).to.equal('1+2');
      expect((await client.callTool('both_questions')).content[0].text).to.equal('1|hello');
      expect((await client.callTool('ping_client')).content[0].text).to.equal('{}');
      expect(client.requests.map((m) => m.method)).to.include('ping');
    });

    it('tells of changes inside a call and after it', async () => {
      const client = await connect();
      await client.callTool('flip');
      await client.waitFor('notifications/tools/list_changed');
      expect((await client.list('tools/list', 'tools')).map((t) => t.name)).to.include('flipped');
      await client.callTool('flip_prompt', { after: true });
      await client.waitFor('notifications/prompts/list_changed');
      await client.request('resources/subscribe', { uri: 'test://static-text' });
      await client.callTool('touch', { after: true });
      expect((await client.waitFor('notifications/resources/updated')).params.uri).to.equal('test://static-text');
      await client.callTool('burst', { n: 7 });
      const flips = () => client.notifications.filter((m) => m.method === 'notifications/tools/list_changed');
      await client.waitFor(() => flips().length === 8);
      await client.callTool('echo');
      expect(flips()).to.have.length(8);
    });

    it('logs from the level that was set', async () => {
      const client = await connect();
      await client.request('logging/setLevel', { level: 'alert' });
      await client.callTool('log');
      await client.waitFor((m) => m.params?.level === 'emergency');
      const levels = client.notifications
        .filter((m) => m.method === 'notifications/message')
        .map((m) => m.params.level);
      expect(levels).to.deep.equal(['alert', 'emergency']);
    });

    it('says what it was told', async () => {
      const client = await connect();
      const told = (await client.callTool('whoami', {}, { meta: { 'x.test/m': 1 } })).structuredContent;
      expect(told.initialize.capabilities).to.deep.equal(ALL);
      expect(told.params._meta).to.deep.equal({ 'x.test/m': 1 });
    });
  });
}

describe('the scripted server', () => {
  it('asks for the roots once initialized', async () => {
    const client = await stdio(['--ask-roots']);
    // its question came before the first answer, and ours to it went out before the second call
    await client.callTool('echo');
    await client.callTool('echo');
    expect((await client.callTool('whoami')).structuredContent.roots).to.deep.equal([
      { roots: [{ uri: 'file:///here', name: 'here' }] },
    ]);
  });

  it('agrees on a version it knows and offers the latest otherwise', async () => {
    for (const asked of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      expect((await stdio([], { protocolVersion: asked })).facts?.protocolVersion).to.equal(asked);
    }
    expect((await stdio([], { protocolVersion: '2030-01-01' })).facts?.protocolVersion).to.equal('2025-11-25');
  });

  it('ends a session on DELETE, and refuses foreign hosts, sessions and versions', async () => {
    const { url } = await fixture('--http', '0');
    const client = await openHttp(url);
    expect((await client.raw('POST', '{}', { host: 'evil.example.com' })).status).to.equal(403);
    expect((await client.raw('POST', '{', {})).status).to.equal(400);
    const ping = { jsonrpc: '2.0', id: 9, method: 'ping' };
    expect((await client.raw('POST', ping, { 'mcp-session-id': 'other' })).status).to.equal(404);
    expect((await client.raw('POST', ping, { 'mcp-session-id': undefined })).status).to.equal(400);
    expect((await client.raw('POST', ping, { 'mcp-protocol-version': '1999-01-01' })).status).to.equal(400);
    expect((await client.raw('POST', ping, { accept: 'application/json' })).status).to.equal(406);
    expect((await client.raw('DELETE')).status).to.equal(200);
    expect((await client.raw('POST', ping)).status).to.equal(404);
    client.abandon();
  });

  it('can do without sessions, and without a GET stream', async () => {
    const free = await http(['--stateless']);
    expect((await free.callTool('echo', { text: 'x' })).content[0].text).to.equal('x');
    const { url } = await fixture('--http', '0', '--no-get', '--require-header', 'authorization=Bearer s');
    expect(String(await openHttp(url).catch((e: unknown) => e))).to.contain('401');
    const client = await openHttp(url, { headers: { authorization: 'Bearer s' } });
    expect(await client.listen()).to.equal(405);
    await client.close();
  });
});

describe('the scripted server and the official client', () => {
  const make = (): Client => {
    const client = new Client({ name: 'sdk', version: '1' }, { capabilities: ALL });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'hello' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///here' }] }));
    return client;
  };
  const transports = {
    stdio: async () => new StdioClientTransport(fixtureCommand('scripted')),
    'streamable HTTP': async () => new StreamableHTTPClientTransport(new URL((await fixture('--http', '0')).url)),
    'HTTP+SSE': async () => new SSEClientTransport(new URL((await fixture('--sse', '0')).url)),
  };
  for (const [name, transport] of Object.entries(transports)) {
    it(`understand each other over ${name}`, async () => {
      const client = make();
      let changed = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changed++);
      await client.connect(await transport());
      open.add(() => client.close());
      expect((await client.listTools()).tools.map((t) => t.name)).to.include('structured');
      expect((await client.listPrompts()).prompts).to.have.length(5);
      expect((await client.listResources()).resources).to.have.length(4);
      expect((await client.listResourceTemplates()).resourceTemplates).to.have.length(2);
      const steps: number[] = [];
      const options = { onprogress: (p: { progress: number }) => void steps.push(p.progress) };
      // the official client forgets its progress callback when the answer comes in the same read as the steps: `heard`
      await client.callTool({ name: 'slow', arguments: { steps: 3, ms: 1, heard: true } }, undefined, options);
      expect(steps).to.deep.equal([1, 2, 3]);
      for (const tool of [
        'sample',
        'elicit_form',
        'roots',
        'blocks',
        'structured',
        'test_reconnection',
        'ping_client',
      ]) {
        const result = await client.callTool({ name: tool, arguments: {} });
        expect(result.isError, `${tool}: ${JSON.stringify(result)}`).to.not.equal(true);
      }
      await client.callTool({ name: 'flip', arguments: {} });
      expect((await client.listTools()).tools.map((t) => t.name)).to.include('flipped');
      expect(changed).to.equal(1);
      expect((await client.getPrompt({ name: 'dialogue' })).messages).to.have.length(2);
      expect((await client.readResource({ uri: 'test://template/7/data' })).contents).to.have.length(1);
      const completion = await client.complete({
        ref: { type: 'ref/prompt', name: 'test_simple_prompt' },
        argument: { name: 'arg1', value: 'v' },
      });
      expect(completion.completion.values).to.include('vx');
    });
  }
});
