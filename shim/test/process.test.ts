import { expect } from 'chai';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { json, result } from './fake-daemon.js';
import { bench } from './harness.js';
import { BUNDLE, Shim, until } from './shim-process.js';

/** A daemon program for the tests of starting one: the least that counts as alive and answers. */
const DAEMON = `
const http = require('node:http'), fs = require('node:fs'), path = require('node:path');
const home = process.env.COFFER_HOME;
fs.appendFileSync(path.join(home, 'starts'), __filename + '\\n');
const server = http.createServer((request, response) => {
  const say = (body, type = 'application/json') => response.writeHead(200, { 'content-type': type }).end(JSON.stringify(body));
  if (request.url.endsWith('/status')) return say({ status: 'ready', pid: process.pid });
  if (request.method !== 'POST') return response.writeHead(404).end();
  let text = '';
  request.on('data', (part) => (text += part)).on('end', () => say({ jsonrpc: '2.0', id: JSON.parse(text).id, result: { from: process.pid } }));
}).listen(0, '127.0.0.1', () => fs.writeFileSync(path.join(home, 'daemon.json'), JSON.stringify({
  version: '0', pid: process.pid, port: server.address().port, token: 't', started_at: 'now', binary_path: __filename })));
console.log('a line for daemon.log');
`;

describe('coffer-mcp-shim as a process', () => {
  const at = bench();

  describe('starting the daemon', () => {
    /** A product folder with the built shim and a daemon program; returns the shim's path. */
    function product(daemon: string): string {
      const folder = mkdtempSync(join(tmpdir(), 'coffer-product-'));
      at.later(() => rmSync(folder, { recursive: true, force: true }));
      for (const part of ['shim/dist', 'kernel/dist', 'bin']) mkdirSync(join(folder, part), { recursive: true });
      copyFileSync(BUNDLE, join(folder, 'shim/dist/coffer-mcp-shim.cjs'));
      writeFileSync(join(folder, 'kernel/dist/main.js'), daemon);
      symlinkSync(join(folder, 'shim/dist/coffer-mcp-shim.cjs'), join(folder, 'bin/coffer-mcp-shim'));
      return join(folder, 'bin/coffer-mcp-shim');
    }
    function start(script: string, home = at.daemon.home): Shim {
      const shim = new Shim(home, [], { COFFER_NO_SPAWN: '' }, script);
      at.later(() => shim.kill());
      at.later(() => {
        const file = join(at.daemon.home, 'daemon.json');
        const pid = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : 0;
        if (pid > 0 && pid !== process.pid) process.kill(pid);
      });
      return shim;
    }
    const starts = (): string[] => readFileSync(join(at.daemon.home, 'starts'), 'utf8').trim().split('\n');
    const vanish = async (): Promise<void> => {
      await at.daemon.stop();
      rmSync(join(at.daemon.home, 'daemon.json'));
    };

    it('starts the daemon of its own product, found through a link, and answers what was asked meanwhile', async () => {
      await vanish();
      const shim = start(product(DAEMON));
      shim.request(1, 'initialize', {});
      expect((await shim.answer(1)).result.from).to.be.a('number');
      expect(readFileSync(join(at.daemon.home, 'logs/daemon.log'), 'utf8')).to.equal('a line for daemon.log\n');
      expect(starts()).to.have.length(1);
    });

    it('means the folder where it runs itself by a relative COFFER_HOME', async () => {
      await vanish();
      const shim = start(product(DAEMON), relative(process.cwd(), at.daemon.home));
      shim.request(1, 'initialize', {});
      expect((await shim.answer(1)).result.from).to.be.a('number');
      expect(starts()).to.have.length(1);
    });

    it('leaves a running daemon when it goes', async () => {
      await vanish();
      const shim = start(product(DAEMON));
      shim.request(1, 'initialize', {});
      const { from } = (await shim.answer(1)).result;
      shim.child.stdin.end();
      expect(await shim.ended()).to.equal(0);
      expect(() => process.kill(from as number, 0)).to.not.throw();
    });

    it('answers a request although stdin ends before the daemon is up', async () => {
      await vanish();
      const shim = start(product(DAEMON));
      shim.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      await shim.answer(1);
      expect(await shim.ended()).to.equal(0);
    });

    it('prefers the program that ran last, and sees that a recorded daemon is dead', async () => {
      const last = join(at.daemon.home, 'last.cjs');
      writeFileSync(last, DAEMON);
      at.daemon.announce({ binary_path: last });
      await at.daemon.stop();
      const shim = start(product(DAEMON));
      shim.request(1, 'initialize', {});
      await shim.answer(1);
      expect(starts()).to.deep.equal([last]);
    });

    it('starts a new one when the daemon dies under a session', async () => {
      const shim = start(product(DAEMON));
      await shim.open();
      await at.daemon.stop();
      shim.request(1, 'tools/call', { name: 'echo' });
      expect((await shim.answer(1)).result.from).to.be.a('number');
    });

    it('answers with an error and exits 3 when the daemon fails to start', async () => {
      await vanish();
      const shim = start(product('process.exit(1)'));
      shim.request(1, 'initialize', {});
      expect((await shim.answer(1)).error.message).to.match(/did not start.*daemon\.log/);
      expect(await shim.ended()).to.equal(3);
      expect(shim.stderr).to.match(/^coffer-mcp-shim: the Coffer daemon did not start.*\n$/);
    });

    it('kills a daemon that hangs while it starts', async () => {
      await vanish();
      const note = join(at.daemon.home, 'hanging');
      const shim = start(
        product(
          `require('fs').writeFileSync(${JSON.stringify(note)}, String(process.pid)); setInterval(() => {}, 1000);`,
        ),
      );
      shim.request(1, 'initialize', {});
      await shim.answer(1);
      expect(await shim.ended()).to.equal(3);
      expect(() => process.kill(Number(readFileSync(note, 'utf8')), 0)).to.throw('ESRCH');
    }).timeout(40_000);
  });

  describe('with COFFER_NO_SPAWN=1 and no daemon', () => {
    beforeEach(() => at.daemon.stop());

    it('answers the request it was sent, names coffer up and exits 3', async () => {
      rmSync(join(at.daemon.home, 'daemon.json'));
      const shim = at.shim();
      shim.request('one', 'initialize', {});
      expect((await shim.answer('one')).error).to.include({ code: -32603 });
      expect(await shim.ended()).to.equal(3);
      expect(shim.stderr).to.match(/"coffer up"/);
      expect(shim.messages).to.have.length(1);
    });

    it('does the same when a daemon.json is left of a dead daemon', async () => {
      const shim = at.shim();
      shim.request('one', 'server/discover');
      shim.request('two', 'tools/list');
      await shim.answer('one');
      await shim.answer('two');
      expect(await shim.ended()).to.equal(3);
      expect(shim.messages).to.have.length(2);
    });

    it('exits 3 by itself when nothing is asked', async () => {
      rmSync(join(at.daemon.home, 'daemon.json'));
      const shim = at.shim();
      expect(await shim.ended()).to.equal(3);
      expect(shim.lines).to.have.length(0);
    });
  });

  describe('leaving', () => {
    it('lets open calls finish at the end of stdin, then ends the session', async () => {
      const shim = at.shim();
      await shim.open();
      let release: () => void = () => undefined;
      at.daemon.on.set('tools/call slow', (seen, response) => (release = () => json(response, result(seen, 'done'))));
      shim.request(1, 'tools/call', { name: 'slow' });
      await until('the call', () => at.daemon.posts('tools/call').length === 1);
      shim.child.stdin.end();
      await new Promise((done) => setTimeout(done, 100));
      expect(at.daemon.sessions.size).to.equal(1);
      release();
      expect((await shim.answer(1)).result).to.equal('done');
      expect(await shim.ended()).to.equal(0);
      expect(at.daemon.sessions.size).to.equal(0);
    });

    it('waits for a call that never ends no longer than the limit', async () => {
      const shim = at.shim();
      await shim.open();
      at.daemon.on.set('tools/call hang', () => undefined);
      shim.request(1, 'tools/call', { name: 'hang' });
      await until('the call', () => at.daemon.posts('tools/call').length === 1);
      shim.child.stdin.end();
      expect(await shim.ended()).to.equal(0);
      expect(at.daemon.sessions.size).to.equal(0);
    });

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`ends the session and exits 0 on ${signal}`, async () => {
        const shim = at.shim();
        await shim.open();
        await until('the leash', () => at.daemon.leashes.size === 1);
        shim.child.kill(signal);
        expect(await shim.ended()).to.equal(0);
        expect(at.daemon.sessions.size).to.equal(0);
        expect(shim.stderr).to.equal('');
      });
    }

    it('goes quietly when the client closes stdout', async () => {
      const shim = at.shim();
      await shim.open();
      shim.child.stdout.destroy();
      for (let id = 0; id < 3; id++) shim.request(id, 'tools/list');
      expect(await shim.ended()).to.equal(0);
      expect(shim.stderr).to.equal('');
      expect(at.daemon.sessions.size).to.equal(0);
    });

    it('writes out a big last result before it exits', async () => {
      const shim = at.shim();
      await shim.open();
      at.daemon.on.set('tools/call big', (seen, response) => json(response, result(seen, 'z'.repeat(5_000_000))));
      shim.child.stdout.pause();
      shim.request(1, 'tools/call', { name: 'big' });
      shim.child.stdin.end();
      await until('the end of the session', () => at.daemon.sessions.size === 0);
      shim.child.stdout.resume();
      expect((await shim.answer(1)).result).to.have.length(5_000_000);
      expect(await shim.ended()).to.equal(0);
    });

    it('does not hang on a daemon that does not answer the end of the session', async () => {
      const shim = at.shim();
      await shim.open();
      await until('the leash', () => at.daemon.leashes.size === 1);
      at.daemon.on.set('DELETE', () => undefined);
      shim.child.stdin.end();
      expect(await shim.ended()).to.equal(0);
    });
  });

  describe('its other output', () => {
    it('keeps stdout clean of debugging noise and of libraries that print', async () => {
      const noisy = join(at.daemon.home, 'noisy.cjs');
      writeFileSync(
        noisy,
        `setInterval(() => { for (const m of ['log', 'info', 'debug', 'dir', 'table', 'group', 'dirxml']) console[m]('noise'); }, 5);`,
      );
      const shim = at.shim([], { NODE_DEBUG: 'http,net,stream,timer', NODE_OPTIONS: `--require ${noisy}` });
      await shim.open();
      await until('the noise', () => shim.stderr.includes('noise') && shim.stderr.includes('HTTP'));
      shim.request(1, 'tools/list');
      await shim.answer(1);
      expect(shim.messages.every((message) => message.jsonrpc === '2.0')).to.equal(true);
    });

    it('writes diagnostics to logs/shim.log at debug level only, without arguments or token', async () => {
      const log = join(at.daemon.home, 'logs', 'shim.log');
      const quiet = at.shim();
      await quiet.open();
      expect(existsSync(log)).to.equal(false);
      const shim = at.shim([], { COFFER_LOG_LEVEL: 'debug' });
      await shim.open();
      await at.daemon.restart();
      shim.request(1, 'tools/call', { name: 'echo', arguments: { secret: 'hunter2' } });
      await shim.answer(1);
      const text = readFileSync(log, 'utf8');
      expect(text).to.match(/recovery: daemon pid \d+/);
      expect(text).to.not.include('hunter2').and.not.include(at.daemon.token);
      expect(shim.stderr).to.equal('');
    });

    it('prints version and help and leaves at once', async () => {
      const version = at.shim(['--version']);
      expect(await version.ended()).to.equal(0);
      expect(version.lines[0]).to.match(/^\d+\.\d+\.\d+/);
      const help = at.shim(['--help']);
      expect(await help.ended()).to.equal(0);
      expect(help.lines.join('\n')).to.include('--agent NAME');
    });

    for (const args of [['--what'], ['--agent'], ['--agent', '--lean'], ['extra']]) {
      it(`refuses ${args.join(' ')} with exit code 2 and the usage on stderr`, async () => {
        const shim = at.shim(args);
        expect(await shim.ended()).to.equal(2);
        expect(shim.lines).to.have.length(0);
        expect(shim.stderr).to.include('Usage:');
      });
    }
  });
});
