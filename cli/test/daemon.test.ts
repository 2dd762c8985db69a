import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { pathsOf, withVaultLock } from '@coffer/kernel/vault';
import { isRunning } from '../src/daemon/process.js';
import { COFFER, createHome, until, type Home } from './harness.js';

describe('coffer daemon', function () {
  this.timeout(60_000);
  let home: Home;
  beforeEach(() => void (home = createHome()));
  afterEach(() => home.done());

  it('starts in the background, tells where it is, and stops', async () => {
    const started = await home.json(['daemon', 'start']);
    expect(started).to.include({ status: 'ready', started: true, pid: home.record().pid, port: home.record().port });
    expect(await home.json(['daemon', 'status'])).to.have.keys(
      'status',
      'version',
      'pid',
      'port',
      'started_at',
      'resources',
      'plugins',
    );
    expect(await home.ok(['daemon', 'start'])).to.include('running already');
    const { pid } = home.record();
    expect(await home.ok(['daemon', 'stop'])).to.include('has stopped');
    expect(isRunning(pid)).to.equal(false);
    expect(existsSync(join(home.dir, 'daemon.json'))).to.equal(false);
  });

  it('keeps one vault under a relative COFFER_HOME', async () => {
    await home.ok(['daemon', 'start'], { env: { COFFER_HOME: basename(home.dir) }, cwd: dirname(home.dir) });
    expect(existsSync(join(home.dir, 'coffer.db'))).to.equal(true);
    expect(existsSync(join(home.dir, basename(home.dir)))).to.equal(false);
    expect(await home.json(['daemon', 'status'])).to.include({ pid: home.record().pid });
  });

  it('is fine with stopping what does not run', async () => {
    expect(await home.ok(['daemon', 'stop'])).to.include('not running');
    expect(await home.json(['daemon', 'stop'])).to.deep.equal({ result: 'not_running' });
  });

  it('sends every other command away with exit code 3 and the command that helps', async () => {
    for (const args of [
      ['daemon', 'status'],
      ['resource', 'list'],
      ['mcp', 'list'],
      ['kinds'],
      ['open'],
      ['plugin', 'list'],
      ['credentials', 'list'],
      ['daemon', 'rotate-token'],
    ]) {
      const ran = await home.run(args);
      expect(ran, args.join(' ')).to.deep.equal({
        code: 3,
        out: '',
        err: 'DAEMON_UNREACHABLE: the Coffer daemon is not running. Start it with: coffer up\n',
      });
    }
  });

  it('never starts one under COFFER_NO_SPAWN=1', async () => {
    for (const args of [
      ['up', '--no-open'],
      ['daemon', 'start'],
    ]) {
      const ran = await home.run(args, { env: { COFFER_NO_SPAWN: '1' } });
      expect(ran.code).to.equal(3);
      expect(ran.err).to.include('COFFER_NO_SPAWN');
    }
    expect(existsSync(join(home.dir, 'daemon.json'))).to.equal(false);
    await home.ok(['daemon', 'start']);
    const { pid } = home.record();
    expect((await home.run(['daemon', 'restart'], { env: { COFFER_NO_SPAWN: '1' } })).code).to.equal(3);
    expect(isRunning(pid)).to.equal(true);
  });

  it('starts over whatever an interrupted run left in daemon.json', async () => {
    const whole = JSON.stringify({ version: 1, pid: 4_000_000, port: 9, token: 'x', started_at: '', binary_path: '' });
    for (const left of ['', '{"pid":', 'not json', '[]', '{"pid":"7"}', whole]) {
      writeFileSync(join(home.dir, 'daemon.json'), left);
      expect((await home.run(['resource', 'list'])).code, left).to.equal(3);
      expect(await home.json(['daemon', 'start']), left).to.include({ status: 'ready', started: true });
      await home.ok(['daemon', 'stop']);
    }
  });

  it('leaves a stranger alone that has the recorded pid by now', async () => {
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      writeFileSync(
        join(home.dir, 'daemon.json'),
        JSON.stringify({
          version: 1,
          pid: stranger.pid,
          port: 9,
          token: 'x',
          started_at: '',
          binary_path: '/opt/coffer/main.js',
        }),
      );
      expect(await home.ok(['daemon', 'stop'])).to.include('left over');
      expect((await home.run(['daemon', 'status'])).code).to.equal(3);
      await home.ok(['daemon', 'restart']);
      expect(isRunning(stranger.pid as number)).to.equal(true);
    } finally {
      const gone = once(stranger, 'exit');
      stranger.kill('SIGKILL');
      await gone;
    }
  });

  it('never shows the token to a stranger on the recorded port', async () => {
    const heard: http.IncomingHttpHeaders[] = [];
    const stranger = http.createServer((req, res) => {
      heard.push(req.headers);
      res.end(JSON.stringify({ status: 'ready', pid: 1 }));
    });
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    try {
      const { port } = stranger.address() as AddressInfo;
      writeFileSync(
        join(home.dir, 'daemon.json'),
        JSON.stringify({
          version: 1,
          pid: process.pid,
          port,
          token: 'very-secret',
          started_at: '',
          binary_path: '/opt/coffer/main.js',
        }),
      );
      expect((await home.run(['resource', 'list'])).code).to.equal(3);
      expect(await home.ok(['daemon', 'stop'])).to.include('not running');
      expect(heard).to.have.length.greaterThan(0);
      expect(JSON.stringify(heard)).to.not.include('very-secret');
    } finally {
      stranger.closeAllConnections();
      stranger.close();
    }
  });

  it('ends a daemon whose record has a wrong token', async () => {
    await home.ok(['daemon', 'start']);
    const record = home.record();
    writeFileSync(join(home.dir, 'daemon.json'), JSON.stringify({ ...record, token: 'wrong' }));
    expect((await home.run(['resource', 'list'])).err).to.match(/^UNAUTHENTICATED: /);
    await home.ok(['daemon', 'stop']);
    expect(isRunning(record.pid)).to.equal(false);
  });

  it('restarts under another pid and keeps what is in the vault', async () => {
    await home.ok(['daemon', 'start']);
    await home.ok(['machines', 'rename', 'this', 'desk']);
    const { pid } = home.record();
    await home.ok(['daemon', 'restart']);
    expect(home.record().pid).to.not.equal(pid);
    expect((await home.json(['machines', 'list'])).machines[0].display_name).to.equal('desk');
  });

  it('becomes the daemon itself in the foreground, in one process', async () => {
    const child = spawn(process.execPath, [COFFER, 'daemon', 'start', '--foreground'], {
      env: home.env,
      stdio: 'ignore',
    });
    const exit = once(child, 'exit');
    await until('the daemon serves', async () => (await home.run(['daemon', 'status'])).code === 0);
    expect(home.record().pid).to.equal(child.pid);
    await home.ok(['daemon', 'stop']);
    expect((await exit)[0]).to.equal(0);
  });

  it('ends a hanging daemon that runs in the foreground, known by its command line', async () => {
    const child = spawn(process.execPath, [COFFER, 'daemon', 'start', '--foreground'], {
      env: home.env,
      stdio: 'ignore',
    });
    const exit = once(child, 'exit');
    await until('the daemon serves', async () => (await home.run(['daemon', 'status'])).code === 0);
    child.kill('SIGSTOP');
    await home.ok(['daemon', 'stop']);
    expect((await exit)[1]).to.equal('SIGKILL');
  });

  it('replaces the token at once', async () => {
    await home.ok(['daemon', 'start']);
    const before = home.record().token;
    const said = await home.ok(['daemon', 'rotate-token']);
    const after = home.record().token;
    expect(after).to.not.equal(before);
    expect(said).to.not.include(after);
    expect(await home.json(['resource', 'list'])).to.deep.equal({ resources: [] });
  });

  it('says why a daemon did not start, and leaves none behind', async () => {
    writeFileSync(join(home.dir, 'coffer.db'), 'this is no database, and long enough to be read as one');
    const ran = await home.run(['daemon', 'start']);
    expect(ran.code).to.equal(1);
    expect(ran.err).to.match(/^VAULT_DAMAGED: the daemon did not start\. .*coffer restore/);
    expect(existsSync(join(home.dir, 'daemon.json'))).to.equal(false);
  });

  it('gives up on a daemon that waits for another one to let go of the vault, and leaves none behind', async () => {
    const paths = pathsOf(home.dir);
    const ran = await withVaultLock(paths, () => home.run(['daemon', 'start']));
    expect(ran.code).to.equal(5);
    expect(ran.err).to.match(/^VAULT_BUSY: the daemon did not start\. Another Coffer process/);
    if (process.platform !== 'linux') return;
    const starting = readdirSync('/proc').filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`COFFER_HOME=${home.dir}`);
      } catch {
        return false;
      }
    });
    expect(starting).to.deep.equal([]);
  });

  it('names the environment variable that makes no sense', async () => {
    const ran = await home.run(['daemon', 'start'], { env: { COFFER_LOG_LEVEL: 'loud' } });
    expect(ran.code).to.equal(6);
    expect(ran.err).to.match(/^ENV_INVALID: .*COFFER_LOG_LEVEL/);
  });

  it('says which folder it cannot write', async () => {
    writeFileSync(join(home.dir, 'a-file'), '');
    const ran = await home.run(['daemon', 'start'], { env: { COFFER_HOME: join(home.dir, 'a-file', 'vault') } });
    expect(ran.err).to.match(/^VAULT_UNWRITABLE: .*a-file.*COFFER_HOME/);
    expect(ran.code).to.equal(1);
  });

  it('prints its log readably, and as JSON', async () => {
    expect(await home.ok(['daemon', 'logs'])).to.include('Nothing was logged');
    await home.ok(['daemon', 'start']);
    expect(await home.ok(['daemon', 'logs'])).to.match(/^\d\d:\d\d:\d\d info {2}the daemon is ready port=\d+/m);
    expect((await home.json(['daemon', 'logs', '-n', '1'])).lines).to.have.length(1);
  });

  it('follows its log across rotation until interrupted', async () => {
    const logs = join(home.dir, 'logs');
    mkdirSync(logs);
    const line = (msg: string): string => `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg })}\n`;
    writeFileSync(join(logs, 'daemon.log'), line('first'));
    const child = spawn(process.execPath, [COFFER, 'daemon', 'logs', '-f'], {
      env: home.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (c: Buffer) => (out += c.toString()));
    const exit = once(child, 'exit');
    await until('the old line is printed', () => out.includes('first'));
    writeFileSync(join(logs, 'daemon.log'), line('second'), { flag: 'a' });
    await until('the new line is printed', () => out.includes('second'));
    writeFileSync(join(logs, 'daemon.log'), line('third'));
    await until('the line after rotation is printed', () => out.includes('third'));
    child.kill('SIGINT');
    expect((await exit)[0]).to.equal(130);
  });

  it('gives an address for the UI that holds a code and not the token', async () => {
    await home.ok(['daemon', 'start']);
    const { url } = await home.json(['open', '--print']);
    expect(url).to.match(new RegExp(`^http://127\\.0\\.0\\.1:${home.record().port}/#login=.+`));
    expect(url).to.not.include(home.record().token);
    expect(readFileSync(join(home.dir, 'logs', 'daemon.log'), 'utf8')).to.not.include(url.split('=')[1]);
  });
});
