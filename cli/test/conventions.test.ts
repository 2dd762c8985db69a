import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { ERRORS } from '@coffer/kernel';
import { exitCodeOf } from '../src/failure.js';
import { since, withSettings } from '../src/input.js';
import { table } from '../src/table.js';
import { bytes, clean, duration, when } from '../src/text.js';
import { COFFER, createHome, EXAMPLE, type Home } from './harness.js';

describe('conventions of every command', function () {
  this.timeout(60_000);
  let home: Home;
  before(async () => {
    home = createHome();
    await home.ok(['daemon', 'start']);
    await home.ok(['plugin', 'add', EXAMPLE, '--yes']);
    await home.ok(['resource', 'add', 'bookmark', 'one', '--set', 'title=One', '--set', 'url=https://example.org/']);
  });
  after(() => home.done());

  it('prints one JSON document with its stable key and nothing else', async () => {
    const reads: [string[], string][] = [
      [['resource', 'list'], 'resources'],
      [['resource', 'kinds'], 'kinds'],
      [['kinds'], 'kinds'],
      [['mcp', 'list'], 'resources'],
      [['mcp', 'invocations'], 'invocations'],
      [['audit', 'list'], 'audit_events'],
      [['credentials', 'list'], 'refs'],
      [['plugin', 'list'], 'plugins'],
      [['machines', 'list'], 'machines'],
      [['retention', 'list'], 'policies'],
      [['scope', 'show', 'bookmark:one'], 'scope'],
      [['resource', 'scope', 'show', 'bookmark:one'], 'scope'],
      [['credentials', 'storage'], 'master_key_storage'],
      [['resource', 'show', 'bookmark:one'], 'ref'],
      [['plugin', 'show', 'kind-bookmark'], 'name'],
      [['daemon', 'status'], 'status'],
      [['doctor'], 'checks'],
    ];
    for (const [args, key] of reads) {
      const ran = await home.run([...args, '--json']);
      expect(ran.code, `${args.join(' ')}: ${ran.err}`).to.equal(0);
      expect(ran.err, args.join(' ')).to.equal('');
      expect(JSON.parse(ran.out), args.join(' ')).to.have.property(key);
    }
  });

  it('takes --json before the command too', async () => {
    expect(JSON.parse(await home.ok(['--json', 'resource', 'list']))).to.have.property('resources');
  });

  it('writes tables without colour into a pipe', async () => {
    const out = await home.ok(['resource', 'list']);
    expect(out).to.match(/^REF +ENABLED +STATUS +SCOPE +DESCRIPTION\nbookmark:one +yes +unknown +everywhere +-\n$/);
  });

  it('has the exit codes of the kernel for every error there is', () => {
    for (const [code, { status, exit }] of Object.entries(ERRORS))
      expect(exitCodeOf(code, status), code).to.equal(exit);
  });

  it('exits by the kind of failure, with the message on stderr only', async () => {
    const cases: [string[], number, RegExp][] = [
      [['resource', 'show', 'bookmark:none'], 4, /^RESOURCE_NOT_FOUND: /],
      [['plugin', 'show', 'none'], 4, /^PLUGIN_NOT_FOUND: /],
      [
        ['resource', 'add', 'bookmark', 'one', '--set', 'title=x', '--set', 'url=https://x.org/'],
        5,
        /^RESOURCE_ALREADY_EXISTS: /,
      ],
      [['resource', 'add', 'bookmark', 'two', '--set', 'title=x'], 6, /^CONFIG_INVALID: .*\/url is missing/],
      [['resource', 'add', 'nothing', 'two'], 6, /^UNKNOWN_KIND: /],
      [['mcp', 'add', 'x', '--credential', 'A=not/there', '--', 'y'], 8, /^CREDENTIAL_MISSING: /],
      [['retention', 'set', 'nothing', '--days', '3'], 4, /^UNKNOWN_PRUNABLE_TABLE: /],
      [['machines', 'rename', 'nobody', 'x'], 4, /^MACHINE_NOT_FOUND: /],
      [['resource', 'add', 'bookmark', 'two', '--config', '/no/such/file'], 4, /^NOT_FOUND: /],
    ];
    for (const [args, code, err] of cases) {
      const ran = await home.run(args);
      expect({ code: ran.code, out: ran.out }, args.join(' ')).to.deep.equal({ code, out: '' });
      expect(ran.err, args.join(' ')).to.match(err);
      expect(ran.err.trim().split('\n'), args.join(' ')).to.have.length(1);
    }
  });

  it('exits 2 for a command line that makes no sense', async () => {
    const lines = [
      ['nothing'],
      ['resource', 'nothing'],
      ['resource', 'show'],
      ['resource', 'show', 'no-colon'],
      ['resource', 'list', '--nothing'],
      ['audit', 'list', '--limit', '0'],
      ['audit', 'list', '--since', 'yesterday'],
      ['retention', 'set', 'audit_log'],
      ['scope', 'set', 'bookmark:one'],
      ['resource', 'update', 'bookmark:one'],
      ['credentials', 'storage', '--set', 'pocket'],
      ['completion', 'tcsh'],
      ['plugin', 'new', 'No'],
      ['daemon', 'start', '--foreground', '--json'],
    ];
    for (const args of lines) {
      const ran = await home.run(args);
      expect({ code: ran.code, out: ran.out }, args.join(' ')).to.deep.equal({ code: 2, out: '' });
      expect(ran.err, args.join(' ')).to.match(/^USAGE: .+/);
    }
  });

  it('adds details, trace id and stack with --verbose', async () => {
    const ran = await home.run(['resource', 'add', 'bookmark', 'two', '--set', 'title=x', '--verbose']);
    expect(ran.err)
      .to.match(/^details: \{"problems"/m)
      .and.match(/^trace: \S+/m)
      .and.match(/^ {4}at /m);
  });

  it('never repeats a value that may be a secret', async () => {
    const ran = await home.run(['resource', 'add', 'bookmark', 'two', '--config', '-', '--verbose'], {
      input: '{"title": "hush-hush"',
    });
    expect(ran.code).to.equal(6);
    expect(ran.err).to.not.include('hush');
    const typed = await home.run([
      'resource',
      'add',
      'bookmark',
      'two',
      '--verbose',
      '--config',
      '{"title":"hush-hush"}',
    ]);
    expect(typed.code).to.equal(2);
    expect(typed.err).to.include('name of a file').and.not.include('hush');
  });

  it('refuses what cannot be undone without a terminal, unless forced', async () => {
    await home.ok(['credentials', 'set', 'a/b'], { input: 'x' });
    for (const args of [
      ['resource', 'delete', 'bookmark:one'],
      ['plugin', 'remove', 'kind-bookmark'],
      ['credentials', 'delete', 'a/b'],
      ['plugin', 'add', EXAMPLE],
    ]) {
      const ran = await home.run(args);
      expect(ran.code, args.join(' ')).to.equal(1);
      expect(ran.err, args.join(' ')).to.match(/^NEEDS_CONFIRMATION: .*--(force|yes)/m);
    }
    expect(await home.json(['resource', 'list'])).to.have.nested.property('resources[0].ref', 'bookmark:one');
    await home.ok(['credentials', 'delete', 'a/b', '--force']);
    expect((await home.json(['credentials', 'list'])).refs).to.deep.equal([]);
  });

  it('ends quietly when its reader has had enough', async () => {
    for (let i = 0; i < 3; i++) {
      const child = spawn(process.execPath, [COFFER, 'kinds', '--json'], {
        env: home.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stdout.destroy();
      let err = '';
      child.stderr.on('data', (c: Buffer) => (err += c.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    }
  });

  it('describes itself: overview, groups, commands', async () => {
    const all = await home.ok(['--help']);
    for (const group of [
      'up',
      'daemon',
      'resource',
      'mcp',
      'credentials',
      'audit',
      'retention',
      'plugin',
      'machines',
      'scope',
      'backup',
      'restore',
      'doctor',
      'open',
      'kinds',
      'completion',
    ]) {
      expect(all).to.match(new RegExp(`^ {2}${group} `, 'm'));
      const page = await home.ok([group, '--help']);
      expect(page, group).to.include(`coffer ${group}`);
    }
    expect(await home.ok([])).to.equal(all);
    expect(await home.ok(['mcp'])).to.include('coffer mcp tool disable');
    expect(await home.ok(['mcp', 'tool', '--help']))
      .to.include('coffer mcp tool disable')
      .and.not.include('mcp prompt');
    expect(await home.ok(['resource', 'scope', 'set', '--help']))
      .to.match(/Usage: coffer resource scope set/)
      .and.include('--nowhere');
    expect(await home.ok(['--version'])).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('completes groups, commands and flags, those of plugins included', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect(await home.ok(['completion', shell])).to.include('coffer completion words');
    const words = async (...typed: string[]): Promise<string[]> =>
      (await home.ok(['completion', 'words', '--', ...typed])).trim().split('\n');
    expect(await words()).to.include.members(['up', 'mcp', 'resource', 'completion']);
    expect(await words('mcp')).to.include.members(['add', 'list', 'tool', 'import']);
    expect(await words('mcp', 'tool')).to.have.members(['list', 'enable', 'disable']);
    expect(await words('resource', 'list')).to.include.members(['--kind', '--json']);
    expect((await home.run(['completion', 'words', '--', 'nothing'])).code).to.equal(0);
  });

  it('has a bash script that bash takes', async function () {
    if (!existsSync('/bin/bash')) this.skip();
    const script = `coffer() { "${process.execPath}" "${COFFER}" "$@"; }\nsource <(coffer completion bash)\nCOMP_WORDS=(coffer mcp to); COMP_CWORD=2; _coffer; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = spawn('/bin/bash', ['-c', script], { env: home.env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (c: Buffer) => (out += c.toString()));
    await once(child, 'close');
    expect(out).to.equal('tool\n');
  });
});

describe('how values look to people', () => {
  it('shows durations and sizes in fitting units', () => {
    expect([0.04, 12.3, 1400, 123_000, 12_000_000, 190_000_000].map(duration)).to.deep.equal([
      '0 ms',
      '12 ms',
      '1.4 s',
      '2 min 3 s',
      '3 h 20 min',
      '2 d 4 h',
    ]);
    expect([12, 2048, 5 * 1_048_576].map(bytes)).to.deep.equal(['12 B', '2.0 KiB', '5.0 MiB']);
  });
  it('shows the date only when it is not today', () => {
    const now = new Date(2026, 0, 31, 18, 0, 0);
    expect(when(new Date(2026, 0, 31, 7, 5, 9).toISOString(), now)).to.equal('07:05:09');
    expect(when(new Date(2025, 11, 1, 7, 5, 9).toISOString(), now)).to.equal('2025-12-01 07:05:09');
    expect(when(null, now)).to.equal('-');
  });
  it('keeps one long cell from padding every row, and cuts prose before names', () => {
    const rows = [
      ['short', 'yes', 'what it is for'],
      ['n'.repeat(200), 'yes', 'another one, described at some length'],
    ];
    const widest = (width?: number): number =>
      Math.max(
        ...table(['NAME', 'ENABLED', 'DESCRIPTION'], rows, width)
          .split('\n')
          .map((l) => l.length),
      );
    expect(widest()).to.be.below(130);
    expect(widest(60)).to.be.at.most(60);
    const lines = table(['NAME', 'DESCRIPTION'], [['a-name-of-twenty-two-x', 'word '.repeat(20).trim()]], 50);
    expect(lines).to.include('a-name-of-twenty-two-x').and.match(/…$/);
  });

  it('takes out of foreign text what a terminal would obey', () => {
    expect(clean('a\u001b[31mred\u0007\nb\u202e')).to.equal('a[31mred b');
  });
});

describe('what people write', () => {
  it('puts settings into a config by dotted keys, as JSON or as text', () => {
    const given = { a: { b: 1 }, keep: true };
    expect(withSettings(given, ['a.c=2', 'tags=["x"]', 'name=plain words', 'a.b="1"'])).to.deep.equal({
      a: { b: '1', c: 2 },
      keep: true,
      tags: ['x'],
      name: 'plain words',
    });
    expect(given).to.deep.equal({ a: { b: 1 }, keep: true });
    expect(() => withSettings({}, ['__proto__.x=1'])).to.throw();
    expect(() => withSettings({}, ['novalue'])).to.throw();
  });
  it('reads ages and dates', () => {
    const ago = Date.now() - Date.parse(since('2h') ?? '');
    expect(ago).to.be.within(7_199_000, 7_300_000);
    expect(since('2026-01-31')).to.equal('2026-01-31T00:00:00.000Z');
    expect(since(undefined)).to.equal(undefined);
  });
});
