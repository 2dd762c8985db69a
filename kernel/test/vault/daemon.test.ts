import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CofferError } from '../../src/errors.js';
import { listen } from '../../src/http/server.js';
import { createTestKernel } from '../../src/testing/index.js';
import { readDiscovery } from '../../src/vault/discovery.js';
import { plugin, until, workshop } from '../support/kernels.js';

const MAIN = fileURLToPath(new URL('../../src/program.ts', import.meta.url));

/** The daemon's program, as a process of its own. */
function start(home: string): { child: ChildProcess; said: () => string; exit: Promise<number | null> } {
  const child = spawn(process.execPath, ['--conditions=coffer-source', '--import', 'tsx/esm', MAIN], {
    cwd: path.dirname(MAIN),
    env: { ...process.env, COFFER_HOME: home, COFFER_PORT: '0', COFFER_LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (c: Buffer) => (said += c.toString()));
  return { child, said: () => said, exit: new Promise((resolve) => child.once('exit', resolve)) };
}

describe('daemon.json', () => {
  const make = workshop();

  it('says where the daemon is, for its owner only, and goes with it', async () => {
    const home = make.folder();
    const k = await make.kernel({ home });
    const file = path.join(home, 'daemon.json');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.include({
      version: 1,
      pid: process.pid,
      port: Number(new URL(k.url).port),
      token: k.token,
    });
    await k.rest('POST', '/daemon/rotate-token');
    expect(readDiscovery(file)?.token).to.equal(k.token);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(home).filter((f) => f.endsWith('.tmp'))).to.deep.equal([]);
    await k.stop({ keep: true });
    expect(existsSync(file)).to.equal(false);
  });

  it('of another is left alone when this one ends', async () => {
    const home = make.folder();
    const k = await make.kernel({ home });
    const other = JSON.stringify({ version: 1, pid: 1, port: 9, token: 'x', started_at: '', binary_path: '' });
    writeFileSync(path.join(home, 'daemon.json'), other);
    await k.stop({ keep: true });
    expect(readFileSync(path.join(home, 'daemon.json'), 'utf8')).to.equal(other);
  });

  const one = (more: object): string =>
    JSON.stringify({ version: 1, pid: 999_999_999, port: 7420, token: 'x', started_at: '', binary_path: '', ...more });
  for (const [what, text] of [
    ['empty', ''],
    ['cut off', '{"version": 1, "pid": 12'],
    ['no object', '[]'],
    ['of other types', one({ pid: 'x' })],
    ['with an impossible port', one({ port: 70_000 })],
    ['of a process that is gone', one({ port: 9 })],
    ['of a process that lives and is no daemon', one({ pid: process.ppid, port: 9 })],
  ] as const)
    it(`${what} does not keep a daemon from starting`, async () => {
      const home = make.folder();
      writeFileSync(path.join(home, 'daemon.json'), text);
      const k = await make.kernel({ home });
      expect(readDiscovery(path.join(home, 'daemon.json'))?.pid).to.equal(process.pid);
      expect((await k.rest('GET', '/daemon/status')).body.status).to.equal('ready');
    });

  it('with the port of a stranger that answers everything does not either', async () => {
    const stranger = http.createServer((_req, res) => res.end(JSON.stringify({ status: 'ready', pid: 5 })));
    const port = await listen(stranger, 0);
    const home = make.folder();
    writeFileSync(path.join(home, 'daemon.json'), one({ pid: 6, port }));
    const k = await make.kernel({ home });
    expect(k.url).to.not.include(`:${port}`);
    await new Promise((resolve) => stranger.close(resolve));
  });
});

describe('two daemons on one vault', () => {
  const make = workshop();
  it('one serves, the other sees it and ends well', async function () {
    this.timeout(60_000);
    const home = make.folder();
    const both = [start(home), start(home)];
    const file = path.join(home, 'daemon.json');
    try {
      const loser = await Promise.race(both.map(async (p, i) => ({ i, code: await p.exit })));
      expect(loser.code, both[loser.i]?.said()).to.equal(0);
      expect(both[loser.i]?.said()).to.include('running already');
      const winner = both[1 - loser.i];
      expect(readDiscovery(file)?.pid).to.equal(winner?.child.pid);
      const { port = 0, token = '' } = readDiscovery(file) ?? {};
      const res = await fetch(`http://127.0.0.1:${port}/api/v1/daemon/shutdown`, {
        method: 'POST',
        headers: { 'x-coffer-token': token },
      });
      expect(res.status).to.equal(204);
      expect(await winner?.exit).to.equal(0);
      expect(existsSync(file)).to.equal(false);
    } finally {
      for (const p of both) if (p.child.exitCode === null) p.child.kill('SIGKILL');
      await Promise.all(both.map((p) => p.exit));
    }
  });

  it('ends on SIGTERM in order: the file goes, the log says so', async function () {
    this.timeout(30_000);
    const home = make.folder();
    const p = start(home);
    try {
      await until('it is there', () => existsSync(path.join(home, 'daemon.json')), 20_000);
      const { port = 0 } = readDiscovery(path.join(home, 'daemon.json')) ?? {};
      await until(
        'it is ready',
        () => readFileSync(path.join(home, 'logs/daemon.log'), 'utf8').includes('the daemon is ready'),
        10_000,
      );
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/daemon/status`)).status).to.equal(200);
      await new Promise((resolve) => setImmediate(resolve));
      p.child.kill('SIGTERM');
      expect(await p.exit).to.equal(0);
      expect(existsSync(path.join(home, 'daemon.json'))).to.equal(false);
      expect(readFileSync(path.join(home, 'logs/daemon.log'), 'utf8')).to.include('the daemon has stopped');
    } finally {
      if (p.child.exitCode === null) p.child.kill('SIGKILL');
      await p.exit;
    }
  });
});

describe('the port', () => {
  const make = workshop();
  const occupy = async (port: number): Promise<net.Server | undefined> =>
    new Promise((resolve) => {
      const s = net.createServer();
      s.once('error', () => resolve(undefined)).listen(port, '127.0.0.1', () => resolve(s));
    });

  it('is the next free one, and when all ten are busy the daemon says so and leaves nothing open', async () => {
    const servers: net.Server[] = [];
    let first = 0;
    // ten in a row that are ours
    search: for (first = 21_420; first < 60_000; first += 100) {
      for (let i = 0; i < 10; i++) {
        const s = await occupy(first + i);
        if (s === undefined) {
          for (const t of servers.splice(0)) t.close();
          continue search;
        }
        servers.push(s);
      }
      break;
    }
    let running = 0;
    const effect = plugin('p', (v) => v.effect('x', () => (running++, () => void running--)));
    const home = make.folder();
    try {
      const e = await createTestKernel({ home, env: { COFFER_PORT: String(first) }, plugins: [effect] }).then(
        () => undefined,
        (x: unknown) => x as CofferError,
      );
      expect(e?.code).to.equal('PORTS_BUSY');
      expect(e?.message)
        .to.include(`${first} to ${first + 9}`)
        .and.include('COFFER_PORT');
      expect(running).to.equal(0);
      expect(existsSync(path.join(home, 'daemon.json'))).to.equal(false);
      await new Promise((resolve) => servers[4]?.close(resolve));
      const k = await make.kernel({ home, env: { COFFER_PORT: String(first) } });
      expect(k.url).to.equal(`http://127.0.0.1:${first + 4}`);
    } finally {
      for (const s of servers) if (s.listening) s.close();
    }
  });

  for (const [name, value] of [
    ['COFFER_PORT', '70000'],
    ['COFFER_PORT', 'x'],
    ['COFFER_LOG_LEVEL', 'loud'],
    ['COFFER_MCP_SESSION_IDLE_S', '-5'],
    ['COFFER_MCP_MAX_CONCURRENT_SPAWNS', '1.5'],
  ] as const)
    it(`a ${name} of ${value} is refused at start, without saying the value`, async () => {
      const e = await createTestKernel({ home: make.folder(), env: { [name]: value } }).then(
        () => undefined,
        (x: unknown) => x as CofferError,
      );
      expect(e?.code).to.equal('ENV_INVALID');
      expect(e?.message).to.include(name).and.not.include(value);
    });
});
