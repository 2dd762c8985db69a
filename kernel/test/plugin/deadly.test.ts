import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeClock } from '../../src/testing/clock.js';
import { readDiscovery } from '../../src/vault/discovery.js';
import { plugin, until, workshop } from '../support/kernels.js';
import { writePackage } from '../support/packages.js';

const MAIN = fileURLToPath(new URL('../../src/program.ts', import.meta.url));

describe('a plugin that would take the daemon with it', () => {
  const make = workshop();
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const c of children.splice(0)) {
      if (c.exitCode !== null || c.signalCode !== null) continue;
      const gone = new Promise((resolve) => c.once('exit', resolve));
      c.kill('SIGKILL');
      await gone;
    }
  });

  /** The daemon's program, without any bundled plugin's part in it. */
  const start = (home: string): { child: ChildProcess; exit: Promise<number | null> } => {
    const child = spawn(process.execPath, ['--conditions=coffer-source', '--import', 'tsx/esm', MAIN], {
      cwd: path.dirname(MAIN),
      env: { ...process.env, COFFER_HOME: home, COFFER_PORT: '0', COFFER_LOG_LEVEL: 'info' },
      stdio: 'ignore',
    });
    children.push(child);
    return { child, exit: new Promise((resolve) => child.once('exit', resolve)) };
  };
  const ready = async (home: string, child: ChildProcess): Promise<void> =>
    until('it serves', () => readDiscovery(path.join(home, 'daemon.json'))?.pid === child.pid, 25_000);
  // any: what REST answers is judged by the assertions
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const rest = async (home: string, method: string, at: string, body?: object): Promise<any> => {
    const { port = 0, token = '' } = readDiscovery(path.join(home, 'daemon.json')) ?? {};
    const res = await fetch(`http://127.0.0.1:${port}/api/v1${at}`, {
      method,
      headers: { 'x-coffer-token': token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return res.status === 204 ? undefined : res.json();
  };
  /** As an installation leaves it, without a daemon that would load it at once. */
  const put = (home: string, name: string, code: string): string => {
    const at = path.join(home, 'plugins', name);
    mkdirSync(at, { recursive: true, mode: 0o700 });
    writePackage(at, { name, code });
    return path.join(at, '.loading');
  };
  const fine = 'export default definePlugin({ name, apiVersion: 1, register() {} });';

  it('by process.exit() at import: the next start leaves it out, enable tries again, remove works', async function () {
    this.timeout(120_000);
    const home = make.folder();
    const mark = put(home, 'exits', 'process.exit(0);');
    put(home, 'fine', fine);
    await start(home).exit;
    expect(existsSync(mark)).to.equal(true);

    const second = start(home);
    await ready(home, second.child);
    const left = await rest(home, 'GET', '/plugins/exits');
    expect(left.state).to.equal('failed');
    expect(left.note).to.equal(
      'its last load ended or hung the daemon; update it, remove it, or try again with: coffer plugin enable exits',
    );
    expect((await rest(home, 'GET', '/plugins/fine')).state).to.equal('active');
    expect(existsSync(path.join(home, 'plugins/fine/.loading'))).to.equal(false);
    await rest(home, 'POST', '/plugins/exits/enable').catch(() => undefined);
    await second.exit;

    const third = start(home);
    await ready(home, third.child);
    expect((await rest(home, 'GET', '/plugins/exits')).state).to.equal('failed');
    await rest(home, 'DELETE', '/plugins/exits');
    expect(existsSync(path.join(home, 'plugins/exits'))).to.equal(false);
    await rest(home, 'POST', '/daemon/shutdown');
    expect(await third.exit).to.equal(0);
  });

  it('by an endless loop at import: it is left out once that daemon was ended, and an update mends it', async function () {
    this.timeout(90_000);
    const home = make.folder();
    const mark = put(home, 'loops', 'while (true) {}');
    const first = start(home);
    await until('it is loading', () => existsSync(mark), 25_000);
    first.child.kill('SIGKILL');
    await first.exit;

    const second = start(home);
    await ready(home, second.child);
    expect((await rest(home, 'GET', '/plugins/loops')).state).to.equal('failed');
    const spec = writePackage(make.folder(), { name: 'loops', version: '2.0.0', code: fine });
    expect(await rest(home, 'POST', '/plugins', { spec })).to.include({ state: 'active', version: '2.0.0' });
    expect(existsSync(mark)).to.equal(false);
  });

  it('by rejections that nobody handles, in register() and in start(): they are logged, and the start goes on', async function () {
    this.timeout(60_000);
    const home = make.folder();
    const late = `export default definePlugin({ name, apiVersion: 1,
      register() { void Promise.reject(new Error('left in register')); },
      async start() {
        setTimeout(() => { throw new Error('thrown later'); }, 0);
        await new Promise((resolve) => setTimeout(resolve, 50));
      } });`;
    put(home, 'rejects', late);
    const { child } = start(home);
    await ready(home, child);
    expect((await rest(home, 'GET', '/plugins/rejects')).state).to.equal('active');
    const log = (): string => readFileSync(path.join(home, 'logs/daemon.log'), 'utf8');
    await until('both are logged', () => log().includes('left in register') && log().includes('thrown later'));
  });

  it('by an import or a start that never settles: ten seconds, then it has failed; the next start does not wait', async () => {
    const home = make.folder();
    const code = 'await new Promise(() => {});\n' + fine;
    const mark = put(home, 'hangs', code);
    const idle = plugin('idle', () => undefined, { start: () => new Promise(() => undefined) });
    const clock = fakeClock();
    const making = make.kernel({ home, clock, plugins: [idle] });
    // first the import, then the start
    for (let i = 0; i < 2; i++) {
      await until('it waits', () => clock.pending > 0, 10_000);
      await clock.advance(10_000);
    }
    const k = await making;
    expect(k.host.get('hangs').note).to.equal('the import of its module did not end within 10 s');
    expect(k.host.get('idle')).to.include({ state: 'failed', note: 'its start() did not end within 10 s' });
    expect(existsSync(mark)).to.equal(true);
    await k.stop({ keep: true });

    const again = await make.kernel({ home });
    expect(again.host.get('hangs').note).to.include('its last load ended or hung the daemon');
    expect((await again.rest('DELETE', '/plugins/hangs')).status).to.equal(204);
  });

  it('leaves no mark when it only throws, and what a killed installation left is swept', async () => {
    const home = make.folder();
    const mark = put(home, 'throws', "throw new Error('at import');");
    mkdirSync(path.join(home, 'plugins/.staging-1/lib'), { recursive: true });
    mkdirSync(path.join(home, 'plugins/.staging-1-pack'));
    const k = await make.kernel({ home });
    expect(k.host.get('throws').note).to.equal('Error: at import');
    expect(existsSync(mark)).to.equal(false);
    expect(readdirSync(path.join(home, 'plugins')).filter((f) => f.startsWith('.staging'))).to.deep.equal([]);
  });
});
