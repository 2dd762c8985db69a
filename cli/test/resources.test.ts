import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { COFFER, createHome, EXAMPLE, type Home } from './harness.js';

describe('coffer resource, scope, credentials, audit, retention, machines', function () {
  this.timeout(60_000);
  let home: Home;
  before(async () => {
    home = createHome();
    await home.ok(['daemon', 'start']);
    await home.ok(['plugin', 'add', EXAMPLE, '--yes']);
  });
  after(() => home.done());

  it('adds from a file, from stdin and from settings, and fills in defaults', async () => {
    const file = join(home.dir, 'one.json');
    writeFileSync(file, JSON.stringify({ title: 'One', url: 'https://one.example/' }));
    expect(
      await home.ok(['resource', 'add', 'bookmark', 'one', '--config', file, '--description', 'the first']),
    ).to.equal('Registered bookmark:one.\n');
    await home.ok(['resource', 'add', 'bookmark', 'two', '--config', '-', '--set', 'tags=["x"]'], {
      input: '{"title":"Two","url":"https://two.example/"}',
    });
    const one = await home.json(['resource', 'show', 'bookmark:one']);
    expect(one).to.deep.include({
      ref: 'bookmark:one',
      description: 'the first',
      enabled: true,
      scope: null,
      config: { title: 'One', url: 'https://one.example/', tags: [] },
    });
    expect((await home.json(['resource', 'show', 'bookmark:two'])).config.tags).to.deep.equal(['x']);
    expect(
      (await home.json(['resource', 'list', '--kind', 'bookmark'])).resources.map((r: { name: string }) => r.name),
    ).to.deep.equal(['one', 'two']);
    expect((await home.json(['resource', 'list', '--kind', 'mcp_server'])).resources).to.deep.equal([]);
  });

  it('shows a resource as a page for people', async () => {
    expect(await home.ok(['resource', 'show', 'bookmark:one']))
      .to.match(/^bookmark:one {2}the first\nenabled {2}yes\n/)
      .and.include('"title": "One"');
  });

  it('changes single values, the whole config, or the description alone', async () => {
    await home.ok(['resource', 'update', 'bookmark:one', '--set', 'title=Changed']);
    expect((await home.json(['resource', 'show', 'bookmark:one'])).config).to.include({
      title: 'Changed',
      url: 'https://one.example/',
    });
    await home.ok(['resource', 'update', 'bookmark:one', '--config', '-'], {
      input: '{"title":"Whole","url":"https://whole.example/"}',
    });
    expect((await home.json(['resource', 'show', 'bookmark:one'])).config.url).to.equal('https://whole.example/');
    await home.ok(['resource', 'update', 'bookmark:one', '--description', '']);
    expect((await home.json(['resource', 'show', 'bookmark:one'])).description).to.equal(null);
  });

  it('disables, enables and deletes', async () => {
    expect(await home.ok(['resource', 'disable', 'bookmark:two'])).to.include('is disabled');
    expect((await home.json(['resource', 'show', 'bookmark:two'])).enabled).to.equal(false);
    await home.ok(['resource', 'enable', 'bookmark:two']);
    await home.ok(['resource', 'delete', 'bookmark:two', '--force']);
    expect((await home.run(['resource', 'show', 'bookmark:two'])).code).to.equal(4);
    expect((await home.run(['resource', 'delete', 'bookmark:two', '--force'])).code).to.equal(4);
  });

  it('sets, shows and clears a scope, under both of its names', async () => {
    const here = (await home.json(['machines', 'list'])).machines[0].id as string;
    await home.ok(['scope', 'set', 'bookmark:one', '--machine', 'this=claude-code,codex', '--machine', '*=*']);
    expect(await home.json(['scope', 'show', 'bookmark:one'])).to.deep.equal({
      scope: { [here]: ['claude-code', 'codex'], '*': '*' },
      axes: ['machine', 'agent'],
    });
    expect(await home.ok(['resource', 'scope', 'show', 'bookmark:one']))
      .to.include(`on machine ${here}: claude-code, codex`)
      .and.include('on every other machine: every agent');
    expect(await home.ok(['resource', 'scope', 'set', 'bookmark:one', '--nowhere'])).to.include('nowhere');
    expect((await home.json(['scope', 'show', 'bookmark:one'])).scope).to.deep.equal({});
    expect(await home.ok(['scope', 'clear', 'bookmark:one'])).to.include('everywhere');
    expect((await home.json(['scope', 'show', 'bookmark:one'])).scope).to.equal(null);
  });

  it('stores a secret from stdin, tells only that it is there, and shows it on request', async () => {
    expect(await home.ok(['credentials', 'set', 'team/token'], { input: 'hush-hush\n' })).to.not.include('hush');
    expect(await home.json(['credentials', 'get', 'team/token'])).to.deep.equal({
      ref: 'team/token',
      value: '********',
    });
    expect(await home.ok(['credentials', 'get', 'team/token'])).to.not.include('hush');
    expect(await home.ok(['credentials', 'get', 'team/token', '--show'])).to.equal('hush-hush\n');
    expect((await home.json(['credentials', 'list'])).refs[0]).to.deep.include({
      ref: 'team/token',
      locked: false,
      cited_by: [],
    });
    expect((await home.run(['credentials', 'get', 'not/there'])).code).to.equal(4);
    expect((await home.run(['credentials', 'set', 'empty'], { input: '\n' })).code).to.equal(2);
    await home.ok(['mcp', 'add', 'user', '--http', 'http://127.0.0.1:9/', '--credential', 'Authorization=team/token']);
    const inUse = await home.run(['credentials', 'delete', 'team/token', '--force']);
    expect(inUse.code).to.equal(5);
    expect(inUse.err).to.match(/^CREDENTIAL_IN_USE: /);
    await home.ok(['mcp', 'remove', 'user', '--force']);
    await home.ok(['credentials', 'delete', 'team/token', '--force']);
  });

  it('says where the master key lives', async () => {
    expect(await home.json(['credentials', 'storage'])).to.deep.equal({ master_key_storage: 'file' });
  });

  it('lists what was changed, by whom, filtered and in pages', async () => {
    const { audit_events: events } = await home.json([
      'audit',
      'list',
      '--kind',
      'bookmark',
      '--name',
      'one',
      '--limit',
      '500',
    ]);
    expect(events.map((e: { event_type: string }) => e.event_type)).to.include.members([
      'resource_created',
      'resource_updated',
    ]);
    expect(new Set(events.map((e: { actor: string }) => e.actor))).to.deep.equal(new Set(['cli']));
    const first = await home.json(['audit', 'list', '--event-type', 'resource_created', '--limit', '1']);
    const second = await home.json([
      'audit',
      'list',
      '--event-type',
      'resource_created',
      '--limit',
      '1',
      '--cursor',
      String(first.next),
    ]);
    expect(second.audit_events[0].id).to.be.lessThan(first.audit_events[0].id);
    expect((await home.json(['audit', 'list', '--since', '2099-01-01'])).audit_events).to.deep.equal([]);
    expect(await home.ok(['audit', 'list', '--limit', '1'])).to.include('--cursor');
    expect(JSON.stringify(await home.json(['audit', 'list', '--limit', '500']))).to.not.include('hush');
  });

  it('keeps logs as long as it is told, and prunes on request', async () => {
    expect(await home.ok(['retention', 'set', 'audit_log', '--days', '9'])).to.include('9 days');
    expect(await home.ok(['retention', 'set', 'mcp_invocations', '--forever'])).to.include('for ever');
    const { policies } = await home.json(['retention', 'list']);
    const days = Object.fromEntries(
      policies.map((p: { table_name: string; retention_days: number | null }) => [p.table_name, p.retention_days]),
    );
    expect(days).to.include({ audit_log: 9, mcp_invocations: null });
    expect((await home.json(['retention', 'prune-now', '--table', 'audit_log'])).tables).to.deep.equal({
      audit_log: 0,
    });
    expect((await home.json(['retention', 'prune-now'])).tables).to.include.keys('audit_log', 'mcp_invocations');
  });

  it('renames this machine', async () => {
    await home.ok(['machines', 'rename', 'this', 'my desk']);
    expect(await home.ok(['machines', 'list'])).to.match(/my desk +this machine/);
  });

  describe('on a terminal', () => {
    /** Runs under a pseudo terminal; each answer is typed once the text before it has been printed. */
    const typed = async (
      args: string,
      answers: [prompt: string, keys: string][],
    ): Promise<{ code: number; screen: string }> => {
      const child = spawn('script', ['-qefc', `"${process.execPath}" "${COFFER}" ${args}`, '/dev/null'], {
        env: { ...home.env, TERM: 'xterm' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let screen = '';
      const waiting = [...answers];
      child.stdout.on('data', (c: Buffer) => {
        screen += c.toString();
        const [next] = waiting;
        if (next !== undefined && screen.includes(next[0])) {
          waiting.shift();
          child.stdin.write(next[1]);
        }
      });
      const [code] = (await once(child, 'close')) as [number];
      return { code, screen };
    };
    before(function () {
      // The pseudo terminal of util-linux: other systems have another `script`.
      if (process.platform !== 'linux' || !existsSync('/usr/bin/script')) this.skip();
    });

    it('asks before it deletes, and takes only yes for a yes', async () => {
      const no = await typed('resource delete bookmark:one', [['[y/N]', '\r']]);
      expect(no.code).to.equal(1);
      expect(no.screen).to.include('nothing was changed');
      expect((await home.run(['resource', 'show', 'bookmark:one'])).code).to.equal(0);
      const yes = await typed('resource delete bookmark:one', [['[y/N]', 'y\r']]);
      expect(yes.code, yes.screen).to.equal(0);
      expect((await home.run(['resource', 'show', 'bookmark:one'])).code).to.equal(4);
    });

    it('takes a secret without showing it', async () => {
      const { code, screen } = await typed('credentials set typed/one', [['Value of typed/one', 'hush-hush\r']]);
      expect(code, screen).to.equal(0);
      expect(screen).to.not.include('hush');
      expect(await home.ok(['credentials', 'get', 'typed/one', '--show'])).to.equal('hush-hush\n');
    });

    it('exits 130 on Ctrl-C at a question', async () => {
      expect((await typed('credentials delete typed/one', [['[y/N]', '\u0003']])).code).to.equal(130);
      expect((await typed('credentials set typed/two', [['Value of', '\u0003']])).code).to.equal(130);
    });

    it('uses colour, and none with NO_COLOR', async () => {
      expect((await typed('daemon status', [])).screen).to.include('\u001b[32mready');
      home.env.NO_COLOR = '1';
      const plain = await typed('daemon status', []);
      delete home.env.NO_COLOR;
      expect(plain.screen).to.include('ready').and.not.include('\u001b[');
    });
  });
});
