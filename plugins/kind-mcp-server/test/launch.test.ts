import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Obj, Outcome } from '@coffer/kernel';
import { fixtureCommand } from '@coffer/kernel/testing';
import type { StdioTransport } from '../src/config.js';
import { findCommand, isPoor, mergePaths } from '../src/launch/command.js';
import { childEnvironment } from '../src/launch/environment.js';
import { commandLine, sweepOrphans, writePid } from '../src/launch/pids.js';
import { redactor } from '../src/launch/redact.js';
import { SearchPath } from '../src/launch/search-path.js';
import { ServerLog } from '../src/launch/server-log.js';
import { installRunner, runnerStatus } from '../src/runners.js';
import { alive, client, Home, until } from './support.js';

function structured(o: Outcome): Obj {
  if (o.kind !== 'result') throw new Error(JSON.stringify(o));
  return o.result.value.structuredContent as Obj;
}

describe('starting a server', () => {
  const home = new Home();
  after(() => home.remove());
  const scripted = (): Obj => ({ type: 'stdio', ...fixtureCommand('scripted') });
  const file = (name: string, text: string): string => {
    const at = path.join(home.folder, name);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
    chmodSync(at, 0o755);
    return at;
  };

  it('gives it a listed part of the environment, its own variables and its credentials, and nothing else', async () => {
    const env = {
      ...process.env,
      COFFER_TOKEN: 'x',
      AWS_SECRET: 'y',
      LC_ALL: 'C',
      HTTPS_PROXY: 'http://p',
      no_proxy: 'a',
      XDG_CACHE_HOME: '/c',
      NODE_ENV: 'z',
    };
    const launcher = home.launcher({ 'mcp/up/KEY': 's3cret-value' }, env);
    const up = await home.connect(
      { ...scripted(), env: { OWN: '1' }, credential_refs: { KEY: 'mcp/up/KEY' } },
      client(),
      { launcher },
    );
    const seen = structured(await up.call('tools/call', { name: 'whoami', arguments: {} }, client())).env as string[];
    expect(seen).to.include.members([
      'PATH',
      'HOME',
      'LC_ALL',
      'HTTPS_PROXY',
      'no_proxy',
      'XDG_CACHE_HOME',
      'OWN',
      'KEY',
    ]);
    expect(seen.filter((n) => n.startsWith('COFFER_') || n === 'AWS_SECRET' || n === 'NODE_ENV')).to.deep.equal([]);
    const value = await up.call('tools/call', { name: 'env_value', arguments: { name: 'KEY' } }, client());
    expect(JSON.stringify(value.kind === 'result' && value.result.value)).to.contain('s3cret-value');
    const argv = structured(await up.call('tools/call', { name: 'whoami', arguments: {} }, client())).argv;
    expect(JSON.stringify(argv)).to.not.contain('s3cret');
  });

  it('keeps its credentials out of its log and out of errors', async () => {
    const launcher = home.launcher({ k: 'topsecret123' });
    const script = file(
      'leak.js',
      `process.stderr.write('token is ' + process.env.T.slice(0, 4)); process.stderr.write(process.env.T.slice(4) + '\\n'); process.exit(3)`,
    );
    const e = await home
      .connect({ type: 'stdio', command: process.execPath, args: [script], credential_refs: { T: 'k' } }, client(), {
        launcher,
      })
      .catch((e: unknown) => e);
    expect(e).to.have.property('message', 'up ended (exit code 3). Its last words: token is [redacted]');
    expect(await launcher.log('up').tail(5)).to.include('token is [redacted]');
    expect(readFileSync(launcher.log('up').file, 'utf8')).to.not.contain('topsecret123');
  });

  it('starts in the home directory, or where it is told to', async () => {
    const launcher = home.launcher({}, { ...process.env, HOME: home.folder });
    const at = async (more: Obj): Promise<string> => {
      const up = await home.connect({ ...scripted(), ...more }, client(), { launcher });
      return structured(await up.call('tools/call', { name: 'whoami', arguments: {} }, client())).cwd as string;
    };
    mkdirSync(path.join(home.folder, 'work'), { recursive: true });
    expect(await at({})).to.equal(home.folder);
    expect(await at({ cwd: '~/work' })).to.equal(path.join(home.folder, 'work'));
  });

  it('names what it did not find and where it looked', async () => {
    const launcher = home.launcher({}, { ...process.env, PATH: '/nowhere', SHELL: '/bin/false' });
    const e = await home
      .connect({ type: 'stdio', command: 'no-such-runner' }, client(), { launcher })
      .catch((e: unknown) => e);
    expect(e).to.have.property('message', 'up: the command no-such-runner was not found. Searched: /nowhere');
    expect(e).to.have.deep.property('details', { missing_runner: 'no-such-runner', searched: '/nowhere' });
  });

  it("asks the login shell for its PATH when the daemon's is a poor one, and only once", async () => {
    const asked = path.join(home.folder, 'asked');
    const shell = file(
      'shell',
      `#!/bin/sh\necho noise\necho x >> ${asked}\nPATH=/from/login:/usr/bin; export PATH\nexec /bin/sh -c "$2"\n`,
    );
    const search = new SearchPath({ PATH: '/usr/bin:/bin', SHELL: shell, COFFER_X: '1' });
    expect(await Promise.all([search.get(), search.get()])).to.deep.equal([
      '/usr/bin:/bin:/from/login',
      '/usr/bin:/bin:/from/login',
    ]);
    expect(readFileSync(asked, 'utf8')).to.equal('x\n');
    const broken = new SearchPath({ PATH: '/usr/bin:/bin', SHELL: '/bin/false' });
    expect(await broken.get()).to.equal('/usr/bin:/bin');
  });

  it('writes its pid down while it runs, and no longer', async () => {
    const up = await home.connect(scripted());
    const { pid } = structured(await up.call('tools/call', { name: 'whoami', arguments: {} }, client())) as {
      pid: number;
    };
    const at = path.join(home.paths.upstreamPids, `up-${pid}.json`);
    const record = JSON.parse(readFileSync(at, 'utf8')) as Obj;
    expect(record).to.deep.include({ server: 'up', pid, command_line: commandLine(pid) });
    await up.close();
    expect(existsSync(at)).to.equal(false);
    expect(alive(pid)).to.equal(false);
  });

  it('ends orphans of an earlier daemon with their group, spares strangers, and clears broken files', async () => {
    const folder = path.join(home.folder, 'pids');
    const start = (): ReturnType<typeof spawn> =>
      spawn(
        process.execPath,
        [
          '-e',
          `require('child_process').spawn(process.execPath, ['-e', 'setInterval(()=>{},60000)'], { stdio: 'ignore' }); setInterval(()=>{},60000)`,
        ],
        { detached: true, stdio: 'ignore' },
      );
    const [orphan, stranger] = [start(), start()];
    const exited = once(orphan, 'exit');
    await Promise.all([once(orphan, 'spawn'), once(stranger, 'spawn')]);
    const [own, other] = [orphan.pid as number, stranger.pid as number]; // both were spawned
    writePid(folder, { server: 'a', pid: own, command_line: commandLine(own) ?? [], spawned_at: '' });
    writePid(folder, { server: 'b', pid: other, command_line: ['something', 'else'], spawned_at: '' });
    writePid(folder, { server: 'c', pid: 2 ** 22 + 5, command_line: ['gone'], spawned_at: '' });
    writeFileSync(path.join(folder, 'd-1.json'), '{"pid": 1');
    writeFileSync(path.join(folder, 'e-1.json'), '');
    try {
      const ended = await sweepOrphans(folder);
      await exited;
      expect(ended.map((r) => r.server)).to.deep.equal(['a']);
      expect([alive(own), alive(other)]).to.deep.equal([false, true]);
      expect(readdirSync(folder)).to.deep.equal([]);
    } finally {
      process.kill(-other, 'SIGKILL');
    }
    await until(() => !alive(other), 'the stranger to end');
    expect(await sweepOrphans(path.join(home.folder, 'none'))).to.deep.equal([]);
  });

  it('keeps the log of a server within its bounds', async () => {
    const log = new ServerLog(path.join(home.folder, 'biglogs'), 'big');
    for (let i = 0; i < 130; i++) {
      log.write(`${i} ${'x'.repeat(100_000)}`);
      await log.flush();
    }
    const [now, old] = [readFileSync(log.file).length, readFileSync(`${log.file}.1`).length];
    expect(Math.max(now, old)).to.be.at.most(5 * 2 ** 20);
    expect(readdirSync(path.dirname(log.file))).to.have.length(2);
    expect((await log.tail(60)).map((l) => l.split(' ')[0])).to.deep.equal(
      Array.from({ length: 60 }, (_, i) => String(i + 70)),
    );
  });
});

describe('finding a command', () => {
  const home = new Home();
  after(() => home.remove());
  const put = (name: string, mode = 0o755): void => {
    const at = path.join(home.folder, name);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, '');
    chmodSync(at, mode);
  };

  it('searches the PATH in order, skips what cannot be run, and knows ~/ and relative paths', () => {
    put('one/run', 0o644);
    put('two/run');
    put('bin/mine');
    const at = {
      path: `${home.folder}/none:${home.folder}/one:${home.folder}/two`,
      cwd: path.join(home.folder, 'two'),
      home: home.folder,
    };
    expect(findCommand('run', at)).to.equal(path.join(home.folder, 'two/run'));
    expect(findCommand('./run', at)).to.equal(path.join(home.folder, 'two/run'));
    expect(findCommand('~/bin/mine', at)).to.equal(path.join(home.folder, 'bin/mine'));
    expect(findCommand('nothing', at)).to.equal(undefined);
    expect(findCommand('two', { ...at, path: home.folder })).to.equal(undefined);
  });

  it('tells a poor PATH, and merges two without doubles', () => {
    expect(isPoor('/usr/bin:/bin', () => true)).to.equal(true);
    expect(isPoor('/usr/bin:/opt/x', () => true)).to.equal(false);
    expect(isPoor('/usr/bin:/opt/x', (c) => c !== 'npx')).to.equal(true);
    expect(mergePaths('/a:/b', '/b:/c:')).to.equal('/a:/b:/c');
  });

  it('keeps to its own list of variables on Windows', () => {
    const env = childEnvironment(
      { Path: 'C:\\x', SystemRoot: 'C:\\Windows', APPDATA: 'a', SECRET: 's', COFFER_HOME: 'h' },
      'C:\\y',
      { A: '1' },
      'win32',
    );
    expect(env).to.deep.equal({ Path: 'C:\\y', SystemRoot: 'C:\\Windows', APPDATA: 'a', A: '1' });
  });

  it('takes longer secrets out first', () => {
    expect(redactor(['abc', 'abcdef', 'x', ''])('abcdef abc x')).to.equal('[redacted] [redacted] x');
  });
});

describe('a missing launcher', () => {
  const home = new Home();
  after(() => home.remove());
  const stdio = (command: string): StdioTransport => ({
    type: 'stdio',
    command,
    args: [],
    env: {},
    credential_refs: {},
    cwd: null,
  });
  const failure = (e: Promise<unknown>): Promise<Obj> =>
    e.then(
      () => ({}),
      (x: unknown) => x as Obj, // a CofferError
    );

  it('is installed with Homebrew, by a fixed name and without a shell', async () => {
    const called = path.join(home.folder, 'called');
    writeFileSync(
      path.join(home.folder, 'brew'),
      `#!/bin/sh\necho "$@" >> ${called}\ncase "$2" in uv) exit 0;; esac\necho broken bottle >&2\nexit 1\n`,
    );
    chmodSync(path.join(home.folder, 'brew'), 0o755);
    const launcher = home.launcher({}, { PATH: `${home.folder}:/usr/bin:/bin:/opt/none`, SHELL: '/bin/false' });
    expect(await installRunner(launcher, stdio('uvx'))).to.deep.equal({ runner: 'uvx', formula: 'uv' });
    expect(readFileSync(called, 'utf8')).to.equal('install uv\n');
    const failed = await failure(installRunner(launcher, stdio('bunx')));
    expect([failed.code, (failed.details as Obj).stderr]).to.deep.equal(['RUNNER_INSTALL_FAILED', 'broken bottle\n']);
    for (const command of ['sh', '/usr/bin/npx', 'uv; rm'])
      expect(await failure(installRunner(launcher, stdio(command)))).to.have.property(
        'code',
        'RUNNER_INSTALL_UNSUPPORTED',
      );
  });

  it('is told from a missing path, which nobody can install', async () => {
    const launcher = home.launcher({}, { PATH: '/nowhere', SHELL: '/bin/false' });
    expect(await runnerStatus(launcher, stdio('uvx'))).to.deep.equal({
      missing_runner: 'uvx',
      runner_installable: true,
      searched_path: '/nowhere',
    });
    expect(await runnerStatus(launcher, stdio('/opt/uvx'))).to.deep.include({
      missing_runner: 'uvx',
      runner_installable: false,
    });
    expect(await runnerStatus(launcher, stdio(process.execPath))).to.deep.equal({});
  });
});
