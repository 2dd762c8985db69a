import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Obj, Outcome } from '@coffer/kernel';
import { wholeList } from '../src/lists.js';
import { fixtureCommand, openHttp, openStdio, startFixture } from '@coffer/kernel/testing';
import { client, freePort, Home, until } from './support.js';

const require = createRequire(import.meta.url);
const bin = (name: string): string => require.resolve(`@modelcontextprotocol/${name}/dist/index.js`);

function valueOf(o: Outcome): Obj {
  if (o.kind !== 'result') throw new Error(`no result: ${JSON.stringify(o)}`);
  return o.result.value;
}

/** Calls of the scripted server whose answers must come through as they are. */
const CALLS: [string, Obj][] = [
  ['echo', { text: 'grüße 漢字 🎉 "quoted" \\ \u2028' }],
  ['structured', { city: 'Berlin' }],
  ['blocks', {}],
  ['future_block', {}],
  ['fails', {}],
  ['unicode', {}],
  ['big', { bytes: 300_000 }],
];

describe('relaying what a server says', () => {
  const home = new Home();
  after(() => home.remove());

  it('introduces the real client, without tasks, and hears what the server says of itself', async () => {
    const x = client({
      capabilities: { roots: { listChanged: true }, sampling: {}, tasks: { list: {} } },
      info: { name: 'somebody', version: '3' },
    });
    const up = await home.connect({ type: 'stdio', ...fixtureCommand('scripted') }, x);
    expect(up.facts).to.deep.include({ protocolVersion: '2025-11-25', instructions: 'Instructions of scripted.' });
    const told = valueOf(await up.call('tools/call', { name: 'whoami', arguments: {} }, x)).structuredContent as Obj;
    expect(told.initialize).to.deep.include({
      capabilities: { roots: { listChanged: true }, sampling: {} },
      clientInfo: { name: 'somebody', version: '3' },
    });
  });

  it('passes params on as they came, without what is between client and Coffer', async () => {
    const x = client();
    const up = await home.connect({ type: 'stdio', ...fixtureCommand('scripted') }, x);
    const _meta = {
      'claudecode/toolUseId': 't1',
      traceparent: '00-1',
      'coffer/cwd': '/secret',
      'io.modelcontextprotocol/x': 1,
      progressToken: 0,
    };
    const told = valueOf(
      await up.call('tools/call', { name: 'whoami', arguments: { a: [1, null] }, 'x-other': true, _meta }, x),
    ).structuredContent as Obj;
    expect(told.params).to.deep.equal({
      name: 'whoami',
      arguments: { a: [1, null] },
      'x-other': true,
      _meta: { 'claudecode/toolUseId': 't1', traceparent: '00-1' },
    });
  });

  for (const [label, args] of [
    ['streams of events', []],
    ['JSON answers', ['--json']],
    ['no sessions and no GET', ['--stateless', '--no-get']],
  ] as const) {
    it(`gives over HTTP with ${label} what the server answers directly`, async () => {
      const server = await startFixture('scripted', ['--http', '0', ...args]);
      try {
        const direct = await openHttp(server.url);
        await direct.initialize();
        const up = await home.connect({ type: 'http', url: server.url });
        for (const [name, a] of CALLS) {
          const params = { name, arguments: a };
          expect(valueOf(await up.call('tools/call', params, client())), name).to.deep.equal(
            await direct.request('tools/call', params),
          );
        }
        await direct.close();
        await up.close();
      } finally {
        await server.stop();
      }
    });
  }

  it('gives over stdio what the server answers directly', async () => {
    const direct = await openStdio(fixtureCommand('scripted'));
    await direct.initialize();
    const up = await home.connect({ type: 'stdio', ...fixtureCommand('scripted') });
    for (const [name, a] of CALLS) {
      const params = { name, arguments: a };
      expect(valueOf(await up.call('tools/call', params, client())), name).to.deep.equal(
        await direct.request('tools/call', params),
      );
    }
    await direct.close();
  });

  it('falls back to the older HTTP+SSE and remembers that it works', async () => {
    const server = await startFixture('scripted', ['--sse', '0']);
    try {
      const up = await home.connect({ type: 'http', url: server.url });
      for (const [name, a] of CALLS)
        expect(valueOf(await up.call('tools/call', { name, arguments: a }, client()))).to.be.an('object');
      await up.close();
    } finally {
      await server.stop();
    }
  });

  it('passes errors of a server on verbatim', async () => {
    const up = await home.connect({ type: 'stdio', ...fixtureCommand('scripted') });
    const o = await up.call(
      'tools/call',
      { name: 'rpc_error', arguments: { code: -32077, data: { a: [1] } } },
      client(),
    );
    expect(o).to.deep.nested.include({ kind: 'error', 'error.code': -32077, 'error.data': { a: [1] } });
    const unknown = await up.call('resources/read', { uri: 'test://none' }, client());
    expect(unknown).to.deep.equal({
      kind: 'error',
      error: { code: -32002, message: 'Resource not found', data: { uri: 'test://none' } },
    });
  });

  it('follows every page of every list and keeps every field', async () => {
    const paged = await home.connect({ type: 'stdio', ...fixtureCommand('scripted', ['--page', '3']) });
    const whole = await home.connect({ type: 'stdio', ...fixtureCommand('scripted') });
    for (const type of ['tools', 'prompts', 'resources', 'resourceTemplates'] as const)
      expect(await wholeList('up', paged, type), type).to.deep.equal(await wholeList('up', whole, type));
  });

  it('takes -32601 and an undeclared feature for an empty list', async () => {
    const up = await home.connect({ type: 'stdio', ...fixtureCommand('scripted', ['--tools-only']) });
    expect(await wholeList('up', up, 'prompts')).to.deep.equal({ items: [], endless: false });
    expect((await wholeList('up', up, 'tools')).items).to.have.length.above(5);
  });

  describe('with the servers everybody knows', () => {
    it('relays server-everything over stdio', async () => {
      const up = await home.connect({
        type: 'stdio',
        command: process.execPath,
        args: [bin('server-everything'), 'stdio'],
      });
      expect((await wholeList('up', up, 'tools')).items.map((t) => t.name)).to.include('echo');
      expect(
        valueOf(await up.call('tools/call', { name: 'echo', arguments: { message: 'hi' } }, client())).content,
      ).to.deep.equal([{ type: 'text', text: 'Echo: hi' }]);
    });

    for (const kind of ['streamableHttp', 'sse']) {
      it(`relays server-everything over ${kind}`, async () => {
        const port = await freePort();
        const server = spawn(process.execPath, [bin('server-everything'), kind], {
          env: { ...process.env, PORT: String(port) },
          stdio: 'ignore',
        });
        try {
          await until(() => listens(port), 'the port');
          const up = await home.connect({
            type: 'http',
            url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`,
          });
          expect(
            valueOf(await up.call('tools/call', { name: 'echo', arguments: { message: 'hi' } }, client())).content,
          ).to.deep.equal([{ type: 'text', text: 'Echo: hi' }]);
          const x = client({ progress: true });
          await up.call(
            'tools/call',
            { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
            x,
          );
          expect(x.progressed).to.deep.include({ progress: 2, total: 2 });
          await up.close();
        } finally {
          await end(server);
        }
      });
    }

    it('finds its way back to server-everything after a restart, which answers a lost session with 400', async () => {
      const port = await freePort();
      const start = (): ChildProcess =>
        spawn(process.execPath, [bin('server-everything'), 'streamableHttp'], {
          env: { ...process.env, PORT: String(port) },
          stdio: 'ignore',
        });
      let server = start();
      try {
        await until(() => listens(port), 'the port');
        const up = await home.connect({ type: 'http', url: `http://127.0.0.1:${port}/mcp` });
        const echo = { name: 'echo', arguments: { message: 'hi' } };
        expect((await up.call('tools/call', echo, client())).kind).to.equal('result');
        await end(server);
        server = start();
        await until(() => listens(port), 'the port');
        expect((await up.call('tools/call', echo, client())).kind).to.equal('result');
        await up.close();
      } finally {
        await end(server);
      }
    });

    it('relays server-filesystem and server-memory', async () => {
      const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'coffer-files-')));
      try {
        writeFileSync(path.join(folder, 'a.txt'), 'hello\n');
        const files = await home.connect({
          type: 'stdio',
          command: process.execPath,
          args: [bin('server-filesystem'), folder],
        });
        const read = valueOf(
          await files.call(
            'tools/call',
            { name: 'read_text_file', arguments: { path: path.join(folder, 'a.txt') } },
            client(),
          ),
        );
        expect(read.content).to.deep.equal([{ type: 'text', text: 'hello\n' }]);
        const memory = await home.connect({
          type: 'stdio',
          command: process.execPath,
          args: [bin('server-memory')],
          env: { MEMORY_FILE_PATH: path.join(folder, 'm.jsonl') },
        });
        const graph = valueOf(await memory.call('tools/call', { name: 'read_graph', arguments: {} }, client()));
        expect(graph.structuredContent).to.deep.equal({ entities: [], relations: [] });
        await Promise.all([files.close(), memory.close()]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});

async function listens(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/nothing`).then(
    () => true,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
