import { chmodSync } from 'node:fs';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { expect } from 'chai';
import { bench, CODEX_TOML, type Bench } from './support.js';

describe("an agent's own program", function () {
  this.timeout(20_000);
  let b: Bench;
  const before = process.env['PATH'];
  beforeEach(async () => {
    b = await bench();
    b.write(CODEX_TOML, '.codex', 'config.toml');
    await b.ok('POST', '/agents', { type: 'codex', config_dir: b.at('own') });
    b.write(CODEX_TOML, 'own', 'config.toml');
    process.env['PATH'] = `${b.at('bin')}${path.delimiter}${path.dirname(process.execPath)}`;
  });
  afterEach(async () => {
    process.env['PATH'] = before;
    await b.stop();
  });
  const program = (body: string): void => {
    b.write(`#!${process.execPath}\n${body}\n`, 'bin', 'codex');
    chmodSync(b.at('bin', 'codex'), 0o755);
  };
  const show = (): Promise<Obj> => b.ok('GET', '/agents/codex');

  it('says its version, or is not there, or says nothing, and the agent is shown all the same', async () => {
    expect(await show()).to.deep.include({ program: null, version: null });
    program("console.log('codex-cli 9.8.7-beta.1');");
    expect(await show()).to.deep.include({ program: b.at('bin', 'codex'), version: '9.8.7-beta.1' });
    program('process.exit(3);');
    expect(await show()).to.deep.include({ program: b.at('bin', 'codex'), version: null });
    chmodSync(b.at('bin', 'codex'), 0o644);
    expect(await show()).to.deep.include({ program: null });
  });

  it('that hangs is stopped', async () => {
    program(
      "require('node:fs').writeFileSync(process.env.HOME + '/pid', String(process.pid)); setInterval(() => {}, 1000);",
    );
    expect(await show()).to.deep.include({ version: null });
    expect(() => process.kill(Number(b.read('pid')), 0)).to.throw('ESRCH');
  });

  it('takes a plugin out, is told of the folder and of nothing that is Coffer’s, and is not quoted when it fails', async () => {
    const gone = b.fails('DELETE', '/agents/codex/plugins/fmt%40acme');
    expect((await gone).code).to.equal('AGENT_PROGRAM_FAILED');
    process.env['COFFER_TEST_SECRET'] = 'x';
    program(
      "require('node:fs').writeFileSync(process.env.HOME + '/told', JSON.stringify([process.argv.slice(2), process.env.CODEX_HOME, Object.keys(process.env).filter((k) => k.startsWith('COFFER_'))]));",
    );
    await b.ok('DELETE', '/agents/codex/plugins/fmt%40acme');
    delete process.env['COFFER_TEST_SECRET'];
    expect(JSON.parse(b.read('told'))).to.deep.equal([['plugin', 'remove', 'fmt@acme'], b.at('own'), []]);
    expect(await b.audit('agent_plugin_uninstalled')).to.have.length(1);
    program("console.error('s3cret'); process.exit(1);");
    const failed = await b.fails('DELETE', '/agents/codex/plugins/fmt%40acme');
    expect(failed.code).to.equal('AGENT_PROGRAM_FAILED');
    expect(JSON.stringify(failed)).not.to.contain('s3cret');
  });
});
