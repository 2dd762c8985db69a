import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { findProgram, ownerEnvironment, startProgram, type StartedProgram } from '../../src/index.js';

describe('programs of the owner', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'coffer-programs-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('are found on the PATH: files that may be run, links to them, nothing else', async () => {
    const bin = path.join(dir, 'bin');
    mkdirSync(path.join(bin, 'folder-here'), { recursive: true });
    writeFileSync(path.join(bin, 'plain-file'), '');
    writeFileSync(path.join(bin, 'runs'), '#!/bin/sh\n');
    chmodSync(path.join(bin, 'runs'), 0o755);
    symlinkSync(path.join(bin, 'runs'), path.join(bin, 'linked'));
    symlinkSync(path.join(bin, 'gone'), path.join(bin, 'broken'));
    const find = (name: string): Promise<string | undefined> =>
      findProgram(name, { PATH: `relative::${bin}`, SHELL: '/bin/sh' });
    expect(await find('runs')).to.equal(path.join(bin, 'runs'));
    expect(await find('linked')).to.equal(path.join(bin, 'linked'));
    for (const name of ['plain-file', 'folder-here', 'broken', 'not-there-at-all'])
      expect(await find(name), name).to.equal(undefined);
  });

  it('see what is the owner’s and nothing that is Coffer’s', async () => {
    const env = await ownerEnvironment({
      PATH: '/a:/b:/a',
      HOME: '/h',
      MY_KEY: 'mine',
      COFFER_HOME: '/x',
      COFFER_TOKEN: 't',
      SHELL: '/bin/sh',
    });
    expect(env).to.include({ HOME: '/h', MY_KEY: 'mine' });
    expect(Object.keys(env).filter((k) => k.startsWith('COFFER_'))).to.deep.equal([]);
    expect(env['PATH']).to.match(/^\/a:\/b(:|$)/);
  });

  const start = (script: string): StartedProgram =>
    startProgram(process.execPath, ['-e', script], {
      cwd: dir,
      env: { PATH: process.env['PATH'] ?? '' },
      records: dir,
      label: 'test',
    });
  const said = (p: StartedProgram): Promise<string> =>
    new Promise((resolve) => p.child.stdout.once('data', (d: Buffer) => resolve(d.toString())));
  const alive = (pid: number): boolean =>
    existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

  it('end with everything they started, also when they will not', async function () {
    this.timeout(10_000);
    const p = start(`process.on('SIGTERM', () => {}); process.stdin.resume();
      const c = require('child_process').spawn('sleep', ['60']); console.log(c.pid); setInterval(() => {}, 1000);`);
    const grandchild = Number(await said(p));
    expect(alive(grandchild)).to.equal(true);
    const [record] = readdirSync(dir);
    expect(record).to.equal(`test-${p.child.pid}.json`);
    expect(JSON.parse(readFileSync(path.join(dir, record ?? ''), 'utf8'))).to.include({
      server: 'test',
      pid: p.child.pid,
    });
    await p.end();
    expect([alive(p.child.pid ?? 0), alive(grandchild)]).to.deep.equal([false, false]);
    expect(readdirSync(dir)).to.deep.equal([]);
    await p.end();
  });

  it('that end by themselves when nobody speaks to them any more are not signalled', async () => {
    const p = start(`process.stdin.resume().on('end', () => process.exit(7)); console.log('up')`);
    await said(p);
    await p.end();
    expect((await p.exited).code).to.equal(7);
  });

  it('that end while they are written to, or cannot be started, harm nobody', async () => {
    const p = start('process.exit(3)');
    expect((await p.exited).code).to.equal(3);
    p.child.stdin.write('x'.repeat(1_000_000));
    await p.end();
    const none = startProgram(path.join(dir, 'nowhere'), [], { cwd: dir, env: {}, records: dir, label: 'test' });
    expect((await none.exited).error).to.have.property('code', 'ENOENT');
    await none.end();
  });
});
