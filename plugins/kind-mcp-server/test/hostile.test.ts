import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Obj, Outcome } from '@coffer/kernel';
import { soundTools } from '../src/findings.js';
import { wholeList } from '../src/lists.js';
import { fixtureCommand, startFixture } from '@coffer/kernel/testing';
import { alive, client, HandClock, Home, turn, until } from './support.js';

const call = { name: 'any', arguments: { text: 'ok' } };

function reasonOf(o: Outcome): string {
  if (o.kind !== 'fault') throw new Error(`no fault: ${JSON.stringify(o)}`);
  return `${o.fault.name}: ${o.fault.message}`;
}

describe('a server that misbehaves on its pipes', () => {
  const home = new Home();
  after(() => home.remove());
  const hostile = (mode: string, value?: number): Obj => ({
    type: 'stdio',
    ...fixtureCommand('hostile', ['--mode', mode, ...(value === undefined ? [] : ['--value', String(value)])]),
  });

  it('is used in spite of noise, which is counted and kept in its log', async () => {
    const noise: string[] = [];
    const launcher = home.launcher();
    const up = await home.connect(hostile('noise'), client(), {
      launcher,
      events: { noise: (line) => noise.push(line) },
    });
    expect((await up.call('tools/call', call, client())).kind).to.equal('result');
    expect(noise.length).to.be.at.least(41);
    const log = (await launcher.log('up').tail(1000)).join('\n');
    expect(log)
      .to.contain('[stdout] *** banner line 1 ***')
      .and.contain('[stdout] {"half a line')
      .and.contain('noise on stderr');
  });

  it('finds a message behind half a line of noise', async () => {
    const script = `const out = (s) => process.stdout.write(s);
      require('readline').createInterface({ input: process.stdin }).on('line', (l) => { const m = JSON.parse(l); if (m.id === undefined) return;
        const result = m.method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'n', version: '1' } } : { content: [] };
        out('Loading... ' + JSON.stringify({ jsonrpc: '2.0', id: m.id, result }) + '\\r\\n'); });`;
    const up = await home.connect({ type: 'stdio', command: process.execPath, args: ['-e', script] });
    expect((await up.call('tools/call', call, client())).kind).to.equal('result');
  });

  it('fails the calls under way when it dies, in words, and tells its owner once', async () => {
    const downs: string[] = [];
    const up = await home.connect(hostile('crash-on-call'), client(), {
      events: { down: (reason) => downs.push(reason) },
    });
    expect(reasonOf(await up.call('tools/call', call, client()))).to.equal('UNAVAILABLE: up ended (exit code 1).');
    expect(downs).to.deep.equal(['up ended (exit code 1).']);
    expect(reasonOf(await up.call('tools/call', call, client()))).to.contain('up ended');
  });

  it('tells the last words of a server that does not start', async () => {
    const e = await home.connect(hostile('crash-on-start')).catch((e: unknown) => e);
    expect(e).to.have.property('code', 'UPSTREAM_UNAVAILABLE');
    expect(e).to.have.property('message').that.contains('cannot find the configuration');
  });

  it('fails a call whose answer is over the message limit and ends only this connection', async () => {
    for (const mode of ['huge-line', 'huge-unended-line']) {
      const downs: string[] = [];
      const up = await home.connect(hostile(mode, 3 * 2 ** 20), client(), {
        config: { max_message_mib: 1 },
        events: { down: (reason) => downs.push(reason) },
      });
      expect(reasonOf(await up.call('tools/call', call, client())), mode).to.contain('over 1 MiB (max_message_mib)');
      expect(downs).to.have.length(1);
    }
  });

  it('passes an answer of 12 MiB that is within the limit', async () => {
    const up = await home.connect(hostile('huge-line', 12 * 2 ** 20));
    const o = await up.call('tools/call', call, client());
    if (o.kind !== 'result') throw new Error(o.kind);
    expect(o.result.size).to.be.above(12 * 2 ** 20);
    expect((o.result.value.content as Obj[])[0]?.text).to.have.length(12 * 2 ** 20);
  });

  for (const [mode, words] of [
    ['wrong-id-type', 'the id as text'],
    ['invalid-result', 'not an object'],
    ['no-result', 'without a result and without an error'],
  ] as const)
    it(`fails a call that is answered with ${mode}, in plain words`, async () => {
      const odd: string[] = [];
      const up = await home.connect(hostile(mode), client(), { events: { odd: (reason) => odd.push(reason) } });
      expect(reasonOf(await up.call('tools/call', call, client()))).to.contain(words);
      expect(odd).to.have.length(1);
      expect(await up.ask('ping', {})).to.deep.equal({ result: {} });
    });

  it('ignores a second answer', async () => {
    const up = await home.connect(hostile('answers-twice'));
    for (let i = 0; i < 3; i++) expect((await up.call('tools/call', call, client())).kind).to.equal('result');
  });

  it('gives up on a silent call at its limit, and tells the server', async () => {
    const clock = new HandClock();
    const up = await home.connect(hostile('hang-call'), client(), { clock, config: { request_timeout_seconds: 5 } });
    const o = up.call('tools/call', call, client());
    await turn();
    await clock.advance(5000);
    expect(reasonOf(await o)).to.equal('TIMEOUT: up gave no answer within 5 seconds (request_timeout_seconds)');
    expect(await up.ask('ping', {})).to.deep.equal({ result: {} });
  });

  it('gives up on a handshake at its limit and leaves no process', async () => {
    const clock = new HandClock();
    const launcher = home.launcher();
    const failed = home
      .connect(hostile('hang-initialize'), client(), { clock, launcher, config: { spawn_timeout_seconds: 5 } })
      .catch((e: unknown) => e);
    await until(() => clock.timers > 0, 'the handshake');
    await clock.advance(5000);
    expect(await failed).to.have.property('code', 'UPSTREAM_TIMEOUT');
  });

  it('notices when a server closes its output and lives on', async () => {
    const downs: string[] = [];
    const up = await home.connect(hostile('close-stdout'), client(), {
      events: { down: (reason) => downs.push(reason) },
    });
    expect(reasonOf(await up.call('tools/call', call, client()))).to.contain('up closed its output');
    expect(downs).to.have.length(1);
  });

  it('survives a write into a server that closed its input and lives on', async () => {
    const script = `const { readSync, writeSync, closeSync } = require('fs'), b = Buffer.alloc(65536); let text = '';
      while (!text.includes('notifications/initialized')) { text += b.toString('utf8', 0, readSync(0, b));
        if (text.includes('"initialize"') && !text.done) { text = new String(text.replace('"initialize"', '')); text.done = true;
          writeSync(1, JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'n', version: '1' } } }) + '\\n'); } }
      closeSync(0); setInterval(() => {}, 60000);`;
    const downs: string[] = [];
    const up = await home.connect({ type: 'stdio', command: process.execPath, args: ['-e', script] }, client(), {
      events: { down: (reason) => downs.push(reason) },
    });
    await until(
      async () =>
        (await up.call('tools/call', { ...call, arguments: { text: 'x'.repeat(1_000_000) } }, client())).kind ===
        'fault',
      'the broken pipe',
    );
    expect(downs).to.have.length(1);
    expect(downs[0]).to.contain('up closed its input');
  });

  it('is not held up by a flood on stderr', async () => {
    const launcher = home.launcher();
    const up = await home.connect(hostile('flood-stderr', 7000), client(), { launcher });
    expect((await up.call('tools/call', call, client())).kind).to.equal('result');
    await up.close();
    await launcher.log('up').flush();
    const size = readFileSync(path.join(home.paths.logs, 'upstream-up.log')).length;
    expect(size)
      .to.be.above(0)
      .and.at.most(5 * 2 ** 20);
  });

  it('stops listing at a repeated cursor and at the thousandth page', async () => {
    const again = await home.connect(hostile('repeated-cursor'));
    const repeated = await wholeList('up', again, 'tools');
    expect(repeated).to.have.property('endless', true);
    const forever = await home.connect(hostile('page-forever'));
    const pages = await wholeList('up', forever, 'tools');
    expect(pages.endless).to.equal(true);
    expect(pages.items).to.have.length(1000);
  });

  it('loses at most its bad tools', async () => {
    const outcome: Record<string, [number, string | undefined]> = {};
    for (const kind of [
      'empty-schema',
      'string-schema',
      'top-level-anyof',
      'missing-schema',
      'broken-output-schema',
      'null-schema',
      'no-name',
      'number-description',
    ]) {
      const up = await home.connect(hostile(`bad-tools-${kind}`));
      const { items, findings } = soundTools('up', (await wholeList('up', up, 'tools')).items);
      expect(items.filter((t) => String(t.name).startsWith('good_'))).to.have.length(5);
      outcome[kind] = [items.length, findings[0]?.kind];
      await up.close();
    }
    expect(outcome).to.deep.equal({
      'empty-schema': [6, 'repaired_schema'],
      'string-schema': [5, 'hidden_tool'],
      'top-level-anyof': [6, 'repaired_schema'],
      'missing-schema': [6, 'repaired_schema'],
      'broken-output-schema': [6, 'repaired_schema'],
      'null-schema': [6, 'repaired_schema'],
      'no-name': [5, 'hidden_tool'],
      'number-description': [6, undefined],
    });
  });

  it('leaves no process of its group behind, whatever it does', async function () {
    this.timeout(30_000);
    for (const mode of ['spawn-grandchild', 'shell-wrapper']) {
      const up = await home.connect(hostile(mode));
      const o = await up.call('tools/call', call, client());
      if (o.kind !== 'result') throw new Error(o.kind);
      const { pid, grandchild } = JSON.parse((o.result.value.content as Obj[])[0]?.text as string) as {
        pid: number;
        grandchild: number;
      };
      expect([alive(pid), alive(grandchild)], mode).to.deep.equal([true, true]);
      await up.close();
      await until(() => !alive(pid) && !alive(grandchild), `${mode} to be gone`);
    }
    const stubborn = await home.connect(hostile('ignore-shutdown'));
    await stubborn.close();
  });
});

describe('a server that misbehaves over HTTP', () => {
  const home = new Home();
  after(() => home.remove());

  for (const [mode, words] of [
    ['empty-object', 'no JSON-RPC reply'],
    ['html', 'a web page that is no JSON-RPC reply'],
    ['accepted-request', 'HTTP 202 and so will never reply'],
    ['error-500-text', 'HTTP 500'],
    ['sse-without-reply', 'ended its stream of events without an answer'],
    ['reset-mid-call', 'broke its stream of events off'],
    ['redirect', 'redirects to another origin'],
    ['unauthorized', 'wants authorization'],
    ['session-lost', 'does not keep the session'],
    ['too-many', 'HTTP 429'],
    ['cut-json', 'no JSON-RPC reply'],
  ] as const)
    it(`fails the call on ${mode}, in plain words`, async () => {
      const server = await startFixture('hostile', ['--mode', mode, '--http', '0']);
      try {
        const up = await home.connect({ type: 'http', url: server.url });
        const reason = reasonOf(await up.call('tools/call', call, client()));
        expect(reason).to.contain(words);
        await up.close();
      } finally {
        await server.stop();
      }
    });

  it('passes a JSON-RPC error in an HTTP error on verbatim', async () => {
    const server = await startFixture('hostile', ['--mode', 'error-500-rpc', '--http', '0']);
    try {
      const up = await home.connect({ type: 'http', url: server.url });
      expect(await up.call('tools/call', call, client())).to.deep.equal({
        kind: 'error',
        error: { code: -32603, message: 'it broke', data: { a: 1 } },
      });
      await up.close();
    } finally {
      await server.stop();
    }
  });

  it('ends a call on a stream that stays silent at its limit', async () => {
    const server = await startFixture('hostile', ['--mode', 'hang-call', '--http', '0']);
    const clock = new HandClock();
    try {
      const up = await home.connect({ type: 'http', url: server.url }, client(), {
        clock,
        config: { request_timeout_seconds: 7 },
      });
      const o = up.call('tools/call', call, client());
      await turn();
      await clock.advance(7000);
      expect(reasonOf(await o)).to.contain('within 7 seconds');
      await up.close();
    } finally {
      await server.stop();
    }
  });

  it('says what is wrong with an address that is no MCP server', async () => {
    const server = await startFixture('hostile', ['--mode', 'html-initialize', '--http', '0']);
    try {
      const e = await home.connect({ type: 'http', url: server.url }).catch((e: unknown) => e);
      expect(e).to.have.property('message').that.contains('a web page');
      const nobody = await home.connect({ type: 'http', url: 'http://127.0.0.1:1/mcp' }).catch((e: unknown) => e);
      expect(nobody).to.have.property('message').that.contains('nothing listens');
    } finally {
      await server.stop();
    }
  });
});
