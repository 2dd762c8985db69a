import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { acceptance, startDaemon, type Ran, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import { addTwoAgents, type TwoAgents } from '../two-agents.js';

describe('skills from the command line', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let agents: TwoAgents;
  beforeEach(async () => {
    daemon = await startDaemon();
    agents = await addTwoAgents(daemon);
  });
  afterEach(async () => {
    await daemon?.stop();
    agents?.done();
  });
  const coffer = (...args: string[]): Promise<Ran> => daemon.cli(args);
  const json = async (...args: string[]): Promise<any> => JSON.parse((await coffer(...args, '--json')).stdout); // eslint-disable-line @typescript-eslint/no-explicit-any -- answers of every shape
  const master = (...more: string[]): string => path.join(daemon.home, 'skills', ...more);

  acceptance('006-skills', 'web UI and command line cover everything', async () => {
    const src = path.join(agents.dir, 'src');
    agents.skill(path.join(src, 'one'), 'First.', { 'scripts/run.sh': 'echo hi\n' });
    agents.skill(path.join(src, 'two'));
    expect((await json('skill', 'import', src, '--dry-run')).skills.map((s: { name: string }) => s.name)).to.deep.equal(
      ['one', 'two'],
    );
    const unsure = await coffer('skill', 'import', src);
    expect([unsure.code, existsSync(master())]).to.deep.equal([2, false]);
    expect((await coffer('skill', 'import', src, '--all')).code).to.equal(0);
    const again = await coffer('skill', 'import', path.join(src, 'one'));
    expect([again.code, again.stderr]).to.satisfy(
      ([c, e]: [number, string]) => c === 5 && e.includes('RESOURCE_ALREADY_EXISTS'),
    );
    expect((await coffer('skill', 'import', path.join(src, 'one'), '--replace')).code).to.equal(0);
    expect((await coffer('skill', 'import', path.join(src, 'nowhere'))).code).to.equal(4);
    expect((await coffer('skill', 'import', 'ext::sh -c x')).code).to.equal(6);

    const list = await coffer('skill', 'list');
    expect(list.stdout).to.match(/one +yes +healthy +folder +claude-code, codex/);
    expect((await json('skill', 'list')).skills).to.have.length(2);
    expect((await json('skill', 'show', 'one')).deliveries[1]).to.include({ agent: 'codex', state: 'linked' });
    expect((await coffer('skill', 'show', 'none')).code).to.equal(4);
    expect((await coffer('skill', 'files', 'one')).stdout).to.include('scripts/run.sh');
    expect((await coffer('skill', 'cat', 'one', 'scripts/run.sh')).stdout).to.equal('echo hi\n');
    expect((await coffer('skill', 'cat', 'one', '../two/SKILL.md')).code).to.equal(6);
    const written = await daemon.cli(['skill', 'write', 'one', 'scripts/run.sh'], { input: 'echo ho\n' });
    expect(written.code).to.equal(0);
    expect(readFileSync(agents.of('codex', 'one', 'scripts/run.sh'), 'utf8')).to.equal('echo ho\n');
    expect((await json('skill', 'agents')).targets).to.have.length(2);

    expect((await coffer('skill', 'verify')).code).to.equal(0);
    unlinkSync(agents.of('codex', 'one'));
    unlinkSync(agents.of('codex', 'two'));
    agents.skill(agents.of('codex', 'two'), 'Mine.');
    const drift = await coffer('skill', 'verify');
    expect([drift.code, drift.stdout]).to.satisfy(([c, o]: [number, string]) => c === 5 && o.includes('missing_link'));
    const doctor = await coffer('doctor');
    expect(doctor.stdout).to.match(/skill +skill:two is failing: codex: .*a folder that Coffer did not make/);
    const fixed = await coffer('skill', 'verify', '--fix');
    expect([fixed.code, fixed.stdout]).to.satisfy(([c, o]: [number, string]) => c === 5 && o.includes('mended'));
    expect(readlinkSync(agents.of('codex', 'one'))).to.equal(master('one'));
    expect((await coffer('skill', 'deliver', 'two', '--agent', 'codex')).code).to.equal(5);

    agents.skill(agents.of('claude-code', 'own'));
    agents.skill(agents.of('claude-code', 'old'));
    expect((await json('skill', 'unmanaged')).items.map((u: { name: string }) => u.name)).to.deep.equal([
      'old',
      'own',
      'two',
    ]);
    expect((await coffer('skill', 'adopt', 'claude-code', 'own')).code).to.equal(0);
    expect(readlinkSync(agents.of('codex', 'own'))).to.equal(master('own'));
    expect((await coffer('skill', 'adopt', 'codex', 'two')).code).to.equal(5);
    expect((await coffer('skill', 'deliver', 'two', '--agent', 'codex', '--force')).code).to.equal(0);
    expect((await coffer('skill', 'rm-unmanaged', 'claude-code', 'old')).code).to.equal(1);
    expect((await coffer('skill', 'rm-unmanaged', 'claude-code', 'old', '--force')).code).to.equal(0);
    expect((await coffer('skill', 'disable', 'own')).code).to.equal(0);
    expect(existsSync(agents.of('codex', 'own'))).to.equal(false);
    expect((await coffer('skill', 'enable', 'own')).code).to.equal(0);
    expect((await coffer('skill', 'remove', 'own', '--force')).code).to.equal(0);
    expect(readdirSync(agents.of('claude-code'))).to.deep.equal(['one', 'two']);
    expect(readdirSync(master())).to.deep.equal(['one', 'two']);
  });

  acceptance('006-skills', 'backup and restore keep skills', async () => {
    agents.skill(path.join(agents.dir, 'src', 'one'), 'First.', { 'a b/ä.md': 'x\r\n\0' });
    await coffer('skill', 'import', path.join(agents.dir, 'src', 'one'));
    const { description, content_hash, edited, deliveries } = await json('skill', 'show', 'one');
    const backup = path.join(agents.dir, 'backup');
    expect((await coffer('backup', backup)).code).to.equal(0);
    const other = path.join(agents.dir, 'other');
    mkdirSync(other);
    expect((await daemon.cli(['restore', backup], { env: { COFFER_HOME: other } })).code).to.equal(0);
    expect(readFileSync(path.join(other, 'skills/one/a b/ä.md'), 'utf8')).to.equal('x\r\n\0');
    // And over a vault that lost them.
    rmSync(master('one'), { recursive: true });
    expect((await json('skill', 'verify')).entries[0].kind).to.equal('missing_master');
    await daemon.kill('SIGTERM');
    expect((await coffer('restore', backup, '--force')).code).to.equal(0);
    await daemon.restart();
    expect(await json('skill', 'show', 'one')).to.deep.include({ description, content_hash, edited, deliveries });
    expect(edited).to.equal(false);
    expect(lstatSync(agents.of('codex', 'one')).isSymbolicLink()).to.equal(true);
  });
});
