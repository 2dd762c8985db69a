import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Obj, Outcome } from '@coffer/kernel';
import {
  createTestKernel,
  fixtureCommand,
  type HttpClient,
  openHttp,
  startFixture,
  type TestKernel,
} from '@coffer/kernel/testing';
import { HOLDS_MS, RememberedEras, type Verdict } from '../src/eras.js';
import plugin from '../src/plugin.js';
import { migrations } from '../src/tables.js';
import { client, freePort, HandClock, Home, NotedEras } from './support.js';

function textOf(o: Outcome): string {
  if (o.kind !== 'result') throw new Error(`no result: ${JSON.stringify(o)}`);
  return (o.result.value.content as Obj[])[0]?.text as string;
}
const call = (name: string, args: Obj = {}): [string, Obj] => ['tools/call', { name, arguments: args }];

describe('which era a server speaks', () => {
  const home = new Home();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-eras-'));
  const record = path.join(folder, 'record');
  const lines = (): string[] => readFileSync(record, 'utf8').trim().split('\n');
  const opened = (): string[] =>
    lines().map((l) =>
      l
        .split(' ')
        .slice(0, l.startsWith('legacy') ? 2 : 1)
        .join(' '),
    );
  const stdio = (...args: string[]): Obj => ({
    type: 'stdio',
    ...fixtureCommand('modern', ['--record', record, ...args]),
  });
  const old = (...args: string[]): Obj => ({
    type: 'stdio',
    ...fixtureCommand('scripted', ['--record', record, ...args]),
  });
  const only = (eras: NotedEras): Verdict | undefined => [...eras.all.values()][0];
  beforeEach(() => writeFileSync(record, ''));
  after(async () => {
    await home.remove();
    rmSync(folder, { recursive: true });
  });

  it('is asked once of a server of the older era, in the process that stays, and remembered', async () => {
    const eras = new NotedEras();
    const up = await home.connect(old(), client(), { eras });
    expect(up.fixed).to.equal(true);
    expect(lines().filter((l) => l.startsWith('start'))).to.have.length(1);
    expect(only(eras)).to.deep.equal({ modern: false, legacy: true, version: '1.0.0' });
    const again = await home.connect(old(), client(), { eras });
    expect(await again.call(...call('echo', { a: 1 }), client())).to.have.property('kind', 'result');
    expect(eras.all.size).to.equal(1);
  });

  it('is not asked while it is known that only the older is spoken', async () => {
    const era = path.join(folder, 'era');
    writeFileSync(era, 'legacy');
    const eras = new NotedEras();
    for (let i = 0; i < 2; i++) await (await home.connect(stdio('--era-file', era), client(), { eras })).close();
    expect(opened().filter((l) => l === 'legacy initialize')).to.have.length(2);
    expect(opened().filter((l) => l === 'unknown')).to.have.length(1);
    expect(only(eras)).to.deep.include({ modern: false, legacy: true });
  });

  for (const mode of ['nonsense-discover', 'hang-discover', 'exit-discover'] as const)
    it(`is the older one when the discovery ends in ${mode}`, async () => {
      const eras = new NotedEras();
      const up = await home.connect(stdio('--both', '--mode', mode), client({ rounds: true }), { eras });
      expect(textOf(await up.call(...call('echo'), client()))).to.contain('legacy');
      expect(lines().filter((l) => l.startsWith('start'))).to.have.length(mode === 'exit-discover' ? 2 : 1);
      expect(only(eras)).to.deep.include({ modern: false });
    });

  it('is the newer one of a program that is only slow to start', async () => {
    const eras = new NotedEras();
    const up = await home.connect(stdio('--mode', 'slow-discover'), client({ rounds: true }), { eras });
    expect(up.fixed).to.equal(false);
    expect(textOf(await up.call(...call('echo', { a: 1 }), client({ rounds: true })))).to.equal('{"a":1}');
    expect(lines().filter((l) => l.startsWith('start'))).to.have.length(1);
  });

  for (const transport of ['stdio', 'http'] as const)
    it(`is that of the client where a server speaks both, over ${transport}`, async () => {
      const server = transport === 'http' ? await startFixture('modern', ['--http', '0', '--both']) : undefined;
      const target = server === undefined ? stdio('--both') : { type: 'http', url: server.url };
      try {
        const eras = new NotedEras();
        const older = await home.connect(target, client(), { eras });
        expect(older.fixed).to.equal(true);
        expect(textOf(await older.call(...call('echo'), client()))).to.contain('legacy');
        expect(only(eras)).to.deep.equal({ modern: true, legacy: true, version: '1.0.0' });
        const newer = await home.connect(target, client({ rounds: true }), { eras });
        expect(newer.fixed).to.equal(false);
        writeFileSync(record, '');
        await home.connect(target, client(), { eras });
        if (transport === 'stdio') expect(opened().filter((l) => l === 'server/discover')).to.deep.equal([]);
        await Promise.all([older.close(), newer.close()]);
      } finally {
        await server?.stop();
      }
    });

  it('may change between starts, in either direction, without a failed call', async () => {
    const era = path.join(folder, 'change');
    const eras = new NotedEras();
    for (const now of ['legacy', 'modern', 'legacy', 'modern']) {
      writeFileSync(era, now);
      const up = await home.connect(stdio('--era-file', era), client(), { eras });
      expect(up.fixed, now).to.equal(now === 'legacy');
      await up.close();
    }
  });

  it('is looked for again after another version was seen', async () => {
    const era = path.join(folder, 'era');
    writeFileSync(era, 'legacy');
    const eras = new NotedEras();
    const target = stdio('--era-file', era);
    await home.connect(target, client(), { eras });
    const [key] = [...eras.all.keys()];
    eras.note(key as string, { modern: false, legacy: true, version: '0.9.0' }); // one was noted
    await home.connect(target, client(), { eras });
    expect(eras.all.size).to.equal(0);
  });

  it('gives a plain failure where a server lies about it', async () => {
    const up = await home.connect(stdio('--mode', 'lies'), client());
    expect(await up.call(...call('echo'), client())).to.deep.equal({
      kind: 'error',
      error: { code: -32601, message: 'Method not found' },
    });
  });
});

describe('verdicts about eras', () => {
  it('survive a restart, and hold for a day', async () => {
    const db = new Database(':memory:');
    for (const m of migrations) db.exec(m.sql);
    const clock = new HandClock();
    const eras = new RememberedEras(db, clock);
    eras.note('a', { modern: false, legacy: true, version: '1' });
    eras.note('b', { modern: true });
    eras.note('c', { modern: true });
    eras.forget('c');
    const later = new RememberedEras(db, clock);
    expect(later.of('a')).to.deep.include({ modern: false, legacy: true, version: '1' });
    expect(later.of('b')).to.deep.include({ modern: true }).and.not.have.property('legacy');
    expect(later.of('c')).to.equal(undefined);
    await clock.advance(HOLDS_MS - 1);
    expect(later.of('a')).to.not.equal(undefined);
    await clock.advance(1);
    expect(later.of('a')).to.equal(undefined);
    later.note('d', { modern: true });
    await clock.advance(1);
    later.note('d', { modern: true });
    expect(db.prepare('SELECT target FROM mcp_server_eras').pluck().all()).to.deep.equal(['d']);
    db.close();
  });
});

describe('servers of the newer era in a daemon', () => {
  let k: TestKernel;
  const clients: HttpClient[] = [];
  before(async () => void (k = await createTestKernel({ plugins: [plugin] })));
  after(async () => {
    await Promise.all(clients.map((c) => c.close()));
    await k.stop();
  });
  const connect = async (agent: string): Promise<HttpClient> => {
    const c = await openHttp(`${k.url}/mcp`, { headers: { 'X-Coffer-Token': k.token, 'X-Coffer-Agent': agent } });
    clients.push(c);
    await c.initialize();
    return c;
  };
  const pid = async (c: HttpClient): Promise<string> =>
    (await c.request('tools/call', { name: 'new__pid', arguments: {} })).content[0].text as string;

  it('serve all clients of an agent from one process, and those of another from another', async () => {
    const config = { transport: { type: 'stdio', ...fixtureCommand('modern') } };
    expect(await k.rest('POST', '/resources', { kind: 'mcp_server', name: 'new', config })).to.have.property(
      'status',
      201,
    );
    const [a, b, c] = [await connect('one'), await connect('one'), await connect('two')];
    const [pa, pb, pc] = await Promise.all([pid(a), pid(b), pid(c)]);
    expect(pa).to.equal(pb);
    expect(pc).to.not.equal(pa);
    // Who leaves takes nothing from the others.
    await a.close();
    await k.rest('GET', '/status');
    expect(await pid(b)).to.equal(pa);
  });

  it('are seen by a client of the older era as servers of its own', async () => {
    const c = await connect('three');
    const tools = (await c.request('tools/list', {})).tools as Obj[];
    expect(tools.map((t) => t.name)).to.include('new__echo');
    const told = await c.request('tools/call', { name: 'new__echo', arguments: { a: 1 } });
    expect(told).to.deep.equal({ content: [{ type: 'text', text: '{"a":1}' }] });
  });

  it('lose the tools whose headers are against the rules, over HTTP, with a finding', async () => {
    const server = await startFixture('modern', ['--http', '0']);
    try {
      const config = { transport: { type: 'http', url: server.url } };
      await k.rest('POST', '/resources', { kind: 'mcp_server', name: 'far', config });
      const c = await connect('four');
      const names = ((await c.request('tools/list', {})).tools as Obj[]).map((t) => t.name as string);
      expect(names).to.include('far__echo').and.not.include('far__illegal_header');
      expect(names).to.include('new__illegal_header');
      const { body } = await k.rest('GET', '/resources/mcp_server/far/status');
      expect(JSON.stringify(body)).to.contain('illegal_header is left out');
    } finally {
      await server.stop();
    }
  });
});

describe('an address whose server becomes another', () => {
  const home = new Home();
  after(() => home.remove());

  for (const [before, after_] of [
    ['modern', 'scripted'],
    ['scripted', 'modern'],
  ] as const)
    it(`is told apart from an error at the call that finds out (${before}, then ${after_})`, async () => {
      const port = await freePort();
      const first = await startFixture(before, ['--http', String(port)]);
      const up = await home.connect({ type: 'http', url: first.url });
      await first.stop();
      const second = await startFixture(after_, ['--http', String(port)]);
      try {
        const thrown: unknown = await up.call(...call('echo'), client()).catch((e: unknown) => e);
        expect(thrown).to.be.an('error').with.property('message').that.contains('no longer speaks');
      } finally {
        await second.stop();
      }
    });
});
