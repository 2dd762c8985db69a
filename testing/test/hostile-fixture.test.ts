import { expect } from 'chai';
import { fixtureCommand, openHttp, openStdio, StdioClient, startFixture } from '../../kernel/src/testing/mcp/index.js';

const open = new Set<() => Promise<void>>();
const hostile = (mode: string, value?: number) =>
  fixtureCommand('hostile', ['--mode', mode, ...(value === undefined ? [] : ['--value', String(value)])]);
async function stdio(mode: string, value?: number): Promise<StdioClient> {
  const client = await openStdio(hostile(mode, value));
  open.add(() => client.close());
  return client;
}
async function caught(promise: Promise<unknown>): Promise<string> {
  return String(
    await promise.then(
      () => 'nothing was thrown',
      (e: unknown) => e,
    ),
  );
}
/** stderr comes by another pipe than answers; the test's own timeout is the limit. */
async function until(client: StdioClient, there: () => boolean): Promise<void> {
  while (!there()) await client.request('ping');
}
function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

afterEach(async () => {
  for (const close of [...open].reverse()) await close();
  open.clear();
});

describe('the hostile server', () => {
  it('writes noise around good answers', async () => {
    const client = await stdio('noise');
    expect(await client.list('tools/list', 'tools')).to.have.length(5);
    expect(client.strays.filter((line) => String(line).startsWith('*** banner'))).to.have.length(36);
    await until(client, () => client.stderr.includes('noise on stderr'));
  });

  it('hangs where it is told to', async () => {
    const silent = new StdioClient(hostile('hang-initialize'), { timeoutMs: 300 });
    open.add(() => silent.close());
    expect(await caught(silent.initialize())).to.contain('not answered in time');
    for (const [mode, method] of [
      ['hang-call', 'tools/call'],
      ['hang-list', 'tools/list'],
    ] as const) {
      const client = await stdio(mode);
      expect(await caught(client.request(method, {}, { timeoutMs: 100 }))).to.contain('not answered in time');
      expect(await client.request('ping')).to.deep.equal({});
    }
  });

  it('dies where it is told to', async () => {
    expect(await caught(openStdio(hostile('crash-on-start')))).to.contain('ended with code 1');
    expect(await caught((await stdio('crash-on-call')).callTool('good_one'))).to.contain('ended with code 1');
    expect(await (await stdio('exit-after-initialize')).exitCode()).to.equal(0);
  });

  it('floods', async () => {
    const loud = await stdio('flood-stderr', 300);
    await loud.callTool('good_one');
    await until(loud, () => loud.stderr.length > 2 * 300 * 1024);
    expect(loud.stderr).to.match(/^e+\n?e/);
    const chatty = await stdio('flood-notifications', 2000);
    await chatty.callTool('good_one');
    expect(chatty.notifications).to.have.length(2000);
  });

  it('never ends its list', async () => {
    for (const mode of ['page-forever', 'repeated-cursor']) {
      const client = await stdio(mode);
      let cursor: string | undefined;
      for (let i = 0; i < 20; i++) cursor = (await client.request('tools/list', { cursor })).nextCursor;
      expect(cursor, mode).to.be.a('string');
    }
  });

  it('answers in one huge line, ended or not', async () => {
    const client = await stdio('huge-line', 12_000_000);
    expect((await client.callTool('good_one')).content[0].text).to.have.length(12_000_000);
    const endless = await stdio('huge-unended-line', 1_000_000);
    expect(await caught(endless.callTool('good_one', {}, { timeoutMs: 300 }))).to.contain('not answered in time');
  });

  it('offers one bad tool among five good ones', async () => {
    for (const kind of ['empty-schema', 'string-schema', 'top-level-anyof', 'missing-schema', 'broken-output-schema']) {
      const [bad, ...good] = await (await stdio(`bad-tools-${kind}`)).list('tools/list', 'tools');
      expect(bad?.name, kind).to.equal('bad');
      expect(good, kind).to.have.length(5);
    }
  });

  it('tells another story at the second list', async () => {
    const client = await stdio('rugpull');
    const [first, second] = [await client.list('tools/list', 'tools'), await client.list('tools/list', 'tools')];
    expect(second[0]?.name).to.equal(first[0]?.name);
    expect(second[0]?.description).to.not.equal(first[0]?.description);
  });

  it('answers with the wrong id, no object, nothing, broken JSON, or twice', async () => {
    for (const mode of ['wrong-id-type', 'invalid-json-result']) {
      const client = await stdio(mode);
      expect(await caught(client.callTool('good_one', {}, { timeoutMs: 200 })), mode).to.contain(
        'not answered in time',
      );
      await client.request('ping');
      expect(client.strays, mode).to.have.length(1);
    }
    expect(await (await stdio('invalid-result')).callTool('good_one')).to.equal('just a string');
    expect(await (await stdio('no-result')).callTool('good_one')).to.equal(undefined);
    const twice = await stdio('answers-twice');
    await twice.callTool('good_one');
    await twice.request('ping');
    expect(twice.strays).to.have.length(1);
  });

  it('says that its tools changed each time they are listed', async () => {
    const client = await stdio('flips-on-every-list');
    for (let i = 0; i < 3; i++) await client.list('tools/list', 'tools');
    await client.request('ping');
    expect(client.notifications).to.have.length(3);
  });

  it('stays when its input or output is closed, and ignores a polite end', async () => {
    for (const mode of ['close-stdin', 'close-stdout', 'ignore-shutdown']) {
      const client = await stdio(mode);
      if (mode === 'ignore-shutdown') client.kill('SIGTERM');
      const timeoutMs = mode === 'ignore-shutdown' ? 10_000 : 300;
      expect(await caught(client.request('ping', {}, { timeoutMs })), mode).to.contain(
        mode === 'ignore-shutdown' ? 'nothing was thrown' : 'not answered in time',
      );
      client.kill('SIGKILL');
      expect(await client.exitCode(), mode).to.equal(null);
    }
  });

  it('leaves a grandchild behind, with and without a shell between', async () => {
    for (const mode of ['spawn-grandchild', 'shell-wrapper']) {
      const client = await stdio(mode);
      const { pid, grandchild } = JSON.parse((await client.callTool('good_one')).content[0].text);
      expect(pid === client.pid, mode).to.equal(mode === 'spawn-grandchild');
      await client.close();
      expect(alive(grandchild), mode).to.equal(true);
      process.kill(grandchild, 'SIGKILL');
    }
  });
});

describe('the hostile server over HTTP', () => {
  const expected: Record<string, string> = {
    'empty-object': 'not answered in time',
    html: 'not answered in time',
    'accepted-request': 'HTTP 202',
    'error-500-rpc': 'HTTP 500',
    'error-500-text': 'HTTP 500',
    'sse-without-reply': 'ended without an answer',
    'reset-mid-call': 'ended without an answer',
    'hang-call': 'not answered in time',
    redirect: 'HTTP 307',
    unauthorized: 'HTTP 401',
    'session-lost': 'HTTP 404',
    'too-many': 'HTTP 429',
    'cut-json': 'not answered in time',
  };
  for (const [mode, message] of Object.entries(expected)) {
    it(`answers a call with ${mode}`, async () => {
      const server = await startFixture('hostile', ['--mode', mode, '--http', '0']);
      open.add(server.stop);
      const client = await openHttp(server.url);
      open.add(() => client.close());
      expect(await client.list('tools/list', 'tools')).to.have.length(5);
      const timeoutMs = message === 'not answered in time' ? 300 : 10_000;
      expect(await caught(client.callTool('good_one', {}, { timeoutMs }))).to.contain(message);
    });
  }

  it('can do so at the handshake already', async () => {
    const server = await startFixture('hostile', ['--mode', 'unauthorized-initialize', '--http', '0']);
    open.add(server.stop);
    expect(await caught(openHttp(server.url))).to.contain('HTTP 401');
  });
});
